import type { Offering } from '@cellarhand/contract/inventory'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { importInventory } from './public.ts'

let desk: Desk
let shop: Shop
let other: Shop

const stock = [
  'offering_id,price,quantity,product_id,product_name,brand,container_size,is_active,is_selling,stock_behavior',
  'A-1,12.50,3,tp-1,"Red, ""Les Ronces""",Tilvaux,750 mL,yes,yes,',
  'A-2,$9,0,tp-2,Cider,Orchard,4 x 16 oz,no,no,NextDay',
  'A-3,1.99,1,tp-3,,,750 mL,,,',
  'A-4,1.99,1,tp-4,No size,,,,,',
  'A-5,0,-2,,,,,,,',
].join('\r\n')

beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
  await importInventory(desk.app.db, { merchantKey: shop.key, csv: stock })
  await importInventory(desk.app.db, {
    merchantKey: other.key,
    csv: 'offering_id,price,quantity\nA-1,99,1\nB-1,98,1',
  })
})
afterAll(() => desk.stop())

async function all(as: Shop, query: Record<string, string> = {}) {
  const answer = await desk.call('GET /c/v2/merchants/{tmk}/offerings', {
    as: as.member,
    params: { tmk: as.key },
    query,
  })
  expect(answer.status).toBe(200)
  return answer.body
}

async function page(query: Record<string, string | number>) {
  return desk.call('GET /c/v2/offerings', { as: shop.member, query })
}

const ids = (items: readonly Offering[]) => items.map(({ id }) => id).toSorted()

test('API-024 ENT-040 ENT-041 ENT-042 GAP-11 GAP-63 GAP-176 all offerings of the merchant come at once, including those with gaps', async () => {
  const { items, total_rows } = await all(shop)
  expect(total_rows).toBe(5)
  const byId = Object.fromEntries(items.map((item) => [item.id, item]))
  expect(byId['A-1']).toEqual({
    id: 'A-1',
    price: 12.5,
    quantity: 3,
    is_active: true,
    stock_behavior: null,
    product: {
      tpk: 'tp-1',
      product_line: { name: 'Red, "Les Ronces"', brand: { name: 'Tilvaux' } },
      container_size: { formatted: '750 mL' },
    },
    merchant: { name: `Shop ${shop.key}` },
  })
  expect(byId['A-2']).toMatchObject({ is_active: false, stock_behavior: 'NextDay', price: 9 })
  expect(byId['A-3']?.product).toEqual({
    tpk: 'tp-3',
    product_line: null,
    container_size: { formatted: '750 mL' },
  })
  expect(byId['A-4']?.product).toMatchObject({ product_line: { brand: null }, container_size: null })
  expect(byId['A-5']).toMatchObject({ product: null, quantity: -2 })
})

test('a stock list says what is in the bottles, and a bad fact is a bad line', async () => {
  const facts = await desk.openShop()
  const report = await importInventory(desk.app.db, {
    merchantKey: facts.key,
    csv: [
      'offering_id,price,quantity,beverage_class,abv,volume_ml',
      'F-1,1,1,Wine,13.5%,750',
      'F-2,1,1,,0,',
      'F-3,1,1,water,,',
      'F-4,1,1,beer,101,',
      'F-5,1,1,beer,five,',
      'F-6,1,1,beer,,0',
      'F-7,1,1,beer,,1000001',
      'F-8,1,1,beer,-1,',
    ].join('\n'),
  })
  expect(report).toEqual({
    created: 2,
    updated: 0,
    problems: [
      { line: 4, problem: 'beverage_class must be one of wine, beer, cider, spirits, other, none' },
      { line: 5, problem: 'abv must be per cent, from 0 to 100' },
      { line: 6, problem: 'abv must be per cent, from 0 to 100' },
      { line: 7, problem: 'volume_ml must be millilitres above 0' },
      { line: 8, problem: 'volume_ml must be millilitres above 0' },
      { line: 9, problem: 'abv must be per cent, from 0 to 100' },
    ],
  })
  const { items } = await all(facts)
  expect(items.find(({ id }) => id === 'F-1')).toMatchObject({
    beverage_class: 'wine',
    abv: 13.5,
    volume_ml: 750,
  })
  const sparse = items.find(({ id }) => id === 'F-2') ?? {}
  expect(sparse).toMatchObject({ abv: 0 })
  expect(Object.keys(sparse)).not.toContain('volume_ml')
  expect(Object.keys(sparse)).not.toContain('beverage_class')
})

test('INV-022 the selling filter leaves out offerings that are not sold', async () => {
  const { items } = await all(shop, { 'filter[selling_with_thirstie]': 'true' })
  expect(ids(items)).toEqual(['A-1', 'A-3', 'A-4', 'A-5'])
})

test('nobody sees the offerings of another merchant', async () => {
  expect(ids((await all(other)).items)).toEqual(['A-1', 'B-1'])
  const foreign = await desk.call('GET /c/v2/merchants/{tmk}/offerings', {
    as: shop.owner,
    params: { tmk: other.key },
  })
  expect(foreign.status).toBe(403)
  expect((await page({ 'filter[merchant]': other.key })).body.items).toEqual([])
  expect((await page({ 'filter[id]': 'B-1' })).body.items).toEqual([])
  expect((await page({ 'filter[merchant]': shop.key })).body.total_rows).toBe(5)
})

test('API-025 VIEW-019 ENT-043 GAP-58 offerings are found by id, product and flags', async () => {
  expect((await page({ 'filter[id]': 'A-2' })).body.items[0]?.stock_behavior).toBe('NextDay')
  expect(ids((await page({ 'filter[tpk]': 'tp-3' })).body.items)).toEqual(['A-3'])
  expect(ids((await page({ 'filter[is_active]': 'false' })).body.items)).toEqual(['A-2'])
  expect((await page({ 'filter[id]': "A-1' or 'a'='a" })).body.items).toEqual([])
})

test('an unknown filter or a bad limit is named and refused', async () => {
  const unknown = await page({ 'filter[color]': 'red' })
  expect(unknown.status).toBe(400)
  expect(Object.keys(unknown.refusal.errors)).toEqual(['filter[color]'])
  for (const query of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { 'filter[is_active]': 'maybe' }])
    expect((await page(query as never)).status).toBe(400)
})

test('GAP-176 pages lead to each other until there is none', async () => {
  const seen: string[] = []
  let next: string | null = '/c/v2/offerings?limit=2&filter%5Bmerchant%5D=' + shop.key
  let previous: string | null = null
  while (next !== null) {
    const answer: { body: unknown } = await desk.send('GET', next.replace(desk.url, ''), { as: shop.member })
    const body = answer.body as { items: Offering[]; next_url: string | null; prev_url: string | null }
    seen.push(...body.items.map(({ id }) => id))
    previous = body.prev_url
    next = body.next_url
  }
  expect(seen.toSorted()).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5'])
  expect(previous).toContain('offset=2')
})

test('a stock list is imported line by line: good lines are stored, bad ones are named, the rest stays', async () => {
  const fresh = await desk.openShop()
  const merchantKey = fresh.key
  const first = await importInventory(desk.app.db, {
    merchantKey,
    csv: 'offering_id,price,quantity\nX-1,5,1\nX-2,6,1',
  })
  expect(first).toEqual({ created: 2, updated: 0, problems: [] })
  const csv = [
    '\uFEFFOFFERING_ID,price,quantity,product_name,is_active',
    'X-2,7.25,4,"Two\nlines",no',
    'X-3,cheap,1,,',
    'X-4,1.005,1,,',
    'X-5,1,1.5,,',
    'X-2,8,1,,',
    'X-6,1,1,,perhaps',
    ',1,1,,',
    'X-7,1,1,a,yes,extra',
    'X-8,1000000.01,1,,',
  ].join('\n')
  const second = await importInventory(desk.app.db, { merchantKey, csv })
  expect(second).toMatchObject({ created: 0, updated: 1 })
  expect(second.problems.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
  const { items } = await all(fresh)
  expect(items.map(({ id, price }) => [id, price])).toEqual(
    expect.arrayContaining([
      ['X-1', 5],
      ['X-2', 7.25],
    ]),
  )
  expect(items).toHaveLength(2)
})

test('a file whose quote is not closed changes nothing, and says so', async () => {
  const fresh = await desk.openShop()
  const csv = 'offering_id,price,quantity,product_name\nX-1,5,1,Rye\nX-2,6,1,"Gin\nX-3,7,1,Rum\n'
  await expect(importInventory(desk.app.db, { merchantKey: fresh.key, csv })).rejects.toMatchObject({
    details: { errors: { file: expect.stringContaining('not closed') } },
  })
  expect((await all(fresh)).items).toEqual([])
})

test('an open quote that a later one closes does not swallow the lines between without a word', async () => {
  const fresh = await desk.openShop()
  const last = ['X-1,5,1,"Gin', 'X-2,6,1,Rum 12"', 'X-3,7,1,Rye']
  const middle = ['X-4,5,"Gin,1', 'X-5,6,Rum 12",1', 'X-6,7,Rye,1']
  for (const [columns, rows] of [
    ['quantity,product_name', last],
    ['product_name,quantity', middle],
  ] as const) {
    const csv = [`offering_id,price,${columns}`, ...rows].join('\n')
    const report = await importInventory(desk.app.db, { merchantKey: fresh.key, csv })
    expect(report.problems).toEqual([{ line: 2, problem: expect.stringContaining('quote') }])
  }
  expect(ids((await all(fresh)).items)).toEqual(['X-3', 'X-6'])
})

test.each(['$', '0x10', '1e3', '0b1', '.', '1,000'])('%s is no price', async (price) => {
  const fresh = await desk.openShop()
  const csv = `offering_id,price,quantity\nX-1,"${price}",1\nX-2,$ 5,1\nX-3,.50,1`
  const report = await importInventory(desk.app.db, { merchantKey: fresh.key, csv })
  expect(report).toMatchObject({
    created: 2,
    problems: [{ line: 2, problem: expect.stringContaining('price') }],
  })
})

test('quotes, spaces, line ends and empty lines of other programs are read', async () => {
  const fresh = await desk.openShop()
  const csv = [
    'offering_id,price,quantity,product_name',
    'X-1, 5 ,1, "Rye, ""old"""',
    '',
    ',,,',
    'X-2,6,1,12" shelf',
    'X-3,cheap,1,"Two\nlines"',
    'X-4,dear,1,',
  ].join('\r\n')
  const report = await importInventory(desk.app.db, { merchantKey: fresh.key, csv })
  expect(report.problems.map(({ line }) => line)).toEqual([6, 8])
  const { rows } = await desk.owner.query<{ product_name: string }>(
    'select product_name from offerings where merchant_id = $1 order by offering_id',
    [fresh.key],
  )
  expect(rows.map(({ product_name }) => product_name)).toEqual(['Rye, "old"', '12" shelf'])
})

test('a file without the needed columns, or for no merchant, changes nothing', async () => {
  const { db } = desk.app
  await expect(importInventory(db, { merchantKey: shop.key, csv: 'id,cost\n1,2' })).rejects.toMatchObject({
    details: { errors: { 'first line': expect.stringContaining('offering_id is missing') } },
  })
  await expect(
    importInventory(db, { merchantKey: shop.key, csv: 'offering_id,price,quantity,constructor\n1,2,3,4' }),
  ).rejects.toMatchObject({
    details: { errors: { 'first line': expect.stringContaining('there is no column "constructor"') } },
  })
  await expect(importInventory(db, { merchantKey: shop.key, csv: '' })).rejects.toThrow()
  await expect(importInventory(db, { merchantKey: 'nobody', csv: stock })).rejects.toThrow()
})

const codes = (rows: readonly string[], header = 'gtin,location') =>
  [`offering_id,price,quantity,${header}`, ...rows].join('\n')

test.each([
  'gtin,location',
  'UPC,Shelf',
  'EAN-13,BIN',
  'UPC-A,Shelf Location',
  'barcode,bin_location',
  'GTIN / UPC,shelf',
])('a stock list with the columns %s says the barcode and the shelf', async (header) => {
  const fresh = await desk.openShop()
  const report = await importInventory(desk.app.db, {
    merchantKey: fresh.key,
    csv: codes(['C-1,1,1,36000291452,B-14', 'C-2,1,1,4006381333931,', 'C-3,1,1,,'], header),
  })
  expect(report.problems).toEqual([])
  const { items } = await all(fresh)
  const byId = new Map(items.map((item) => [item.id, item]))
  expect(byId.get('C-1')).toMatchObject({ gtin: '036000291452', location: 'B-14' })
  expect(byId.get('C-2')?.gtin).toBe('4006381333931')
  expect(Object.keys(byId.get('C-2') ?? {})).not.toContain('location')
  expect(Object.keys(byId.get('C-3') ?? {})).not.toContain('gtin')
})

test('a barcode that cannot be one, or a shelf that is no shelf, is a bad line', async () => {
  const fresh = await desk.openShop()
  const { created, problems } = await importInventory(desk.app.db, {
    merchantKey: fresh.key,
    csv: codes([
      'C-1,1,1,036000291453,',
      'C-2,1,1,3.60003E+11,',
      'C-3,1,1,1234567,',
      `C-4,1,1,,${'x'.repeat(41)}`,
    ]),
  })
  const wrong = 'gtin must be the 8 to 14 digits of a UPC, EAN or GTIN with a right check digit'
  expect([created, problems]).toEqual([
    0,
    [
      { line: 2, problem: wrong },
      {
        line: 3,
        problem: 'gtin "3.60003E+11" was shortened by a spreadsheet; make the column text, then export again',
      },
      { line: 4, problem: wrong },
      { line: 5, problem: 'location is longer than 40 characters' },
    ],
  ])
})

test('a file that has a column twice, under two names, changes nothing', async () => {
  await expect(
    importInventory(desk.app.db, { merchantKey: shop.key, csv: codes(['C-1,1,1,,'], 'upc,ean') }),
  ).rejects.toMatchObject({
    details: { errors: { 'first line': expect.stringContaining('gtin is there more than once') } },
  })
})
