import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'

/** Who requires it has it, so that a merchant is never without an owner who gets in. */
export async function requireSecondStep(db: Database, caller: Staff, isRequired: boolean): Promise<void> {
  await db.system(async ({ query }) => {
    const [own] = await query<{ is_on: boolean }>(
      'select two_step_confirmed_at is not null as is_on from users where user_id = $1 for update',
      [caller.userId],
    )
    if (isRequired && own?.is_on !== true) refuse('two_step_off')
    await query('update merchants set two_step_required = $2 where merchant_id = $1', [
      caller.merchantId,
      isRequired,
    ])
  })
}
