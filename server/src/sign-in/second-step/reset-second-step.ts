import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { endSessionsOf } from '../users/end-sessions.ts'
import { emailKey, userColumns, type UserRow } from '../users/user-record.ts'
import { clearSecondStep } from './second-step.ts'
import { tellOfSecondStep } from './set-up-second-step.ts'

/** For a person who has lost the phone and the recovery codes. The operator has checked the person's identity. */
export async function resetSecondStep(db: Database, email: string, stationery: Stationery): Promise<void> {
  await db.system(async (statements) => {
    const [row] = await statements.query<UserRow>(
      `select ${userColumns} from users where email_key = $1 for no key update`,
      [emailKey(email)],
    )
    if (row === undefined)
      return refuse('validation_failed', { errors: { email: `There is no user with the e-mail ${email}` } })
    await clearSecondStep(statements, row.user_id)
    await endSessionsOf(statements, row.user_id)
    if (row.two_step_confirmed_at !== null)
      await tellOfSecondStep(statements, { user: row, what: 'off' }, stationery)
  })
}
