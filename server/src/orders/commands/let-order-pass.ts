import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import { getDutyBook } from '#duties/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { answerFor, carriedDuties, requireAgainst, withoutQuestion } from '../document/order-duties.ts'
import type { MerchantStep } from '../document/merchant-step.ts'
import { lockOrder } from '../document/lock-order.ts'
import { requireSeen, writeChange } from '../document/move-order.ts'
import type { StoredOrder } from '../document/stored-order.ts'

/** An owner answers for one order, with a reason that its history keeps. */
export async function letOrderPass(
  statements: Statements,
  { actor, seenVersion, ...key }: MerchantStep,
  { rule, reason }: { rule: string; reason: string },
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion, alsoAfter: ['correct_address', 'keep_held'] })
  const { order } = locked
  const nowMs = statements.clock.nowMs()
  const missing = order.duties?.missing?.find((duty) => duty.rule === rule)
  if (missing !== undefined) {
    const rest = order.duties?.missing?.filter((duty) => duty !== missing) ?? []
    const { missing: _, ...others } = { block: [], must: [], ...order.duties }
    // Nothing was said of the ID check yet, and the courier's proof still says it.
    const isOfHourAlone = missing.kind === 'hours' && rest.length === 0
    return write(isOfHourAlone ? others : { ...others, missing: rest }, missing.words)
  }
  if (isFinishedForMerchant(order.status)) refuse('order_finished')
  const book = await getDutyBook(statements, key.merchantId)
  const blocked = requireAgainst(order, { book, nowMs }, rule)
  const passed = {
    ...withoutQuestion(order.duties, rule),
    set_aside: [...new Set([...(order.duties?.set_aside ?? []), rule])],
  }
  const answer = answerFor({ ...order, duties: passed }, { book, nowMs })
  return write(carriedDuties(answer, passed), blocked.words)

  function write(duties: StoredOrder['duties'], words: string): Promise<string> {
    return writeChange(statements, key.merchantId, {
      locked,
      change: {
        action: 'pass_duty',
        actor,
        patch: duties === undefined ? {} : { duties },
        details: { rule, words, reason: reason.trim() },
      },
    })
  }
}
