import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import { getDutyBook } from '#duties/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { answerFor, carriedDuties } from '../document/order-duties.ts'
import type { MerchantStep } from '../document/merchant-step.ts'
import { lockOrder, requireSeen, writeChange } from '../document/move-order.ts'
import type { StoredOrder } from '../document/stored-order.ts'

/** An owner answers for one order, with a reason that its history keeps. */
export async function letOrderPass(
  statements: Statements,
  { actor, seenVersion, ...key }: MerchantStep,
  { rule, reason }: { rule: string; reason: string },
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, { locked, seenVersion, alsoAfter: ['correct_address'] })
  const { order } = locked
  const nowMs = statements.clock.nowMs()
  const missing = order.duties?.missing?.find((duty) => duty.rule === rule)
  if (missing !== undefined) {
    const rest = order.duties?.missing?.filter((duty) => duty !== missing) ?? []
    return write({ block: [], must: [], ...order.duties, missing: rest }, missing.words)
  }
  if (isFinishedForMerchant(order.status)) refuse('order_finished')
  const book = await getDutyBook(statements, key.merchantId)
  const { block, tell } = answerFor(order, { book, nowMs, handOverMs: nowMs })
  // A hand-over within the hours may be recorded later, when they stand against nothing.
  const hours = tell.filter(({ kind, confirmed_by: by }) => kind === 'hours' && by !== null)
  const blocked = [...block, ...hours].find((duty) => duty.rule === rule)
  if (blocked === undefined)
    return refuse('validation_failed', { errors: { rule: 'This rule does not stand against the order' } })
  const passed = {
    block: [],
    must: [],
    ...order.duties,
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
