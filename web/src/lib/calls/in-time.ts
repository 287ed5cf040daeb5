/** The longest time that a clerk waits for the answer to a change, with the second try. */
export const COMMAND_MS = 15_000

/** Ends the work after that time, or when the caller's own signal aborts. */
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
