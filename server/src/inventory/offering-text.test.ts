import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdRows } from '../../test/database/held-rows.ts'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { importInventory } from './public.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const list = async ({ key, member }: Shop, query: { 'filter[selling_with_thirstie]'?: 'true' } = {}) =>
  desk.call('GET /c/v2/merchants/{tmk}/offerings', { as: member, params: { tmk: key }, query })

test('an offering has the same text in both lists, byte for byte as JSON writes it', async () => {
  const csv = [
    'offering_id,price,quantity,product_id,product_name,brand,container_size,is_active,is_selling,stock_behavior,beverage_class,abv,volume_ml,gtin,location',
    'A-1,12.50,3,tp-1,"Red ""Les\tRonces"" \\ é 🍷\u2028\u0001\u007f",Tilvaux/"x",750 mL,yes,yes,,wine,13.5,750,036000291452,A-1',
    'A-2,$9,-2,tp-2,Cider,,,no,no,NextDay,,0,1000000,96385074,',
    'A-3,0.07,1,tp-3,,,750 mL,,,,,0.0001,0.5,4006381333931,"B, 2"',
    'A-4,1000000,123456789,,Orphan,Nobody,,,,,spirits,96.5,123456.7891,10036000291459,',
    'A-5,0,0,,,,,,,,,,,,',
  ].join('\n')
  expect((await importInventory(desk.app.db, { merchantKey: shop.key, csv })).problems).toEqual([])
  await desk.owner.query(
    `update offerings set down_at = '2026-03-04 05:06:07.08+00', down_by = 'Ana "A"', down_order_id = '71'
     where offering_id = 'A-1'`,
  )
  const name = 'Bar "é"\n'
  await desk.owner.query('update merchants set name = $2 where merchant_id = $1', [shop.key, name])
  const merchant = { name }
  const cider = {
    id: 'A-2',
    price: 9,
    quantity: -2,
    is_active: false,
    stock_behavior: 'NextDay',
    product: { tpk: 'tp-2', product_line: { name: 'Cider', brand: null }, container_size: null },
    merchant,
    abv: 0,
    volume_ml: 1_000_000,
    gtin: '96385074',
  }
  const orphan = {
    id: 'A-4',
    price: 1_000_000,
    quantity: 123_456_789,
    is_active: true,
    stock_behavior: null,
    product: null,
    merchant,
    beverage_class: 'spirits',
    abv: 96.5,
    volume_ml: 123_456.7891,
    gtin: '10036000291459',
  }
  const red = {
    id: 'A-1',
    price: 12.5,
    quantity: 3,
    is_active: false,
    stock_behavior: null,
    product: {
      tpk: 'tp-1',
      product_line: {
        name: 'Red "Les\tRonces" \\ é 🍷\u2028\u0001\u007f',
        brand: { name: 'Tilvaux/"x"' },
      },
      container_size: { formatted: '750 mL' },
    },
    merchant,
    beverage_class: 'wine',
    abv: 13.5,
    volume_ml: 750,
    gtin: '036000291452',
    location: 'A-1',
    taken_down: { at: '2026-03-04T05:06:07.080Z', by: 'Ana "A"', order_id: '71' },
  }
  const nameless = {
    id: 'A-3',
    price: 0.07,
    quantity: 1,
    is_active: true,
    stock_behavior: null,
    product: { tpk: 'tp-3', product_line: null, container_size: { formatted: '750 mL' } },
    merchant,
    abv: 0.0001,
    volume_ml: 0.5,
    gtin: '4006381333931',
    location: 'B, 2',
  }
  const bare = {
    id: 'A-5',
    price: 0,
    quantity: 0,
    is_active: true,
    stock_behavior: null,
    product: null,
    merchant,
  }
  const items = [cider, orphan, red, nameless, bare]
  expect((await list(shop)).text).toBe(JSON.stringify({ items, total_rows: 5 }))
  const page = await desk.call('GET /c/v2/offerings', { as: shop.member, query: { limit: 100 } })
  expect(page.text).toBe(JSON.stringify({ items, total_rows: 5, prev_url: null, next_url: null }))
  const sold = await list(shop, { 'filter[selling_with_thirstie]': 'true' })
  expect(sold.text).toBe(JSON.stringify({ items: items.slice(1), total_rows: 4 }))
})

test('a merchant without a stock list has an empty one', async () => {
  const fresh = await desk.openShop()
  expect((await list(fresh)).text).toBe('{"items":[],"total_rows":0}')
})

test("of one merchant's whole stock lists the database writes one at a time, and others wait for none of them", async () => {
  const busy = await desk.openShop()
  const calm = await desk.openShop()
  const held = await holdRows(desk, 'select 1')
  await held.query('lock table offerings in access exclusive mode')
  const crowd = Array.from({ length: 10 }, async () => list(busy))
  await held.waiting(1)
  const orders = async ({ key, member }: Shop) =>
    desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', { as: member, params: { tmk: key } })
  // By then any further one of the crowd would wait for the table too.
  for (let asked = 0; asked < 20; asked++) {
    expect((await orders(calm)).status).toBe(200)
    expect((await orders(busy)).status).toBe(200)
  }
  const { rows } = await desk.owner.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  expect(rows.length).toBe(1)
  await held.release()
  expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(
    Array.from({ length: 10 }, () => 200),
  )
})
