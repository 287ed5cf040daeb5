import { expect, test } from 'vitest'
import { eventually } from '../test/eventually.ts'
import { holdRows } from '../test/database/held-rows.ts'
import { openKillableDesk } from '../test/processes/killable-desk.ts'

test('a stopping server ends at once at a second SIGTERM, whatever is under way', async () => {
  const desk = await openKillableDesk({})
  const shop = await desk.openShop()
  const order = await desk.order(shop)
  const held = await holdRows(desk, 'select 1 from orders where order_id = $1 for update', [order.id])
  const answer = desk
    .call('PUT /m/v2/orders/{id}', {
      as: shop.member,
      params: { id: order.id },
      body: { status: 'MERCHANT_ACCEPTED' },
    })
    .catch((error: unknown) => error)
  await held.waiting(1)
  // A server that waits for the request would end with 0 instead, after its statement has timed out.
  await eventually(() => expect(desk.signal('SIGTERM')).not.toBeNull(), 200)
  expect(desk.signal('SIGTERM')).toBe(1)
  expect(await answer).toBeInstanceOf(Error)
  await held.release()
  await desk.stop()
})
