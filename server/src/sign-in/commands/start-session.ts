import { randomBytes } from 'node:crypto'
import { messages } from '@cellarhand/contract/messages'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import type { Database, Statements } from '#platform/db/database.ts'
import { countTry, forgetTries } from '#platform/db/rate-limit.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { isPassword } from '../passwords.ts'
import type { Tokens } from '../tokens.ts'
import { emailKey, toUser, userColumns, type UserRow } from '../user-record.ts'

export const sessionHours = 12
const sessionMs = sessionHours * 3_600_000
const failuresAllowed = 10
const failureWindowSeconds = 15 * 60

export interface SignInDeps {
  readonly db: Database
  readonly tokens: Tokens
}

/** Every try counts before the password is looked at, so that parallel guesses share the budget; a success clears it. */
export async function startSession(
  { db, tokens }: SignInDeps,
  { email, password, device }: { email: string; password: string; device: string | null },
) {
  refuseInvalid({
    email: firstProblem(email, [required('email'), emailRule]),
    password: password === '' ? messages.requiredField('password') : undefined,
  })
  const limit = {
    name: 'sign-in',
    subject: emailKey(email),
    max: failuresAllowed,
    windowSeconds: failureWindowSeconds,
  }
  const waitSeconds = await countTry(db, limit)
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })

  const [row] = await db.systemQuery<UserRow>(`select ${userColumns} from users where email_key = $1`, [
    emailKey(email),
  ])
  const isRight = await isPassword(password, row?.password_hash ?? null)
  if (row === undefined || !isRight) return refuse('bad_credentials')
  await forgetTries(db, limit)

  const { sessionId, expiresAtMs, signedInAt } = await db.system((statements) =>
    openSession(statements, { userId: row.user_id, device }),
  )
  const token = await tokens.issue({ userId: row.user_id, sessionId, expiresAtMs })
  return { token, user: toUser({ ...row, last_login: signedInAt }) }
}

/** A session row of its own for each sign-in, so that each can be ended by itself. */
export async function openSession(
  { query }: Statements,
  { userId, device }: { userId: string; device: string | null },
) {
  const sessionId = randomBytes(18).toString('base64url')
  const signedInAt = new Date()
  const expiresAtMs = signedInAt.getTime() + sessionMs
  await Promise.all([
    query('insert into sessions (session_id, user_id, expires_at, device) values ($1, $2, $3, $4)', [
      sessionId,
      userId,
      new Date(expiresAtMs),
      device,
    ]),
    query('update users set last_login = $2 where user_id = $1', [userId, signedInAt]),
  ])
  return { sessionId, expiresAtMs, signedInAt }
}
