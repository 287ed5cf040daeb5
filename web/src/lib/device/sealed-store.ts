/**
 * A store on this device whose contents only this person's session can read. Each session has a secret in a cookie,
 * which sign-out removes, and which ends with the session even if the desk is never opened again. Without it nothing
 * in the store can be read (decision 0092).
 */
import { storedMerchantKey } from '#lib/kept/stored-session.ts'

const DATABASE = 'cellarhand-desk'
const STORE = 'sealed'
const COOKIE = 'cellarhand-seal'
const MATERIAL = 'material'

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly content: ArrayBuffer
}

/** Whose key: `session` ends with the session, `person` is the same in the next one. */
export type Seal = { kind: 'session' } | { kind: 'person'; id: string }

/**
 * Gives the person's session its secret, or keeps the one it has for as long as the session lasts. Another tab may end
 * the session between any two of these lines, and a page hears only later that the token is gone. Cookies are the same
 * in all tabs at once.
 */
export function keepSecret(person: string | number, untilMs: number): void {
  if (storedMerchantKey() === null) return
  const known = secretOf()
  const secret = known?.startsWith(`${person}.`)
    ? known
    : `${person}.${toText(crypto.getRandomValues(new Uint8Array(32)))}`
  setSecret(secret, Math.max(0, Math.floor((untilMs - Date.now()) / 1000)))
  if (storedMerchantKey() === null) setSecret('', 0)
}

function setSecret(secret: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${COOKIE}=${secret}; path=/; max-age=${seconds}; SameSite=Strict${secure}`
}

function secretOf(): string | undefined {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${COOKIE}=`))
  return found?.slice(COOKIE.length + 1)
}

/** Whether this browser can seal at all; over plain http it has no Web Crypto. */
export function canSeal(): boolean {
  return 'indexedDB' in globalThis && globalThis.crypto?.subtle !== undefined
}

export async function putSealed(name: string, seal: Seal, value: unknown): Promise<void> {
  const secret = secretOf()
  const key = await keyOf(seal)
  if (!key) return
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const plain = new TextEncoder().encode(JSON.stringify(value))
  const content = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain)
  const sealed: Sealed = { iv, content }
  if (seal.kind === 'person') return put(name, sealed)
  // A sign-out, of another tab too, removes first the cookie and then the record: nothing must be written after it.
  await putIf(() => secretOf() === secret, name, sealed)
}

/** Undefined if there is nothing, or nothing that this session may read. */
export async function getSealed(name: string, seal: Seal): Promise<unknown> {
  const key = await keyOf(seal)
  const sealed = (await get(name)) as Sealed | undefined
  if (!key || !sealed) return undefined
  try {
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, key, sealed.content)
    return JSON.parse(new TextDecoder().decode(plain)) as unknown
  } catch {
    return undefined
  }
}

export async function removeSealed(name: string): Promise<void> {
  await ask('readwrite', (store) => store.delete(name))
}

async function keyOf(seal: Seal): Promise<CryptoKey | undefined> {
  const secret = seal.kind === 'session' ? secretOf() : seal.id
  if (secret === undefined) return undefined
  const bytes = new TextEncoder()
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: bytes.encode(secret), info: bytes.encode(seal.kind) },
    await material(),
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** The device's half of every key. No script can read it out, ours neither. */
async function material(): Promise<CryptoKey> {
  const known = (await get(MATERIAL)) as CryptoKey | undefined
  if (known) return known
  const random = crypto.getRandomValues(new Uint8Array(32))
  const made = await crypto.subtle.importKey('raw', random, 'HKDF', false, ['deriveKey'])
  // Two tabs may start together: the first one wins.
  await ask('readwrite', (store) => store.add(made, MATERIAL)).catch(() => undefined)
  return ((await get(MATERIAL)) as CryptoKey | undefined) ?? made
}

async function put(name: string, value: unknown): Promise<void> {
  await ask('readwrite', (store) => store.put(value, name))
}

/** Asks once the store is this page's alone, since a page may lose the processor between any question and its writing. */
async function putIf(isStillDue: () => boolean, name: string, value: unknown): Promise<void> {
  const store = await storeFor('readwrite')
  const ended = endOf(store.transaction)
  const turn = new Promise((resolve) => (store.count(name).onsuccess = resolve))
  await Promise.race([turn, ended])
  if (isStillDue()) store.put(value, name)
  await ended
}

function get(name: string): Promise<unknown> {
  return ask('readonly', (store) => store.get(name))
}

let opened: Promise<IDBDatabase> | undefined

async function ask<R>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<R>): Promise<R> {
  const store = await storeFor(mode)
  const request = act(store)
  // A page that is leaving, as at sign-out, does not come to the end of the transaction by itself.
  if (mode === 'readwrite') store.transaction.commit()
  await endOf(store.transaction)
  return request.result
}

async function storeFor(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  opened ??= open()
  return (await opened).transaction(STORE, mode).objectStore(STORE)
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error ?? new Error('The store failed'))
    transaction.onabort = transaction.onerror
  })
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The store could not be opened'))
  })
}

function toText(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
