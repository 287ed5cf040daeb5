import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdRows } from '../../../test/database/held-rows.ts'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import { signEvent } from './tracker-events.ts'

let desk: Desk
beforeAll(async () => {
  // The sandbox's own clock moves no parcel.
  desk = await openDesk({ SANDBOX_STEP_SECONDS: '86400' })
})
afterAll(async () => desk.stop())

async function shippedBy(shop: Shop): Promise<{ orderId: string; code: string }> {
  await connectCarrier(desk, shop)
  const { id } = await orderIn(desk, shop, { status: 'PAYMENT_APPROVED' })
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { order_id: id, boxes: [{ weight: 4 }] },
  })
  return { orderId: id, code: body.data[0]?.tracking_code ?? '' }
}

let events = 0
async function tell(code: string): Promise<number> {
  const tracking = { tracking_code: code, status: 'in_transit', tracking_details: [] }
  const text = JSON.stringify({ id: `evt_${++events}`, description: 'tracker.updated', result: tracking })
  const secret = createHmac('sha256', desk.config.sealingKeys[0]).update('sandbox carrier').digest('hex')
  const headers = { 'x-hmac-signature': signEvent(secret, text) }
  return (await desk.send('POST', '/providers/v1/shipping/events', { body: text, headers })).status
}

test('while twenty events of the carrier wait for one shop’s order, an event of another shop’s parcel is taken', async () => {
  const [busy, calm] = [await shippedBy(await desk.openShop()), await shippedBy(await desk.openShop())]
  const held = await holdRows(desk, 'select from orders where order_id = $1 for update', [busy.orderId])
  let ended = 0
  const stuck = Array.from({ length: 20 }, () => tell(busy.code).finally(() => ended++))
  try {
    await held.waiting(1)
    expect([await tell(calm.code), ended]).toEqual([200, 0])
  } finally {
    await held.release()
    await Promise.all(stuck)
  }
})
