import { isWhollyBack } from '@cellarhand/contract/came-back'
import { deliveryMethods, isLocal } from '@cellarhand/contract/order-statuses'
import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import type { Actor } from '../document/write-order.ts'
import { lockOrder } from '../document/lock-order.ts'
import { moveOrder } from '../document/move-order.ts'

const daysOnTheRoad = 14
const dayMs = 86_400_000
const batchSize = 200
const clock: Actor = { kind: 'system', id: null, name: 'Cellarhand' }

/**
 * Closes parcel orders that were shipped 14 days ago and never reported as delivered (T23). Each gets its own
 * transaction through the lifecycle table, so another process, or the carrier's late report, may come first.
 */
export async function closeShippedOrders(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const local = deliveryMethods.filter(isLocal)
  let closed = 0
  for (let found = batchSize; found === batchSize && !isStopping();) {
    const due = await db.systemQuery<{ merchant_id: string; order_id: string }>(
      `select merchant_id, order_id from orders
       where status = 'MERCHANT_SHIPPED' and shipped_at <= now() - make_interval(days => ${daysOnTheRoad})
         and delivery_method <> all ($1) and ${isOpen('merchant_id')}
         -- What is back in the shop was not delivered.
         and coalesce(document #>> '{came_back,bottles}' <> document #>> '{came_back,of}', true)
       order by shipped_at limit ${batchSize}`,
      [local],
    )
    const before = closed
    for (const { merchant_id: merchantId, order_id: orderId } of due) {
      if (isStopping()) break
      if (await close(db, { merchantId, orderId })) closed++
    }
    // When none of them could be closed, another look would find the same ones.
    found = closed === before ? 0 : due.length
  }
  return closed
}

async function close(db: Database, key: { merchantId: string; orderId: string }): Promise<boolean> {
  try {
    return await db.write(key.merchantId, async (statements) => {
      const { order, shippedAt } = await lockOrder(statements, key)
      // Since it was found, its bottles may have come back, or left again.
      const isYoung = (shippedAt?.getTime() ?? 0) > statements.clock.nowMs() - daysOnTheRoad * dayMs
      if (isYoung || isWhollyBack(order)) return false
      await moveOrder(statements, { ...key, actor: clock, action: 'carrier_deliver' }, () => ({
        comment: `Closed by itself, ${daysOnTheRoad} days after it was shipped.`,
      }))
      return true
    })
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
