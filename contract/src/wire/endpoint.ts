import type { Static, TObject, TSchema } from 'typebox'
import type { Permission } from '../team/permissions.ts'
import type { RefusalCode } from './refusals.ts'

/**
 * The callers that a call is for. A closed and required set: an endpoint without it does not compile.
 * - public: anyone
 * - application: Basic credential of the dashboard app, which is public and grants nothing else
 * - marketplace: Basic credential of the marketplace
 * - provider: an outside service; its slice checks the signature or credential that it calls with
 * - signed-link: the signature in the address is the credential
 * - session: any signed-in user, also one without a merchant
 * - self: the signed-in user whose id is in the path
 * - a permission: a signed-in user of the merchant in the path (or of the order) whose role holds it
 * - self or a permission: either
 */
export type Access =
  | 'public'
  | 'application'
  | 'marketplace'
  | 'provider'
  | 'signed-link'
  | 'session'
  | 'self'
  | Permission
  | `self or ${Permission}`

/** The type of an answer: JSON, or the named media type. */
export type Media =
  | 'application/json'
  | 'application/pdf'
  | 'application/zip'
  | 'text/html'
  | 'text/event-stream'
  | 'image/*'
  | '*/*'

export interface Endpoint {
  readonly call: string
  readonly summary: string
  readonly access: Access
  readonly params: TObject
  readonly query: TObject
  readonly body: TSchema | undefined
  readonly reply: TSchema
  readonly status: number
  readonly media: Media
  readonly refusals: readonly RefusalCode[]
  /** Request headers beside the credential: name to purpose. */
  readonly headers: Readonly<Record<string, string>>
  /** The body is a form, as some providers send it. */
  readonly isForm: boolean
  /** The body may be JSON with a text type, as Amazon sends it. */
  readonly isJsonAsText: boolean
}

interface Line<
  C extends string,
  A extends Access,
  P extends TObject,
  Q extends TObject,
  B extends TSchema | undefined,
  R extends TSchema,
> {
  call: C
  summary: string
  access: A
  params?: P
  query?: Q
  body?: B
  reply: R
  status?: number
  media?: Media
  refusals?: readonly RefusalCode[]
  headers?: Record<string, string>
  isForm?: boolean
  isJsonAsText?: boolean
}

const nothing: TObject = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
} as unknown as TObject

/** One call of the wire contract: method and path, policy, request, reply and refusals. */
export function endpoint<
  const C extends string,
  const A extends Access,
  P extends TObject = TObject<{}>,
  Q extends TObject = TObject<{}>,
  B extends TSchema | undefined = undefined,
  R extends TSchema = TSchema,
>(line: Line<C, A, P, Q, B, R>) {
  return {
    call: line.call,
    summary: line.summary,
    access: line.access,
    params: line.params ?? (nothing as P),
    query: line.query ?? (nothing as Q),
    body: line.body as B,
    reply: line.reply,
    status: line.status ?? 200,
    media: line.media ?? 'application/json',
    refusals: line.refusals ?? [],
    headers: line.headers ?? {},
    isForm: line.isForm ?? false,
    isJsonAsText: line.isJsonAsText ?? false,
  }
}

/** The types of one endpoint's request and reply. */
export interface Exchange<P, Q, B, R> {
  params: P
  query: Q
  body: B
  reply: R
}

interface Exchangeable {
  params: TSchema
  query: TSchema
  body: TSchema | undefined
  reply: TSchema
}

type StaticOrUndefined<S> = S extends TSchema ? Static<S> : undefined

export type ExchangeOf<E extends Exchangeable> = Exchange<
  Static<E['params']>,
  Static<E['query']>,
  StaticOrUndefined<E['body']>,
  Static<E['reply']>
>
