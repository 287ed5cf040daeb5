import { CallError, UnreachableError } from './call.ts'
import { COMMAND_MS } from './in-time.ts'
import { newId } from './new-id.ts'
import { sessionNumber } from '../kept/stored-session.ts'

/** Without an answer by then, the call goes out a second time, on another connection. */
const FIRST_TRY_MS = 7_000
const LEAST_MS = 1_000
const PAUSE_MS = 1_000

/** Goes into the options of the call. */
export interface Once {
  idempotencyKey: string
  limitMs: number
}

const unanswered = new Map<string, string>()

/**
 * Keeps one key for one request until an answer comes, so that a retry after a lost reply changes nothing twice. A
 * request is the same only within one session; `wanted` names the version of the order that the clerk saw.
 */
export async function sendOnce<R>(
  wanted: string,
  send: (once: Once) => Promise<R>,
  { isKeyless = false, key = newId() } = {},
): Promise<R> {
  const session = sessionNumber()
  const what = `${session} ${wanted}`
  const idempotencyKey = unanswered.get(what) ?? key
  unanswered.set(what, idempotencyKey)
  const attempt = async (limitMs: number): Promise<R> => {
    // A second try would go out in the name of the next user.
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

/** The key under which the request may have gone out already. */
export function unansweredKey(wanted: string): string | undefined {
  return unanswered.get(`${sessionNumber()} ${wanted}`)
}

/** One safe retry. While the server still works on the first try, it is asked again until the time is up. */
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

/** The server is still working on the same request. */
function isAtWork(error: unknown): boolean {
  return error instanceof CallError && ['request_in_progress', 'labels_being_bought'].includes(error.code)
}

/** A busy server has not answered yet, and a failing proxy does not know the server's result. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof CallError && error.status < 500 && !isAtWork(error) && error.code !== 'labels_in_doubt'
  )
}
