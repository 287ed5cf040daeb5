import { randomBytes } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { networkOf, siteOf } from '#platform/http/network.ts'
import { deviceOf } from './device.ts'
import { isPassword } from '../users/passwords.ts'
import { lockUser } from '../users/locked-user.ts'
import { rememberComer, throughDoorway } from '../limits/doorway.ts'
import { knownNetworkOf, rememberNetwork } from '../limits/known-networks.ts'
import { countSignIn, forgetFailures, forgiveNetwork, type SignInTry } from '../limits/sign-in-limits.ts'
import { takeCode, withSecondStep, type SecondStepDeps } from '../second-step/second-step.ts'
import type { Tokens } from './tokens.ts'
import { emailKey, toUser, userColumns, type UserRow } from '../users/user-record.ts'

export const sessionHours = 12
const sessionMs = sessionHours * 3_600_000

export interface SignInDeps extends SecondStepDeps {
  readonly tokens: Tokens
}

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string
  readonly userAgent: string | undefined
  readonly network: string
}

/** Counts every try before the password check, so that parallel guesses share the budget; a success clears it. */
export async function startSession(
  deps: SignInDeps,
  { email, password, code = '', userAgent, network }: Credentials,
) {
  const { db, open, tokens } = deps
  refuseInvalid({
    email: firstProblem(email, [required('email'), emailRule]),
    password: password === '' ? messages.requiredField('password') : undefined,
  })
  const comer = { email: emailKey(email), network }
  const { row, comesFrom } = await throughDoorway({ ...comer, clock: db.clock }, async () =>
    countTryOf(db, comer),
  )
  const { knownOf } = comesFrom
  const asker = { lane: siteOf(network), isKnown: knownOf !== undefined && row?.merchant_id !== null }
  const isRight = await isPassword(password, row?.password_hash ?? null, asker)
  if (row === undefined || !isRight) return refuse('bad_credentials')
  await forgetFailures(db, emailKey(email), comesFrom)
  const isSecondStepOn = row.two_step_confirmed_at !== null
  // Asked only after the right password, so that strangers do not learn whether an account uses it.
  if (isSecondStepOn && code.trim() === '') return refuse('second_step_required')

  const enter = async (statements: Statements) => {
    const user = await lockUser(statements, row.user_id)
    if (user === undefined || !isAsChecked(user, row)) return refuse('bad_credentials')
    if (isSecondStepOn && !(await takeCode(statements, { open, userId: user.user_id, code })))
      return refuse('bad_second_step')
    await rememberNetwork(statements, user.user_id, network)
    return { user, ...(await openSession(statements, { userId: user.user_id, userAgent })) }
  }
  const { user, sessionId, expiresAtMs, signedInAt } = isSecondStepOn
    ? await withSecondStep(db, { userId: row.user_id, code, from: placeOf(comesFrom) }, enter)
    : await db.system(enter)
  await forgiveNetwork(db, comesFrom)
  rememberComer(comer)
  const token = await tokens.issue({ userId: user.user_id, sessionId, expiresAtMs })
  return { token, user: toUser({ ...user, last_login: signedInAt }) }
}

async function countTryOf(db: Database, { email, network }: { email: string; network: string }) {
  const [row] = await db.systemQuery<UserRow>(`select ${userColumns} from users where email_key = $1`, [
    email,
  ])
  const knownOf = await knownNetworkOf(db, { userId: row?.user_id, network })
  const comesFrom = { email, network, userId: row?.user_id, knownOf }
  const waitSeconds = await countSignIn(db, comesFrom)
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  return { row, comesFrom }
}

/** Where codes of the second step are counted together; a person's own network cannot be closed from elsewhere. */
function placeOf({ knownOf, network }: Pick<SignInTry, 'knownOf' | 'network'>): string {
  if (knownOf === 'self') return networkOf(network)
  return knownOf === 'shop' ? 'in the shop' : 'elsewhere'
}

/**
 * A new password or second step ends all sessions. A sign-in whose check was under way meanwhile must not open another
 * one afterwards.
 */
function isAsChecked(user: UserRow, checked: UserRow): boolean {
  return (
    user.password_hash === checked.password_hash &&
    user.two_step_confirmed_at?.getTime() === checked.two_step_confirmed_at?.getTime()
  )
}

/** Makes one session row per sign-in, so that each can be ended alone. The transaction has locked the user. */
export async function openSession(
  { query, clock }: Statements,
  {
    userId,
    userAgent,
    sessionId = randomBytes(18).toString('base64url'),
  }: { userId: string; userAgent: string | undefined; sessionId?: string | undefined },
) {
  const signedInAt = new Date(clock.nowMs())
  const expiresAtMs = signedInAt.getTime() + sessionMs
  await Promise.all([
    query('insert into sessions (session_id, user_id, expires_at, device) values ($1, $2, $3, $4)', [
      sessionId,
      userId,
      new Date(expiresAtMs),
      deviceOf(userAgent),
    ]),
    query('update users set last_login = $2 where user_id = $1', [userId, signedInAt]),
  ])
  return { sessionId, expiresAtMs, signedInAt }
}
