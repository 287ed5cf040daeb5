import { CallError, UnreachableError } from './call.ts'
import { COMMAND_MS } from './in-time.ts'
import { newId } from './new-id.ts'
import { sessionNumber } from '../kept/stored-session.ts'

/** What has no answer by then is asked for a second time, on a connection of its own. */
const FIRST_TRY_MS = 7_000
const LEAST_MS = 1_000
const PAUSE_MS = 1_000

/** Belongs into the options of the call. */
export interface Once {
  idempotencyKey: string
  limitMs: number
}

const unanswered = new Map<string, string>()

/**
 * The same key for the same request until an answer came, so that a retry after a lost reply changes nothing twice. A
 * request is the same only in the same session, and `wanted` names what the clerk saw: the version of an order.
 */
export async function sendOnce<R>(
  wanted: string,
  send: (once: Once) => Promise<R>,
  { isKeyless = false } = {},
): Promise<R> {
  const session = sessionNumber()
  const what = `${session} ${wanted}`
  const idempotencyKey = unanswered.get(what) ?? newId()
  unanswered.set(what, idempotencyKey)
  const attempt = async (limitMs: number): Promise<R> => {
    // A second try would go out in the name of whoever is signed in by then.
    if (sessionNumber() !== session)
      throw new UnreachableError('The session has ended. Please sign in and try again.')
    return send({ idempotencyKey, limitMs })
  }
  try {
    const reply = await (isKeyless ? attempt(COMMAND_MS) : tryTwice(attempt))
    unanswered.delete(what)
    return reply
  } catch (error) {
    if (isAnswer(error)) unanswered.delete(what)
    throw error
  }
}

/** One safe retry. While the server is still at work on the first try it is asked again, until the time is up. */
export async function tryTwice<R>(attempt: (limitMs: number) => Promise<R>): Promise<R> {
  const until = Date.now() + COMMAND_MS
  let lost: unknown
  try {
    return await attempt(FIRST_TRY_MS)
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    lost = error
  }
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    try {
      return await attempt(Math.max(until - Date.now(), LEAST_MS))
    } catch (error) {
      if (!isAtWork(error)) throw error
      if (Date.now() + PAUSE_MS >= until) throw lost
    }
  }
}

/** The server is still busy with the same request. */
function isAtWork(error: unknown): boolean {
  return error instanceof CallError && ['request_in_progress', 'labels_being_bought'].includes(error.code)
}

/** What is still at work has not been answered, and a proxy in trouble does not know what the server did. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof CallError && error.status < 500 && !isAtWork(error) && error.code !== 'labels_in_doubt'
  )
}
