import { randomBytes } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { deviceOf } from '../device.ts'
import { isPassword } from '../passwords.ts'
import { countSignIn, forgetFailures, rememberNetwork } from '../sign-in-limits.ts'
import { takeSecondStep, type SecondStepDeps } from '../second-step.ts'
import type { Tokens } from '../tokens.ts'
import { emailKey, toUser, userColumns, type UserRow } from '../user-record.ts'

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

/** Asked for only after the right password, so that it tells nobody else who uses it. */
async function requireSecondStep(deps: SignInDeps, userId: string, code: string | undefined): Promise<void> {
  if (code === undefined || code.trim() === '') return refuse('second_step_required')
  if (!(await takeSecondStep(deps, userId, code))) return refuse('bad_second_step')
}

/** Every try counts before the password is looked at, so that parallel guesses share the budget; a success clears it. */
export async function startSession(
  deps: SignInDeps,
  { email, password, code, userAgent, network }: Credentials,
) {
  const { db, tokens } = deps
  refuseInvalid({
    email: firstProblem(email, [required('email'), emailRule]),
    password: password === '' ? messages.requiredField('password') : undefined,
  })
  const [row] = await db.systemQuery<UserRow>(`select ${userColumns} from users where email_key = $1`, [
    emailKey(email),
  ])
  const comesFrom = { email: emailKey(email), network, userId: row?.user_id }
  const waitSeconds = await countSignIn(db, comesFrom)
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  const isRight = await isPassword(password, row?.password_hash ?? null)
  if (row === undefined || !isRight) return refuse('bad_credentials')
  await forgetFailures(db, emailKey(email), comesFrom)
  if (row.two_step_confirmed_at !== null) await requireSecondStep(deps, row.user_id, code)

  const { sessionId, expiresAtMs, signedInAt } = await db.system((statements) =>
    openSession(statements, { userId: row.user_id, userAgent }),
  )
  await rememberNetwork(db, row.user_id, network)
  const token = await tokens.issue({ userId: row.user_id, sessionId, expiresAtMs })
  return { token, user: toUser({ ...row, last_login: signedInAt }) }
}

/** A session row of its own for each sign-in, so that each can be ended by itself. */
export async function openSession(
  { query }: Statements,
  { userId, userAgent }: { userId: string; userAgent: string | undefined },
) {
  const sessionId = randomBytes(18).toString('base64url')
  const signedInAt = new Date()
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
