import { CallError } from './call.ts'
import { newId } from './new-id.ts'

const unanswered = new Map<string, string>()

/** The same key for the same request until an answer came, so that a retry after a lost reply changes nothing twice. */
export async function sendOnce<R>(what: string, send: (idempotencyKey: string) => Promise<R>): Promise<R> {
  const key = unanswered.get(what) ?? newId()
  unanswered.set(what, key)
  try {
    const reply = await send(key)
    unanswered.delete(what)
    return reply
  } catch (error) {
    // What is still at work has not been answered either.
    if (error instanceof CallError && error.code !== 'request_in_progress') unanswered.delete(what)
    throw error
  }
}
