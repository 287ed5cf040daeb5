import { lockOrders } from '../document/lock-order.ts'
import { requireTransition, writeChanges, type LockedChange } from '../document/move-order.ts'
import { getDutyBook } from '#duties/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { refusals } from '@cellarhand/contract/refusals'
import type { Actor } from '../document/write-order.ts'

interface Acceptance {
  readonly merchantId: string
  readonly actor: Actor
}

interface BulkAnswer {
  readonly order_accepted_count: number
  readonly order_rejected_count: number
  readonly rejected: { readonly id: string; readonly message: string }[]
}

/**
 * Accepts every order that can be accepted, and gives the reason for the rest. It locks all of them before it changes
 * the first, so that a parallel change comes either before or after, without a deadlock.
 */
export async function acceptOrders(
  statements: Statements,
  { merchantId, actor }: Acceptance,
  orderIds: readonly string[],
): Promise<BulkAnswer> {
  const ids = [...new Set(orderIds)]
  const locked = await lockOrders(statements, merchantId, ids)
  const book = await getDutyBook(statements, merchantId)
  const rejected: { id: string; message: string }[] = []
  const accepted: LockedChange[] = []
  for (const id of ids) {
    const order = locked.get(id)
    if (order === undefined) {
      rejected.push({ id, message: refusals.not_found.message })
      continue
    }
    try {
      const transition = await requireTransition(statements, merchantId, {
        locked: order,
        action: 'accept',
        book,
      })
      accepted.push({ locked: order, change: { action: 'accept', actor, transition } })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      rejected.push({ id, message: error.message })
    }
  }
  await writeChanges(statements, merchantId, accepted)
  return {
    order_accepted_count: accepted.length,
    order_rejected_count: rejected.length,
    rejected,
  }
}
