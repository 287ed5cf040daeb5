import type { Api } from '@cellarhand/contract/api'
import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { config } from './config.ts'
import { COMMAND_MS, withLimit } from './in-time.ts'
import { newId } from './new-id.ts'
import { ownAddress } from './own-address.ts'
import { learnServerTime } from '../time/server-clock.ts'
import { storedToken } from '../kept/stored-session.ts'

export type Line = keyof Api & string
type Part<L extends Line, K extends string> = Api[L] extends Record<K, infer P> ? P : undefined
type Given<K extends string, P> = [P] extends [undefined]
  ? Record<never, never>
  : Record<never, never> extends P
    ? { [key in K]?: P }
    : { [key in K]: P }

export type Input<L extends Line> = Given<'params', Part<L, 'params'>> &
  Given<'query', Part<L, 'query'>> &
  Given<'body', Part<L, 'body'>>
export type Reply<L extends Line> = Part<L, 'reply'>

interface Options {
  signal?: AbortSignal | undefined
  /** On a second try with the same key, the server repeats its first result. `sendOnce` makes the key. */
  idempotencyKey?: string
  limitMs?: number
  /** The default is the stored token. A refusal of a token given here says nothing about the stored one. */
  auth?: 'bearer' | 'app' | 'none' | { bearer: string }
  /** The call belongs to a change of token, so it must not wait for that change. */
  changesToken?: boolean
  /** The browser finishes the call even when the clerk leaves the page. */
  keepalive?: boolean
}

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export class CallError extends Error {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown> | null) {
    const text = body?.['message']
    super(typeof text === 'string' && text !== '' ? text : messages.somethingWentWrong)
    this.name = 'CallError'
    this.status = status
    this.code = typeof body?.['code'] === 'string' ? body['code'] : ''
    this.body = body ?? {}
  }

  /** Field to message, as the server names them. */
  get fieldErrors(): Record<string, string> {
    const errors = this.body['errors']
    return errors && typeof errors === 'object' && !Array.isArray(errors)
      ? (errors as Record<string, string>)
      : {}
  }
}

/** No answer in time: the network or the server is away. After a change, nobody knows whether the server made it. */
export class UnreachableError extends Error {}

const READ_MS = 10_000
const FILE_MS = 60_000
const notReached = 'The server could not be reached. Please try again.'
const notConfirmed = 'Not confirmed. The server did not answer in time. Please try again.'

let onUnauthorized = (): void => {}

export function whenUnauthorized(react: () => void): void {
  onUnauthorized = react
}

/** The page goes on as if the server had refused its session. */
export function goOnSignedOut(): void {
  onUnauthorized()
}

let tokenChange: Promise<unknown> | undefined

/** While one token replaces another, calls sent with the old one wait, and are sent again with the new one. */
export function changeToken<T>(work: () => Promise<T>): Promise<T> {
  const change = work()
  tokenChange = change.catch(() => undefined).finally(() => (tokenChange = undefined))
  return change
}

let onFailure = (_error: Error): void => {}

/** The server failed, and somebody has to look into it. */
export function whenCallFails(react: (error: Error) => void): void {
  onFailure = react
}

let onSetUpRequired = (): void => {}

/** The merchant requires a second step that this person has not set up: the server answers nothing else. */
export function whenSetUpRequired(react: () => void): void {
  onSetUpRequired = react
}

export function call<L extends Line>(
  line: L,
  ...[input, options]: Record<never, never> extends Input<L>
    ? [input?: Input<L>, options?: Options]
    : [input: Input<L>, options?: Options]
): Promise<Reply<L>> {
  return callWith(line, (input ?? {}) as Input<L>, options ?? {})
}

/** The same for a line that only the caller's caller knows. */
export async function callWith<L extends Line>(
  line: L,
  input: Input<L>,
  options: Options,
): Promise<Reply<L>> {
  return (await request(requestOf(line, input as LooseInput), options)) as Reply<L>
}

function requestOf(line: string, { params, query, body }: LooseInput): Request {
  const [method, path] = line.split(' ') as [string, string]
  return { line, method, address: `${baseOf(path)}${fillIn(path, params ?? {})}${search(query)}`, body }
}

/** GET of an address that the server gave, such as `next_url`. */
export async function follow<L extends Line>(address: string, options: Options = {}): Promise<Reply<L>> {
  return (await request({ line: 'GET next_url', method: 'GET', address: own(address) }, options)) as Reply<L>
}

/** Returns a file instead of JSON. */
export async function callForFile<L extends Line>(line: L, input: Input<L>): Promise<Blob> {
  return (await request({ ...requestOf(line, input as LooseInput), isFile: true }, {})) as Blob
}

/** The file behind a link that the server gave. */
export async function followToFile(address: string): Promise<Blob> {
  const line = 'GET a linked file'
  return (await request({ line, method: 'GET', address: own(address), isFile: true }, {})) as Blob
}

function own(given: string): string {
  return ownAddress(given, config.apiBase, location.href)
}

/** The payments service and the content service may have hosts of their own (GAP-13, GAP-26). */
function baseOf(path: string): string {
  if (path.startsWith('/v1/merchant/')) return config.paymentsBase
  return path.startsWith('/v1/documents/') ? config.contentBase : config.apiBase
}

interface Request {
  /** Names the call in failure reports. The address never goes there: it holds keys and searches. */
  line: string
  method: string
  address: string
  body?: unknown
  isFile?: boolean
}

async function request(asked: Request, options: Options): Promise<unknown> {
  const { method, body } = asked
  const token = storedToken()
  const accept = asked.isFile ? '*/*' : 'application/json'
  const headers = new Headers({ accept, ...authorization(options.auth) })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (method !== 'GET') headers.set('idempotency-key', options.idempotencyKey ?? newId())
  const { reply, content } = await exchange(asked, options, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    keepalive: options.keepalive ?? false,
  })
  if (reply.status >= 400) {
    const error = new CallError(reply.status, errorBody(String(content)))
    // 422 is an outside service that does not take what it is asked for, such as a label or a courier.
    if (error.status >= 500 || error.status === 422)
      onFailure(new Error(`${asked.line} answered ${error.status} ${error.code}`))
    if (reply.status === 401 && (options.auth ?? 'bearer') === 'bearer') {
      if (!options.changesToken) await tokenChange
      const isOld = storedToken() !== null && storedToken() !== token
      if (isOld) return request(asked, options)
      onUnauthorized()
    }
    if (error.code === 'two_step_setup_required') onSetUpRequired()
    throw error
  }
  if (typeof content !== 'string') return content
  return content === '' ? null : JSON.parse(content)
}

interface Answer {
  reply: Response
  content: string | Blob
}

/** The limit covers the whole answer, not its head alone. */
async function exchange(
  { address, method, isFile }: Request,
  { signal, limitMs }: Options,
  init: RequestInit,
): Promise<Answer> {
  const isRead = method === 'GET'
  const usualMs = isFile ? FILE_MS : isRead ? READ_MS : COMMAND_MS
  const sentAt = Date.now()
  try {
    return await withLimit(limitMs ?? usualMs, signal, async (ended) => {
      const reply = await fetch(address, { ...init, signal: ended })
      learnServerTime(reply.headers.get('date'), sentAt)
      return { reply, content: isFile && reply.ok ? await reply.blob() : await reply.text() }
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new UnreachableError(isRead ? notReached : notConfirmed, { cause: error })
  }
}

function errorBody(text: string): Record<string, unknown> {
  try {
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  } catch {
    return { message: messages.unhandledError }
  }
}

function authorization(auth: Options['auth']): Record<string, string> {
  if (auth === 'none') return {}
  if (auth === 'app') return { authorization: `Basic ${btoa(config.appCredential)}` }
  const token = typeof auth === 'object' ? auth.bearer : storedToken()
  return { authorization: `Bearer ${token ?? ''}` }
}

function fillIn(path: string, params: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function search(query: Record<string, unknown> | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}
