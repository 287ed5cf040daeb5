import type { Api, Whole } from '@cellarhand/contract/api'

/** A request, whichever way it travels. */
interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

interface WireReply {
  readonly status: number
  readonly text: string
}

type Send = (request: WireRequest) => Promise<WireReply>

interface CallOptions<K extends keyof Api> {
  /** The whole Authorization header. */
  readonly as: string
  readonly params?: Api[K]['params']
  readonly body?: Api[K]['body']
  readonly key?: string
}

export class CallRefused extends Error {
  readonly status: number
  readonly code: string
  constructor(line: string, { status, text }: WireReply) {
    super(`${line} answered ${status}: ${text.slice(0, 300)}`)
    this.status = status
    this.code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
  }
}

/** Calls of the contract by their line, with the types that belong to it. */
export type MakeCall = <K extends keyof Api>(
  line: K,
  options: CallOptions<K>,
) => Promise<Whole<Api[K]['reply']>>

export function callsOver(send: Send): MakeCall {
  return async (line, { as, params, body, key }) => {
    const [method = 'GET', path = ''] = line.split(' ')
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String((params as Readonly<Record<string, unknown>> | undefined)?.[name])),
    )
    const reply = await send({
      method,
      path: filled,
      headers: {
        authorization: as,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (reply.status >= 300) throw new CallRefused(line, reply)
    return JSON.parse(reply.text) as never
  }
}

export function basic(credential: string): string {
  return `Basic ${Buffer.from(credential).toString('base64')}`
}
