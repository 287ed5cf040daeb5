import { createHash, randomBytes } from 'node:crypto'
import type { Database, Statements } from '#platform/db/database.ts'
import { countTry, forgetTries } from '#platform/db/rate-limit.ts'
import { refuse } from '#platform/http/refuse.ts'
import { counterOf, toBase32 } from './totp.ts'

const tries = { name: 'second-step', max: 5, windowSeconds: 15 * 60 }
const recoveryCodeCount = 10
/** 80 bits, so that the digest of one cannot be turned back by trying. */
const recoveryCodeBytes = 10

export interface SecondStepDeps {
  readonly db: Database
  /** Opens the secret, which is stored sealed. */
  readonly open: (sealed: string) => string
}

function hashOf(userId: string, code: string): string {
  return createHash('sha256').update(`${userId} ${code}`).digest('base64url')
}

/** Codes are read aloud, typed and pasted: case, spaces and dashes do not matter. */
function tidy(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase()
}

/**
 * Takes a code of the app, or a recovery code. Each is good once, also when it comes twice at the same moment, and
 * wrong ones are counted before they are looked at.
 */
export async function takeSecondStep(deps: SecondStepDeps, userId: string, code: string): Promise<boolean> {
  const limit = { ...tries, subject: userId }
  const waitSeconds = await countTry(deps.db, limit)
  if (waitSeconds !== undefined) refuse('too_many_requests', { retryAfterSeconds: waitSeconds })
  const given = tidy(code)
  const isTaken = /^\d{6}$/.test(given)
    ? await takeAppCode(deps, userId, given)
    : await takeRecoveryCode(deps.db, userId, given)
  if (isTaken) await forgetTries(deps.db, limit)
  return isTaken
}

async function takeAppCode({ db, open }: SecondStepDeps, userId: string, code: string): Promise<boolean> {
  const [row] = await db.systemQuery<{ two_step_secret_sealed: string | null }>(
    'select two_step_secret_sealed from users where user_id = $1',
    [userId],
  )
  if (row?.two_step_secret_sealed == null) return false
  const secret = openSecret(open, row.two_step_secret_sealed)
  const counter = secret === undefined ? undefined : counterOf(secret, code, Date.now())
  if (counter === undefined) return false
  const taken = await db.systemQuery(
    `update users set two_step_last_counter = $3 where user_id = $1 and two_step_secret_sealed = $2
       and (two_step_last_counter is null or two_step_last_counter < $3) returning 1`,
    [userId, row.two_step_secret_sealed, counter],
  )
  return taken.length === 1
}

/** Undefined once SESSION_SECRET is another one: recovery codes still work, and a secret can be set up anew. */
function openSecret(open: (sealed: string) => string, sealed: string): Buffer | undefined {
  try {
    return Buffer.from(open(sealed), 'base64url')
  } catch {
    return undefined
  }
}

async function takeRecoveryCode(db: Database, userId: string, code: string): Promise<boolean> {
  const taken = await db.systemQuery(
    'update recovery_codes set used_at = now() where code_hash = $1 and user_id = $2 and used_at is null returning 1',
    [hashOf(userId, code), userId],
  )
  return taken.length === 1
}

/** New ones, which end the earlier ones; they are told once and kept as digests. */
export async function replaceRecoveryCodes({ query }: Statements, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => toBase32(randomBytes(recoveryCodeBytes)))
  await query('delete from recovery_codes where user_id = $1', [userId])
  await query('insert into recovery_codes (code_hash, user_id) select unnest($2::text[]), $1', [
    userId,
    codes.map((code) => hashOf(userId, code)),
  ])
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}
