import { messages } from '@cellarhand/contract/messages'
import { refusals } from '@cellarhand/contract/refusals'
import type { User } from '@cellarhand/contract/sign-in'
import { email, firstProblem, phone, required } from '@cellarhand/contract/validation'
import { type Statements } from '#platform/db/database.ts'
import { isDuplicateKey } from '#platform/db/database-errors.ts'
import type { Person } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { addressBudget } from '../limits/address-budget.ts'
import { limitsOfEmailChange } from '../limits/email-change-limit.ts'
import { withinLimits } from '../limits/within-limits.ts'
import {
  inSession,
  takeCode,
  withSecondStep,
  wrongCode,
  type SecondStepDeps,
} from '../second-step/second-step.ts'
import { askerOf, requirePassword, wrongPassword } from '../users/current-password.ts'
import { lockOwnAccount } from '../users/locked-user.ts'
import { newPassword } from '../users/common-passwords.ts'
import { changedLetter } from '../users/letters.ts'
import { hashPassword } from '../users/passwords.ts'
import { endMailedLinks, endSessionsOf } from '../users/end-sessions.ts'
import { tellOfChange } from '../users/tell-of-change.ts'
import { emailKey, toUser, userColumns, type UserRow } from '../users/user-record.ts'

export interface ProfileChanges {
  readonly first_name?: string
  readonly last_name?: string
  readonly email?: string
  readonly phone_number?: string | null
  readonly password?: string
  readonly new_password?: string
  /** The second step of those who use one. */
  readonly code?: string
}

function problemsOf(changes: ProfileChanges): Record<string, string | undefined> {
  const given = (value: string | undefined, field: string) =>
    value === undefined ? undefined : firstProblem(value, [required(field)])
  return {
    first_name: given(changes.first_name, 'first_name'),
    last_name: given(changes.last_name, 'last_name'),
    email:
      changes.email === undefined
        ? undefined
        : firstProblem(changes.email.trim(), [required('email'), email]),
    phone_number: phone(changes.phone_number ?? ''),
    new_password: changes.new_password === undefined ? undefined : newPassword(changes.new_password),
  }
}

/** Forms send what was not filled in as empty text; a first name or an e-mail cannot be emptied (PROF-002, PROF-008). */
function withoutEmpty(changes: ProfileChanges): ProfileChanges {
  const { last_name, phone_number, password: current, new_password, code, ...rest } = changes
  return {
    ...rest,
    ...(last_name ? { last_name } : {}),
    ...(phone_number === undefined || phone_number === '' ? {} : { phone_number }),
    ...(current ? { password: current } : {}),
    ...(new_password ? { new_password } : {}),
    ...(code?.trim() ? { code } : {}),
  }
}

const codeMissing = { errors: { code: refusals.second_step_required.message } }

interface ProfileDeps extends SecondStepDeps {
  readonly stationery: Stationery
  /** The caller's. */
  readonly network: string
}

/**
 * A new password or e-mail needs the current password, and a code of those who sign in in two steps: the holder of a
 * stolen session and password must not take the account. A wrong one is a field error, never a 401 (GAP-40, GAP-160).
 */
export async function updateProfile(
  { db, open, stationery, network }: ProfileDeps,
  caller: Person,
  given: ProfileChanges,
): Promise<User> {
  const { userId } = caller
  const changes = withoutEmpty(given)
  refuseInvalid(problemsOf(changes))
  const [before] = await db.systemQuery<UserRow>(`select ${userColumns} from users where user_id = $1`, [
    userId,
  ])
  if (before === undefined) return refuse('not_found')
  const changesEmailOf = (user: UserRow) =>
    changes.email !== undefined && emailKey(changes.email) !== emailKey(user.email)
  const needsPassword = changes.new_password !== undefined || changesEmailOf(before)
  if (needsPassword) await requirePassword(db, before, changes.password)
  const { code = '' } = changes
  const needsCode = needsPassword && before.two_step_confirmed_at !== null
  if (needsCode && code === '') refuse('validation_failed', codeMissing)
  const passwordHash =
    changes.new_password === undefined ? null : await hashPassword(changes.new_password, askerOf(before))
  const save = async (statements: Statements): Promise<User> => {
    const now = await lockOwnAccount(statements, caller, needsPassword ? before : undefined)
    const changesEmail = changesEmailOf(now)
    if (changesEmail && !needsPassword) wrongPassword()
    if (needsPassword && now.two_step_confirmed_at !== null) {
      // The second step was turned on while the call was under way.
      if (!needsCode) refuse('validation_failed', codeMissing)
      if (!(await takeCode(statements, { open, userId, code }))) wrongCode()
    }
    const [row] = await statements.query<UserRow>(
      `update users set first_name = coalesce($2, first_name), last_name = coalesce($3, last_name), email = coalesce($4, email),
         email_key = coalesce($5, email_key), phone_number = case when $8 then null else coalesce($6, phone_number) end, password_hash = coalesce($7, password_hash),
         email_proven_at = case when $9 then null else email_proven_at end
       where user_id = $1 returning ${userColumns}`,
      [
        userId,
        changes.first_name?.trim() ?? null,
        changes.last_name?.trim() ?? null,
        changes.email?.trim() ?? null,
        changes.email === undefined ? null : emailKey(changes.email),
        changes.phone_number ?? null,
        passwordHash,
        changes.phone_number === null,
        changesEmail,
      ],
    )
    if (passwordHash !== null) await endSessionsOf(statements, userId)
    else if (changesEmail) await endMailedLinks(statements, userId)
    for (const what of [
      ...(changesEmail ? (['e-mail'] as const) : []),
      ...(passwordHash === null ? [] : (['password'] as const)),
    ]) {
      const letter = changedLetter(now.first_name, { what, product: stationery.product })
      await tellOfChange(statements, { user: now, letter, isFarewell: changesEmail }, stationery)
    }
    return row === undefined ? refuse('not_found') : toUser(row)
  }
  try {
    const limits =
      changes.email !== undefined && changesEmailOf(before)
        ? limitsOfEmailChange({ userId, email: changes.email, network })
        : []
    return await withinLimits(db, limits, () =>
      needsCode ? withSecondStep(db, { userId, code, from: inSession }, save) : db.system(save),
    )
  } catch (error) {
    if (isDuplicateKey(error))
      return (await addressBudget(db, { person: userId }).spend())
        ? refuse('email_exists', { errors: { email: messages.emailExists } })
        : refuse('too_many_requests', { retryAfterSeconds: 3_600 })
    throw error
  }
}
