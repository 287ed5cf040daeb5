import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { dutiesAt } from '../../test/duties-desk.ts'
import { orderIn } from '../../test/order-steps.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())
const { decide, read } = dutiesAt(() => desk)

const packageNumber = '9400 1000 0000 0000 0000 00'
const words = 'Not by USPS, which takes no alcohol.'
const typed = (name: string, number: string) => ({
  tracking_provider: 'OTHER',
  other_tracking_provider: name,
  tracking_url: 'https://example.com/parcel',
  tracking_id: number,
})

async function ship(shop: Shop, tracking: object) {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const answer = await desk.call('PUT /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: order.id },
    body: { status: 'MERCHANT_SHIPPED', order: tracking },
  })
  return { order, answer }
}

test('a parcel that goes by USPS is refused like a label, under whatever carrier its number is typed', async () => {
  const shop = await desk.openShop()
  const before = await ship(shop, typed('Local van', packageNumber))
  expect(before.answer.status).toBe(200)
  await decide(shop, 'US-USPS')
  const byNumber = `${words} 9400100000000000000000 is a parcel of USPS.`
  for (const [tracking, errors] of [
    [typed('Local van', packageNumber), { tracking_id: byNumber }],
    [{ tracking_provider: 'FedEx', tracking_id: packageNumber }, { tracking_id: byNumber }],
    [typed('USPS', 'A-1'), { tracking_provider: words }],
    [typed('U.S. Postal Service', 'A-1'), { tracking_id: `${words} A-1 is a parcel of USPS.` }],
  ] as const) {
    const { order, answer } = await ship(shop, tracking)
    expect([answer.status, answer.refusal.code, answer.refusal.errors]).toEqual([
      409,
      'service_forbidden',
      errors,
    ])
    expect((await read(shop, order.id)).status).toBe('MERCHANT_ACCEPTED')
  }
  const fine = await ship(shop, typed('Local van', 'A-1'))
  expect(fine.answer.status).toBe(200)

  const correct = async (number: string) =>
    desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/tracking', {
      as: shop.member,
      params: { tmk: shop.key, id: fine.order.id },
      body: typed('Local van', number),
    })
  const corrected = await correct(packageNumber)
  expect([corrected.status, corrected.refusal.code]).toEqual([409, 'service_forbidden'])
  expect((await read(shop, fine.order.id)).tracking_id).toBe('A-1')
  expect((await correct('A-2')).status).toBe(200)
})
