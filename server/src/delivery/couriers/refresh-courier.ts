import type { Order } from '@cellarhand/contract/orders'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { takeProviderShare } from '#platform/provider-share.ts'
import { getOrderText, lockOrder, requireTransition, type OrderKey } from '#orders/public.ts'
import { keyOf, latestDelivery, takeNews, type CourierDelivery } from './courier-news.ts'
import { serviceOf, type CourierNews, type CourierServices } from './courier.ts'
import { refusalOf } from './request-courier.ts'

/** Asks the service for the delivery's state. A courier that the marketplace sent is known only from its messages. */
export async function refreshCourier(
  { db, services }: { db: Database; services: CourierServices },
  { merchantId, orderId }: OrderKey,
): Promise<NonNullable<Order['courier_info']>> {
  const key = { merchantId, orderId }
  const delivery = await db.write(merchantId, async (statements) => {
    const locked = await lockOrder(statements, key)
    if (locked.order.courier_info === null)
      return refuse('not_found', { message: 'No courier was requested for this order.' })
    await requireTransition(statements, merchantId, { locked, action: 'refresh_courier' })
    return latestDelivery(statements, key)
  })
  if (delivery?.state === 'live') {
    await takeProviderShare(db, merchantId)
    const news = await look(services, delivery)
    if (news)
      await db.write(merchantId, (statements) => takeNews(statements, delivery, { news, isAsked: true }))
  }
  const order = JSON.parse(await getOrderText(db.read, merchantId, orderId)) as Order
  return order.courier_info ?? refuse('not_found')
}

async function look(services: CourierServices, delivery: CourierDelivery): Promise<CourierNews | undefined> {
  try {
    return await serviceOf(services, delivery).look(keyOf(delivery))
  } catch (error) {
    throw refusalOf(error)
  }
}
