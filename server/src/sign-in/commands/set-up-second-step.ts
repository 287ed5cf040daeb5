import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { requirePassword } from '../current-password.ts'
import { replaceRecoveryCodes, takeSecondStep, type SecondStepDeps } from '../second-step.ts'
import { newSecret, otpauthUrl, toBase32 } from '../totp.ts'
import { userColumns, type UserRow } from '../user-record.ts'

export interface SetUpDeps extends SecondStepDeps {
  readonly seal: (text: string) => string
  readonly product: string
}

async function getOwnRecord({ db }: SecondStepDeps, caller: Person): Promise<UserRow> {
  const [row] = await db.systemQuery<UserRow>(`select ${userColumns} from users where user_id = $1`, [
    caller.userId,
  ])
  return row ?? refuse('not_found')
}

/** Begun anew each time; nothing is asked at sign-in before a code was confirmed. */
export async function startSecondStep(deps: SetUpDeps, caller: Person, password: string) {
  const user = await getOwnRecord(deps, caller)
  if (user.two_step_confirmed_at !== null) return refuse('two_step_on')
  await requirePassword(deps.db, user, password)
  const secret = newSecret()
  const begun = await deps.db.systemQuery(
    `update users set two_step_secret_sealed = $2, two_step_last_counter = null
     where user_id = $1 and two_step_confirmed_at is null returning 1`,
    [user.user_id, deps.seal(secret.toString('base64url'))],
  )
  if (begun.length === 0) return refuse('two_step_on')
  return {
    secret: toBase32(secret),
    otpauth_url: otpauthUrl(secret, { issuer: deps.product, account: user.email }),
  }
}

/** Sessions that were opened with the password alone end, but for the one that shows the code. */
export async function confirmSecondStep(deps: SetUpDeps, caller: Person, code: string): Promise<string[]> {
  const user = await getOwnRecord(deps, caller)
  if (user.two_step_confirmed_at !== null) return refuse('two_step_on')
  if (!(await takeSecondStep(deps, user.user_id, code))) return wrongCode()
  return deps.db.system(async (statements) => {
    const turned = await statements.query(
      `update users set two_step_confirmed_at = now()
       where user_id = $1 and two_step_confirmed_at is null and two_step_last_counter is not null returning 1`,
      [user.user_id],
    )
    if (turned.length === 0) return refuse('two_step_on')
    await statements.query(
      'update sessions set ended_at = now() where user_id = $1 and session_id <> $2 and ended_at is null',
      [user.user_id, caller.sessionId],
    )
    return replaceRecoveryCodes(statements, user.user_id)
  })
}

export interface Proof {
  readonly password: string
  readonly code: string
}

async function requireBoth(deps: SetUpDeps, caller: Person, { password, code }: Proof): Promise<UserRow> {
  const user = await getOwnRecord(deps, caller)
  if (user.two_step_confirmed_at === null) return refuse('two_step_off')
  await requirePassword(deps.db, user, password)
  if (!(await takeSecondStep(deps, user.user_id, code))) return wrongCode()
  return user
}

export async function renewRecoveryCodes(deps: SetUpDeps, caller: Person, proof: Proof): Promise<string[]> {
  const user = await requireBoth(deps, caller, proof)
  return deps.db.system((statements) => replaceRecoveryCodes(statements, user.user_id))
}

export async function disableSecondStep(deps: SetUpDeps, caller: Person, proof: Proof): Promise<void> {
  const { is_required } = await getSecondStep(deps, caller)
  if (is_required) return refuse('two_step_required')
  const user = await requireBoth(deps, caller, proof)
  await deps.db.system(async ({ query }) => {
    await query(
      `update users set two_step_secret_sealed = null, two_step_confirmed_at = null, two_step_last_counter = null
       where user_id = $1`,
      [user.user_id],
    )
    await query('delete from recovery_codes where user_id = $1', [user.user_id])
  })
}

export async function getSecondStep({ db }: SecondStepDeps, caller: Person) {
  const [row] = await db.systemQuery<{ is_on: boolean; is_required: boolean; codes: number }>(
    `select u.two_step_confirmed_at is not null as is_on, coalesce(m.two_step_required, false) as is_required,
       (select count(*)::int from recovery_codes c where c.user_id = u.user_id and c.used_at is null) as codes
     from users u left join merchants m using (merchant_id) where u.user_id = $1`,
    [caller.userId],
  )
  if (row === undefined) return refuse('not_found')
  return { is_on: row.is_on, is_required: row.is_required, recovery_codes_left: row.codes }
}

function wrongCode(): never {
  return refuse('validation_failed', { errors: { code: 'That code is not right, or was used already' } })
}
