/** A clerk waits no longer than this for the answer to a change, a second try included. */
export const COMMAND_MS = 15_000

/** Ends the work after so long; the asker's own signal ends it as well. */
export async function withLimit<T>(
  limitMs: number,
  asked: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), limitMs)
  try {
    return await work(asked ? AbortSignal.any([asked, limit.signal]) : limit.signal)
  } finally {
    clearTimeout(timer)
  }
}
