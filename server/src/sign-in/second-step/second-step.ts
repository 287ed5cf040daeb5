import { createHash } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Database, Statements } from '#platform/db/database.ts'
import { countTry, forgetTries, type RateLimit } from '#platform/db/rate-limit.ts'
import { refuse } from '#platform/http/refuse.ts'
import { counterOf, secretOf } from './totp.ts'

const windowSeconds = 15 * 60
const longSeconds = 365 * 86_400
const recoveryCodeCount = 10
/** 80 bits, so that trying cannot reverse a code's digest. */
const recoveryCodeBytes = 10

export interface SecondStepDeps {
  readonly db: Database
  /** Opens the sealed secret. */
  readonly open: (sealed: string) => string
}

function hashOf(userId: string, code: string): string {
  return createHash('sha256').update(`${userId} ${code}`).digest('base64url')
}

/** People read codes aloud, type and paste them, so case, spaces and dashes do not matter. */
function tidy(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}

/** Where a code is given in an open session. Counted apart from sign-ins: a stranger without a session cannot close it. */
export const inSession = 'in a session'

interface CodeTry {
  readonly userId: string
  readonly code: string
  /** Tries from one place never close another: a known network, an open session, or all other networks together. */
  readonly from: string
}

/** Five wrong codes within 15 minutes, and a hundred in a row: six digits can be guessed in days otherwise. */
function limitsOf({ userId, from }: CodeTry): RateLimit[] {
  const subject = `${userId} ${from}`
  return [
    { name: 'second-step', subject, max: 5, windowSeconds },
    { name: 'second-step-row', subject, max: 100, windowSeconds: longSeconds },
  ]
}

/**
 * Runs the transaction that takes a code and does what the code was given for; it refuses a wrong one itself. Each
 * try is counted before, and a success clears the count. A recovery code is not counted: its 80 bits cannot be
 * guessed, and a thief with the password must not be able to lock the owner out with wrong codes.
 */
export async function withSecondStep<T>(
  db: Database,
  attempt: CodeTry,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  const limits = limitsOf(attempt)
  for (const limit of isRecoveryCode(tidy(attempt.code)) ? [] : limits) {
    const waitSeconds = await countTry(db, limit)
    if (waitSeconds !== undefined)
      refuse('too_many_requests', { retryAfterSeconds: Math.min(waitSeconds, windowSeconds) })
  }
  const result = await db.system(work)
  await Promise.all(limits.map((limit) => forgetTries(db, limit)))
  return result
}

function isRecoveryCode(code: string): boolean {
  return /^[A-Z2-7]{16}$/.test(code)
}

interface GivenCode {
  /** Opens the sealed secret. */
  readonly open: (sealed: string) => string
  readonly userId: string
  readonly code: string
}

/** Takes a code of the app, or a recovery code. Each works once. The transaction has locked the user. */
export async function takeCode(statements: Statements, { open, userId, code }: GivenCode): Promise<boolean> {
  const given = tidy(code)
  return /^\d{6}$/.test(given)
    ? takeAppCode(statements, { open, userId, code: given })
    : takeRecoveryCode(statements, userId, given)
}

/** Takes a code of the stored secret, confirmed or not. */
export async function takeAppCode(
  { query, clock }: Statements,
  { open, userId, code }: GivenCode,
): Promise<boolean> {
  const [row] = await query<{ two_step_secret_sealed: string | null }>(
    'select two_step_secret_sealed from users where user_id = $1',
    [userId],
  )
  if (row?.two_step_secret_sealed == null) return false
  const secret = openSecret(open, row.two_step_secret_sealed)
  const counter = secret === undefined ? undefined : counterOf(secret, tidy(code), clock.nowMs())
  if (counter === undefined) return false
  const taken = await query(
    `update users set two_step_last_counter = $2 where user_id = $1
       and (two_step_last_counter is null or two_step_last_counter < $2) returning 1`,
    [userId, counter],
  )
  return taken.length === 1
}

/** Undefined after a change of SESSION_SECRET: recovery codes still work, and the person can set up a new secret. */
function openSecret(open: (sealed: string) => string, sealed: string): Secret | undefined {
  try {
    return secretOf(Buffer.from(open(sealed), 'base64url'))
  } catch {
    return undefined
  }
}

async function takeRecoveryCode({ query }: Statements, userId: string, code: string): Promise<boolean> {
  const taken = await query(
    'update recovery_codes set used_at = now() where code_hash = $1 and user_id = $2 and used_at is null returning 1',
    [hashOf(userId, code), userId],
  )
  return taken.length === 1
}

/** Makes new codes and ends the earlier ones. The new codes are shown once and stored as digests. */
export async function replaceRecoveryCodes({ query }: Statements, userId: string): Promise<string[]> {
  const codes = Array.from(
    { length: recoveryCodeCount },
    () => new Secret({ size: recoveryCodeBytes }).base32,
  )
  await query('delete from recovery_codes where user_id = $1', [userId])
  await query('insert into recovery_codes (code_hash, user_id) select unnest($2::text[]), $1', [
    userId,
    codes.map((code) => hashOf(userId, code)),
  ])
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}

/** Turns it off. The transaction has locked the user. */
export async function clearSecondStep({ query }: Statements, userId: string): Promise<void> {
  await query(
    `update users set two_step_secret_sealed = null, two_step_confirmed_at = null, two_step_last_counter = null
     where user_id = $1`,
    [userId],
  )
  await query('delete from recovery_codes where user_id = $1', [userId])
}

export function wrongCode(): never {
  return refuse('validation_failed', { errors: { code: 'That code is not right, or was used already' } })
}
