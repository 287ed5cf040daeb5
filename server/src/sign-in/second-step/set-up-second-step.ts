import type { Statements } from '#platform/db/database.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { requirePassword } from '../users/current-password.ts'
import { lockOwnAccount } from '../users/locked-user.ts'
import {
  clearSecondStep,
  inSession,
  replaceRecoveryCodes,
  takeAppCode,
  takeCode,
  withSecondStep,
  wrongCode,
  type SecondStepDeps,
} from './second-step.ts'
import { endOtherSessions } from '../users/end-sessions.ts'
import { secondStepLetter, type SecondStepNews } from '../users/letters.ts'
import { tellOfChange } from '../users/tell-of-change.ts'
import { newSecret, otpauthUrl } from './totp.ts'
import { userColumns, type UserRow } from '../users/user-record.ts'

export interface SetUpDeps extends SecondStepDeps {
  readonly seal: (text: string) => string
  readonly stationery: Stationery
}

/** A thief with a session, a password and a code must not do it behind the owner's back. */
export async function tellOfSecondStep(
  statements: Statements,
  { user, what }: { user: UserRow; what: SecondStepNews },
  stationery: Stationery,
): Promise<void> {
  const letter = secondStepLetter(user.first_name, { what, product: stationery.product })
  await tellOfChange(statements, { user, letter }, stationery)
}

async function getOwnRecord({ db }: SecondStepDeps, caller: Person): Promise<UserRow> {
  const [row] = await db.systemQuery<UserRow>(`select ${userColumns} from users where user_id = $1`, [
    caller.userId,
  ])
  return row ?? refuse('not_found')
}

/** Each call makes a new secret. The sign-in asks for no code before one is confirmed. */
export async function startSecondStep(deps: SetUpDeps, caller: Person, password: string) {
  const user = await getOwnRecord(deps, caller)
  if (user.two_step_confirmed_at !== null) return refuse('two_step_on')
  await requirePassword(deps.db, user, password)
  const secret = newSecret()
  await deps.db.system(async (statements) => {
    const now = await lockOwnAccount(statements, caller, user)
    if (now.two_step_confirmed_at !== null) refuse('two_step_on')
    await statements.query(
      'update users set two_step_secret_sealed = $2, two_step_last_counter = null where user_id = $1',
      [user.user_id, deps.seal(Buffer.from(secret.bytes).toString('base64url'))],
    )
  })
  return {
    secret: secret.base32,
    otpauth_url: otpauthUrl(secret, { issuer: deps.stationery.product, account: user.email }),
  }
}

/** Ends the sessions opened with the password alone, except the one that shows the code. */
export async function confirmSecondStep(deps: SetUpDeps, caller: Person, code: string): Promise<string[]> {
  const { two_step_confirmed_at } = await getOwnRecord(deps, caller)
  if (two_step_confirmed_at !== null) return refuse('two_step_on')
  const { userId } = caller
  return withSecondStep(deps.db, { userId, code, from: inSession }, async (statements) => {
    const user = await lockOwnAccount(statements, caller)
    if (user.two_step_confirmed_at !== null) return refuse('two_step_on')
    if (!(await takeAppCode(statements, { open: deps.open, userId, code }))) return wrongCode()
    await statements.query('update users set two_step_confirmed_at = now() where user_id = $1', [userId])
    await endOtherSessions(statements, caller)
    await tellOfSecondStep(statements, { user, what: 'on' }, deps.stationery)
    return replaceRecoveryCodes(statements, userId)
  })
}

export interface Proof {
  readonly password: string
  readonly code: string
}

/** Runs `change` in the transaction that takes the code, if the checked password is still the stored one. */
async function withBoth<T>(
  deps: SetUpDeps,
  { caller, proof: { password, code } }: { caller: Person; proof: Proof },
  change: (statements: Statements, user: UserRow) => Promise<T>,
): Promise<T> {
  const checked = await getOwnRecord(deps, caller)
  if (checked.two_step_confirmed_at === null) return refuse('two_step_off')
  await requirePassword(deps.db, checked, password)
  const { userId } = caller
  return withSecondStep(deps.db, { userId, code, from: inSession }, async (statements) => {
    const user = await lockOwnAccount(statements, caller, checked)
    if (user.two_step_confirmed_at === null) return refuse('two_step_off')
    if (!(await takeCode(statements, { open: deps.open, userId, code }))) return wrongCode()
    return change(statements, user)
  })
}

export async function renewRecoveryCodes(deps: SetUpDeps, caller: Person, proof: Proof): Promise<string[]> {
  return withBoth(deps, { caller, proof }, async (statements, user) => {
    await tellOfSecondStep(statements, { user, what: 'codes' }, deps.stationery)
    return replaceRecoveryCodes(statements, caller.userId)
  })
}

export async function disableSecondStep(deps: SetUpDeps, caller: Person, proof: Proof): Promise<void> {
  const { db } = deps
  await refuseWhileRequired({ query: db.systemQuery }, caller)
  await withBoth(deps, { caller, proof }, async (statements, user) => {
    // Checked again: an owner may have required it meanwhile, under the same lock.
    await refuseWhileRequired(statements, caller)
    await clearSecondStep(statements, caller.userId)
    await tellOfSecondStep(statements, { user, what: 'off' }, deps.stationery)
  })
}

async function refuseWhileRequired(statements: Pick<Statements, 'query'>, caller: Person): Promise<void> {
  const { is_required } = await getSecondStep(statements, caller)
  if (is_required) refuse('two_step_required')
}

export async function getSecondStep({ query }: Pick<Statements, 'query'>, caller: Person) {
  const [row] = await query<{ is_on: boolean; is_required: boolean; codes: number }>(
    `select u.two_step_confirmed_at is not null as is_on, coalesce(m.two_step_required, false) as is_required,
       (select count(*)::int from recovery_codes c where c.user_id = u.user_id and c.used_at is null) as codes
     from users u left join merchants m using (merchant_id) where u.user_id = $1`,
    [caller.userId],
  )
  if (row === undefined) return refuse('not_found')
  return { is_on: row.is_on, is_required: row.is_required, recovery_codes_left: row.codes }
}
