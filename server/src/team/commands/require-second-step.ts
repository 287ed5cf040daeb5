import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { setSecondStepRequired } from '#merchants/public.ts'
import { lockOwnAccount } from '#sign-in/public.ts'
import { owner } from '../colleague.ts'

interface Requirement {
  readonly is_required: boolean
}

/** The caller must have a second step already, so that at least one owner can still get in. */
export async function requireSecondStep(
  statements: Statements,
  caller: Staff,
  { is_required }: Requirement,
): Promise<Requirement> {
  const own = await lockOwnAccount(statements, caller)
  if (own.merchant_id !== caller.merchantId || !own.roles.includes(owner)) refuse('forbidden')
  if (is_required && own.two_step_confirmed_at === null) refuse('two_step_off')
  await setSecondStepRequired(statements, caller.merchantId, is_required)
  return { is_required }
}
