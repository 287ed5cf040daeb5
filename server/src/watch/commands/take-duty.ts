import { messages } from '@cellarhand/contract/messages'
import { isValidUsPhone } from '@cellarhand/contract/phone'
import type { DutyWish } from '@cellarhand/contract/watch'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { getOnDuty, storedTelling } from '../reads.ts'

/** Makes the caller the person on duty, and never anybody else. A case that is under way goes on. */
export async function takeDuty(
  statements: Statements,
  caller: Pick<Staff, 'merchantId' | 'userId'>,
  { by, phone }: DutyWish,
) {
  refuseInvalid({
    phone: by === 'text' && !isValidUsPhone(phone ?? '') ? messages.invalidPhone : undefined,
  })
  const { merchantId, userId } = caller
  const taken = await statements.query(
    'update watches set duty = $2 where merchant_id = $1 and is_on returning 1',
    [merchantId, storedTelling({ user_id: userId, by, phone })],
  )
  if (taken.length === 0) refuse('watch_off')
  return getOnDuty(statements, caller)
}
