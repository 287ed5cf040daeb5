import { lines, type Operations, type Problem } from './generated.ts'
import { CallFailed } from './call-failed.ts'
import { untilAnswered, type Patience } from './patience.ts'
import type { Send, WireReply } from './wire.ts'

/** The name and secret of a Basic credential, or the token of a session, as an Authorization header. */
export type Credential = { readonly basic: string } | { readonly bearer: string }

export interface ClientOptions extends Patience {
  readonly send: Send
  readonly as: Credential
}

interface Operation {
  readonly params: object | undefined
  readonly query: object | undefined
  readonly body: unknown
  readonly reply: unknown
  readonly takesKey: boolean
}

type Given<Name extends string, T> = T extends undefined ? unknown : { readonly [K in Name]: T }

/** The parts of a call's request: those of its address, its query, its body and its key. */
type RequestOf<O extends Operation> = Given<'params', O['params']> &
  (O['query'] extends undefined ? unknown : { readonly query?: O['query'] }) &
  Given<'body', O['body']> &
  // Without one the client makes a key, so that it can repeat the call.
  (O['takesKey'] extends true ? { readonly idempotencyKey?: string } : unknown)

type Method<O extends Operation> =
  {} extends RequestOf<O>
    ? (request?: RequestOf<O>) => Promise<O['reply']>
    : (request: RequestOf<O>) => Promise<O['reply']>

/** A method for each call, by its operation id. */
export type Client = { readonly [Name in keyof Operations]: Method<Operations[Name]> }

/** The parts of a request, whichever call it is. */
interface AnyRequest {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** A typed client. It repeats what can be repeated safely: reads, and calls with an Idempotency-Key. */
export function createClient({ send, as, ...patience }: ClientOptions): Client {
  const authorization = 'basic' in as ? `Basic ${base64Of(as.basic)}` : `Bearer ${as.bearer}`
  async function call(name: keyof Operations, request: AnyRequest = {}): Promise<unknown> {
    const { method, path, takesKey } = lines[name]
    const { body, idempotencyKey } = request
    const key = idempotencyKey ?? (takesKey ? crypto.randomUUID() : undefined)
    const wire = {
      method,
      path: addressOf(path, request),
      headers: {
        authorization,
        accept: 'application/json, application/problem+json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }
    const isRepeatable = method === 'GET' || key !== undefined
    const reply = isRepeatable ? await untilAnswered(() => send(wire), patience) : await send(wire)
    if (reply.status >= 300) throw failureOf(name, reply)
    return reply.text === '' ? null : JSON.parse(reply.text)
  }
  const names = Object.keys(lines) as (keyof Operations)[]
  return Object.fromEntries(
    names.map((name) => [name, (request?: AnyRequest) => call(name, request)]),
  ) as unknown as Client
}

function addressOf(path: string, { params, query }: AnyRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

function failureOf(call: string, { status, text, header }: WireReply): CallFailed {
  let problem: Partial<Problem> = {}
  try {
    problem = JSON.parse(text) as Partial<Problem>
  } catch {
    // A proxy's page, for example.
  }
  return new CallFailed(call, { status, problem, requestId: header('x-request-id') ?? undefined })
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
