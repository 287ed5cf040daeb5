/** A request, whichever way it travels. */
export interface WireRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface WireReply {
  readonly status: number
  readonly text: string
  /** By its name in small letters. */
  readonly header: (name: string) => string | null | undefined
}

export type Send = (request: WireRequest) => Promise<WireReply>

const answerWaitMs = 15_000

/** Sends over HTTP, and waits fifteen seconds for an answer. */
export function sendTo(server: string | URL, signal?: AbortSignal): Send {
  return async ({ method, path, headers, body }) => {
    const limit = AbortSignal.timeout(answerWaitMs)
    const reply = await fetch(new URL(path, server), {
      method,
      headers,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(body === undefined ? {} : { body }),
    })
    return { status: reply.status, text: await reply.text(), header: (name) => reply.headers.get(name) }
  }
}
