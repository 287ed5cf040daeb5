import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** The newest first. */
export type Secrets = readonly [string, ...string[]]

export interface Sealer {
  seal(text: string): string
  open(sealed: string): string
  /** Whether the newest secret sealed it, so that it needs no older one. */
  isFresh(sealed: string): boolean
}

/**
 * Encrypts text that nobody may read from a copy of the database. `purpose` separates the keys of different uses. The
 * first secret seals; the older ones still open their own texts.
 */
export function createSealer(secrets: Secrets, purpose: string): Sealer {
  // A key that is prepared once opens a text in a fifth of the time.
  const keyOf = (secret: string) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))
  const newest = keyOf(secrets[0])
  const keys = [newest, ...secrets.slice(1).map(keyOf)]
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, newest, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed) {
      for (const key of keys) {
        const text = openWith(key, sealed)
        if (text !== undefined) return text
      }
      throw new Error('What was sealed opens with none of the keys (SEALING_KEY, SEALING_KEYS_OLD).')
    },
    isFresh: (sealed) => openWith(newest, sealed) !== undefined,
  }
}

/** Undefined if another key sealed it, or if it has changed since. */
function openWith(key: KeyObject, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
      'utf8',
    )
  } catch {
    return undefined
  }
}
