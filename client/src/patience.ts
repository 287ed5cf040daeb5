import type { WireReply } from './wire.ts'

export interface Patience {
  /** How often a call is tried that can be repeated safely; five times unless told. */
  readonly tries?: number
  /** Ends the waiting between two tries. */
  readonly signal?: AbortSignal
  /** Hears why a call is going to be repeated. */
  readonly onTrouble?: (reason: string) => void
}

const firstPauseMs = 500
const longestPauseMs = 10_000

/** Repeats a request until it has an answer that will not change by itself. */
export async function untilAnswered(
  once: () => Promise<WireReply>,
  { tries = 5, signal, onTrouble }: Patience,
): Promise<WireReply> {
  for (let tried = 1; ; tried++) {
    const outcome = await once().then(
      (reply) => ({ reply }),
      (error: unknown) => ({ error }),
    )
    const isLast = tried >= tries || signal?.aborted === true
    if ('reply' in outcome) {
      if (isLast || !isPassing(outcome.reply)) return outcome.reply
      onTrouble?.(`the server answered ${outcome.reply.status}`)
    } else {
      if (isLast) throw outcome.error
      onTrouble?.(`no answer (${reasonOf(outcome.error)})`)
    }
    const wishMs = 'reply' in outcome ? Number(outcome.reply.header('retry-after') ?? 0) * 1000 : 0
    const usualMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tried - 1))
    await pause(Math.max(usualMs, Number.isNaN(wishMs) ? 0 : wishMs), signal)
  }
}

const passingConflicts = /"code":"(request_in_progress|changed_elsewhere)"/

/** The same request can get another answer later. */
function isPassing({ status, text }: WireReply): boolean {
  if (status === 409) return passingConflicts.test(text)
  return status === 429 || status === 502 || status === 503 || status === 504
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause ? String(cause.code) : cause.message
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
}
