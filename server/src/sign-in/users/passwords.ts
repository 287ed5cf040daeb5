import { availableParallelism } from 'node:os'
import { hash, verify, type Options } from '@node-rs/argon2'
import { refuse } from '#platform/http/refuse.ts'

/** Argon2id with the OWASP cheat sheet's first choice; both functions run on libuv's threads, off the event loop. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Those threads, four by default, also compress answers and read files, and every core has other work. So one of each
 * stays free; otherwise fifty sign-ins would delay everybody's answers (`npm run bench -- sign-in`).
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))
export const waitingAtMost = 500
/** Checks and hashes that wait for a free place. */
export const waiting: (() => void)[] = []
let running = 0

/** Runs one piece of work at a time for each place; the rest waits in line. */
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

/** Unicode spells the same characters in several ways, and keyboards differ. */
const normal = (password: string) => password.normalize('NFC')

export async function hashPassword(password: string): Promise<string> {
  return inTurn(async () => hash(normal(password), cost))
}

/**
 * The hash of a random text that nobody knows, at the cost above. It is a constant because a hash made on first use
 * could be refused when no place is free, and would stay refused.
 */
export const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$/otQlxSbuKubxmiUlrTuXg$X4/FxNMs5o/hdj/EhZVXROK3JKi7SONTV7sZ8kXhH20'

/** Without a stored hash it checks a decoy, so that the time taken does not reveal whether an account exists. */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const matches = await inTurn(async () => verify(storedHash ?? decoy, normal(password)))
  return storedHash !== null && matches
}
