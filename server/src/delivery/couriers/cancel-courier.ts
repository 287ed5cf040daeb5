import { hasLiveCourier } from '@cellarhand/contract/order-guards'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { leaseEnd, whileHolding } from '#platform/jobs/claim.ts'
import { getOrderText, lockOrder, requireTransition, writeChange, type MerchantStep } from '#orders/public.ts'
import { deliveries, keyOf, latestDelivery, type CourierDelivery } from './courier-news.ts'
import { CourierRefused, serviceOf, tooLate, type CourierServices } from './courier.ts'
import { refusalOf } from './request-courier.ts'

/** Cancels at the service first, and then in the order; a second press changes nothing. */
export async function cancelCourier(
  { db, services }: { db: Database; services: CourierServices },
  step: MerchantStep,
): Promise<string> {
  const delivery = await db.write(step.merchantId, (statements) => openCancel(statements, step))
  if (delivery === 'is cancelled already') return getOrderText(db.read, step.merchantId, step.orderId)
  try {
    const service = serviceOf(services, delivery)
    const held = new Set([delivery])
    const { stage } = await whileHolding(db, { table: deliveries, held }, () =>
      service.cancel(keyOf(delivery)),
    )
    // A service may take the request, and answer that the courier has left.
    if (stage === 'picked_up' || stage === 'delivered') throw new CourierRefused(tooLate[stage])
  } catch (error) {
    if (error instanceof CourierRefused) await forgetCancel(db, delivery)
    throw refusalOf(error)
  }
  const text = await db.write(step.merchantId, (statements) => settleCancel(statements, step, delivery))
  return text ?? getOrderText(db.read, step.merchantId, step.orderId)
}

async function openCancel(
  statements: Statements,
  step: MerchantStep,
): Promise<CourierDelivery | 'is cancelled already'> {
  const locked = await lockOrder(statements, step)
  if (locked.order.courier_info?.order_status === 'ORDER_CANCELLED') return 'is cancelled already'
  await requireTransition(statements, step.merchantId, { locked, action: 'cancel_courier' })
  const delivery = await latestDelivery(statements, step)
  if (delivery?.state !== 'live') {
    const message = 'This courier was not requested here. Please ask the marketplace to cancel it.'
    return refuse('courier_refused', { message, errors: [{ message }] })
  }
  // If this process dies, the background work keeps trying until the service has answered.
  await statements.query(
    `update courier_deliveries set cancel_asked_at = now(), due_at = ${leaseEnd}
     where merchant_id = $1 and order_id = $2 and attempt = $3`,
    [step.merchantId, step.orderId, delivery.attempt],
  )
  return delivery
}

async function forgetCancel(db: Database, delivery: CourierDelivery): Promise<void> {
  await db.write(delivery.merchant_id, (statements) =>
    statements.query(
      `update courier_deliveries set cancel_asked_at = null, due_at = now()
       where merchant_id = $1 and order_id = $2 and attempt = $3`,
      [delivery.merchant_id, delivery.order_id, delivery.attempt],
    ),
  )
}

async function settleCancel(
  statements: Statements,
  { actor, ...key }: MerchantStep,
  delivery: CourierDelivery,
): Promise<string | undefined> {
  const locked = await lockOrder(statements, key)
  await statements.query(
    `update courier_deliveries set state = 'over', stage = 'cancelled'
     where merchant_id = $1 and order_id = $2 and attempt = $3`,
    [key.merchantId, key.orderId, delivery.attempt],
  )
  const { courier_info } = locked.order
  // The service itself, or another clerk, was faster. Then the order may have its next courier already.
  const isOfOrder = (await latestDelivery(statements, key))?.attempt === delivery.attempt
  if (courier_info === null || !isOfOrder || !hasLiveCourier(locked.order)) return undefined
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      action: 'cancel_courier',
      actor,
      patch: { courier_info: { ...courier_info, order_status: 'ORDER_CANCELLED' } },
    },
  })
}
