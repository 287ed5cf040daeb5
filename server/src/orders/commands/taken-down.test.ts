import { outOfStockLabels } from '@cellarhand/contract/decisions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { anItem } from '../../../test/orders.ts'
import { importInventory } from '#inventory/public.ts'

let desk: Desk
let shop: Shop

const csv = 'offering_id,price,quantity,merchant_sku\no-gin,20,4,G-1\no-rye,20,4,R-1\n'
const gone = outOfStockLabels.not_available
const soon = 'within 48 hrs'

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

async function open() {
  shop = await desk.openShop()
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  return desk.order(shop, {
    items: [
      line('gin', { id: 'o-gin', merchant_sku: null }),
      // The marketplace names another offering, and the shop's own number.
      line('rye', { id: 'o-elsewhere', merchant_sku: 'R-1' }),
    ],
  })
}

const line = (name: string, offering: { id: string; merchant_sku: string | null }) =>
  anItem({
    id: `line-${name}`,
    name,
    product: { id: `p-${name}` },
    quantity: 6,
    price: 10,
    subtotal: 60,
    offering,
  })

async function report(id: string, entries: Record<string, object>) {
  const outOfStock = Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [`p-${name}`, { checked: true, ...entry }]),
  )
  const { status } = await desk.call('PUT /m/v2/orders/{id}', {
    as: shop.member,
    params: { id },
    body: { status: 'REJECTED_PARTIAL', order: { rejection_message: JSON.stringify({ outOfStock }) } },
  })
  expect(status).toBe(200)
}

async function offerings(isActive?: 'true' | 'false') {
  const { body } = await desk.call('GET /c/v2/offerings', {
    as: shop.member,
    query: isActive ? { 'filter[is_active]': isActive } : {},
  })
  return body.items
}
const inactive = async () => (await offerings('false')).map(({ id }) => id)

test('a line that cannot be had takes its offering down, and says for which order and by whom', async () => {
  const { id } = await open()
  await report(id, { gin: { reason: gone } })
  const [gin, rye] = await offerings()
  expect(gin).toMatchObject({
    id: 'o-gin',
    is_active: false,
    taken_down: { order_id: id, by: expect.stringContaining('user') },
  })
  expect([rye?.is_active, rye && 'taken_down' in rye]).toEqual([true, false])
  expect([await inactive(), (await offerings('true')).length]).toEqual([['o-gin'], 1])
  await report(id, { rye: { reason: gone } })
  expect(await inactive()).toEqual(['o-gin', 'o-rye'])
})

test('a part of a line takes the offering down too, one that comes soon does not, also when more of it is missing', async () => {
  const { id } = await open()
  await report(id, { gin: { reason: gone, quantity: 4 }, rye: { reason: soon } })
  expect(await inactive()).toEqual(['o-gin'])
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  expect(await inactive()).toEqual([])
  await report(id, { gin: { reason: gone, quantity: 2 } })
  expect(await inactive()).toEqual(['o-gin'])
})

test('the next stock list that has it decides again, and an old report sent once more does not', async () => {
  const { id } = await open()
  await report(id, { gin: { reason: gone } })
  await importInventory(desk.app.db, {
    merchantKey: shop.key,
    csv: 'offering_id,price,quantity\no-rye,20,4\n',
  })
  expect(await inactive()).toEqual(['o-gin'])
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  expect(await inactive()).toEqual([])
  await report(id, { gin: { reason: gone }, rye: { reason: soon } })
  expect(await inactive()).toEqual([])
})

test('the offering of another merchant stays', async () => {
  const other = await desk.openShop()
  await importInventory(desk.app.db, { merchantKey: other.key, csv })
  const { id } = await open()
  await report(id, { gin: { reason: gone } })
  shop = other
  expect(await inactive()).toEqual([])
})
