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
async function tell(code: string, { status = 'in_transit', at = '' } = {}): Promise<number> {
  const tracking_details = at === '' ? [] : [{ datetime: at }]
  const tracking = { tracking_code: code, status, tracking_details }
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

test('the time of an earlier step outdates no news of a later one', async () => {
  const { orderId, code } = await shippedBy(await desk.openShop())
  const progress = async () => {
    const { rows } = await desk.owner.query<{ progress: string }>(
      'select progress from shipping_labels where order_id = $1',
      [orderId],
    )
    return rows[0]?.progress
  }
  await tell(code, { at: '2026-01-02T12:00:00Z' })
  // Without a time, and the clock of the courier's device is behind.
  await tell(code, { status: 'out_for_delivery' })
  await tell(code, { status: 'failure', at: '2026-01-02T11:00:00Z' })
  expect(await progress()).toBe('failed')
  await tell(code, { status: 'out_for_delivery', at: '2026-01-02T10:00:00Z' })
  expect(await progress()).toBe('failed')
})
