import { bottlesAway, bottlesOf } from '@cellarhand/contract/came-back'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import type { MerchantStep } from '../document/merchant-step.ts'
import { lockOrder, type LockedOrder } from '../document/lock-order.ts'
import { requireSeen, standing, writeChange } from '../document/move-order.ts'
import { latestDecision } from '../document/reads.ts'

/**
 * Notes that bottles of an order are in the shop again. The documents let nobody but the marketplace move a finished
 * order, so no status changes: the order and its history have the fact, and the marketplace hears it. The stock
 * list stays as it is, because a person has to look at the bottles before they are sold again.
 */
export async function takeBottlesBack(
  statements: Statements,
  step: MerchantStep,
  { bottles }: { readonly bottles: number },
): Promise<string> {
  const { merchantId, orderId, actor, seenVersion } = step
  const locked = await lockOrder(statements, step)
  await requireSeen(statements, step, { locked, seenVersion, alsoAfter: ['came_back', 'not_back'] })
  const { order } = locked
  const moves = await statements.query<{ from: string | null; to: string }>(
    `select from_status as "from", to_status as "to" from order_history where merchant_id = $1 and order_id = $2`,
    [merchantId, orderId],
  )
  const away = bottlesAway(order, moves)
  if (away === 0) return refuseAs(statements, step, { locked, message: 'No bottles of this order are away.' })
  refuseInvalid({ bottles: bottles > away ? `Only ${away} of this order can come back` : undefined })
  const came_back = {
    bottles: (order.came_back?.bottles ?? 0) + bottles,
    of: bottlesOf(order),
    at: new Date(statements.clock.nowMs()).toISOString(),
  }
  return writeChange(statements, merchantId, {
    locked,
    change: { action: 'came_back', actor, patch: { came_back }, details: { bottles, of: came_back.of } },
  })
}

/** The note was a mistake: the bottles are where they were. */
export async function undoCameBack(statements: Statements, step: MerchantStep): Promise<string> {
  const { merchantId, actor, seenVersion } = step
  const locked = await lockOrder(statements, step)
  await requireSeen(statements, step, { locked, seenVersion, alsoAfter: ['came_back', 'not_back'] })
  if (locked.order.came_back === undefined)
    return refuseAs(statements, step, {
      locked,
      message: 'No bottles of this order are noted as back, so there is nothing to undo.',
    })
  return writeChange(statements, merchantId, {
    locked,
    change: { action: 'not_back', actor, without: 'came_back' },
  })
}

interface Unfit {
  readonly locked: LockedOrder
  readonly message: string
}

async function refuseAs(
  statements: Statements,
  step: MerchantStep,
  { locked, message }: Unfit,
): Promise<never> {
  const latest = await latestDecision(statements, step)
  return refuse('invalid_transition', {
    message,
    body: standing(locked, latest, statements.clock.nowMs()),
  })
}
