import { afterAll, beforeAll, expect, test } from 'vitest'
import { importInventory } from '#inventory/public.ts'
import { correctedOrder } from '../../seed/corrected-order.ts'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { counterOf } from '../../test/order-steps.ts'
import { anItem } from '../../test/orders.ts'
import { askingOf, holdGin, stockGin } from '../../test/substitutes.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  await stockGin(desk, shop)
})
afterAll(async () => desk.stop())

/** Six gins, two of them missing, among so many lines. */
async function heldAmong(lines: number) {
  const gin = { id: 'gin', name: 'Gin', product: { id: 'p-gin' }, offering: { id: 'o-gin' } }
  const items = [
    anItem({ ...gin, quantity: 6, price: 10, subtotal: 60 }),
    ...Array.from({ length: lines - 1 }, (_, at) => anItem({ id: `rye-${at}`, product: { id: `p-${at}` } })),
  ]
  const subtotal = 60 + 52 * (lines - 1)
  return holdGin(desk, shop, { items, transaction: { subtotal, tax: 1, total: subtotal + 1 } })
}

test('a customer is asked only about an order that the marketplace can resume with as many lines as it has then', async () => {
  const full = askingOf(desk, shop, await heldAmong(200))
  const refused = await full.offer({ offerings: ['same', 'dear'] })
  const why =
    'The marketplace could not take the order with this bottle (items: Must have at most 200 entries). Offer another one, or ask the customer by phone.'
  expect([refused.status, refused.refusal.errors]).toEqual([400, { 'offerings.0': why, 'offerings.1': why }])
  expect(await full.path()).toBe('/')

  const held = await heldAmong(199)
  const asking = askingOf(desk, shop, held)
  expect((await asking.offer()).status).toBe(200)
  await eventually(async () => expect(await asking.path()).not.toBe('/'))
  await asking.answer(await asking.path(), 'dear')
  const at = counterOf(desk, { key: shop.key, as: shop.member }, held.order)
  const resumed = await at.tell(correctedOrder(await asking.asMarketplace()))
  expect([resumed.status, resumed.body.items.length]).toEqual([200, 200])
})

test('the lines that the answer to another open question adds count too', async () => {
  const outOfStock = { 'p-0': { checked: true, reason: '', quantity: 1 } }
  const items = [
    anItem({ id: 'gin', name: 'Gin', product: { id: 'p-gin' }, quantity: 6, price: 10, subtotal: 60 }),
    ...Array.from({ length: 198 }, (_, at) =>
      anItem({ id: `rye-${at}`, product: { id: `p-${at}` }, quantity: 2, subtotal: 104 }),
    ),
  ]
  const subtotal = 60 + 104 * 198
  const held = await holdGin(desk, shop, { items, transaction: { subtotal, tax: 1, total: subtotal + 1 } })
  await counterOf(desk, { key: shop.key, as: shop.member }, held.order).update({
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: JSON.stringify({ outOfStock }) },
  })
  const { offer } = askingOf(desk, shop, held)
  expect((await offer({ offerings: ['same'] })).status).toBe(200)
  const second = await offer({ line_id: 'rye-0', offerings: ['cheap'] })
  expect([second.status, Object.keys(second.refusal.errors)]).toEqual([400, ['offerings.0']])
})

test('a bottle of the stock list whose texts are longer than those of an order’s line is not offered', async () => {
  const size = '750 mL with two glasses in a wooden gift box'
  const csv = `offering_id,price,quantity,product_id,product_name,container_size\nboxed,9,9,p-boxed,Boxed Gin,${size}\n`
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  const asking = askingOf(desk, shop, await holdGin(desk, shop))
  const refused = await asking.offer({ offerings: ['same', 'boxed'] })
  expect([refused.status, refused.refusal.errors]).toEqual([
    400,
    { 'offerings.1': expect.stringContaining('container_size: Must have at most 40 characters') },
  ])
})
