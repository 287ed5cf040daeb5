import { availableParallelism } from 'node:os'
import { hash, verify, type Options } from '@node-rs/argon2'
import { systemClock } from '#platform/clock/system-clock.ts'
import { createFairTurns, type Asker } from './fair-turns.ts'

/** Argon2id with the OWASP cheat sheet's first choice; both functions run on libuv's threads, off the event loop. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Those threads, four by default, also compress answers and read files, and every core has other work. So one of each
 * stays free; otherwise fifty sign-ins would delay everybody's answers (`npm run bench -- sign-in`).
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))
/** About what one place checks before the deadline; a caller further behind would wait for nothing. */
export const waitingPerLane = 60
export const turnSettings = { atOnce, perLane: waitingPerLane, inAll: 500, deadlineMs: 10_000 }
export const passwordTurns = createFairTurns(turnSettings, systemClock)

/** The operator's own commands, and the demo. */
const operator: Asker = { lane: 'operator', isKnown: true }

/** Unicode spells the same characters in several ways, and keyboards differ. */
const normal = (password: string) => password.normalize('NFC')

export async function hashPassword(password: string, asker: Asker = operator): Promise<string> {
  return passwordTurns.inTurn(asker, async () => hash(normal(password), cost))
}

/**
 * The hash of a random text that nobody knows, at the cost above. It is a constant because a hash made on first use
 * could be refused when no place is free, and would stay refused.
 */
export const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$/otQlxSbuKubxmiUlrTuXg$X4/FxNMs5o/hdj/EhZVXROK3JKi7SONTV7sZ8kXhH20'

/** Without a stored hash a decoy is checked, so that the time taken does not tell whether an account exists. */
export async function isPassword(
  password: string,
  storedHash: string | null,
  asker: Asker = operator,
): Promise<boolean> {
  const matches = await passwordTurns.inTurn(asker, async () => verify(storedHash ?? decoy, normal(password)))
  return storedHash !== null && matches
}
