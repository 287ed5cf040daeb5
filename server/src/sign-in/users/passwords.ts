import { availableParallelism } from 'node:os'
import { hash, verify, type Options } from '@node-rs/argon2'
import { refuse } from '#platform/http/refuse.ts'

/** Argon2id with the OWASP cheat sheet's first choice; both functions run on libuv's threads, off the event loop. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Those threads, four unless told otherwise, also compress answers and read files, and every core has other work: one
 * of each is left alone, or fifty sign-ins would hold everybody else's answers up (`npm run bench -- sign-in`).
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))
export const waitingAtMost = 500
/** Checks and hashes that wait for a place. */
export const waiting: (() => void)[] = []
let running = 0

/** Runs one at a time for each place; the rest wait, first come first served. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= waitingAtMost) refuse('too_many_requests', { retryAfterSeconds: 5 })
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** Unicode has several spellings of the same characters; keyboards differ in which they send. */
const normal = (password: string) => password.normalize('NFC')

export async function hashPassword(password: string): Promise<string> {
  return inTurn(async () => hash(normal(password), cost))
}

/**
 * The hash of a random text that was thrown away, at the cost above. It is written down: one that is made when it is
 * first needed can be refused for want of a place, and would stay refused.
 */
export const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$/otQlxSbuKubxmiUlrTuXg$X4/FxNMs5o/hdj/EhZVXROK3JKi7SONTV7sZ8kXhH20'

/** Without a stored hash a decoy is checked, so that the time taken does not tell whether an account exists. */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const matches = await inTurn(async () => verify(storedHash ?? decoy, normal(password)))
  return storedHash !== null && matches
}
