import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { anItem } from '../../test/orders.ts'
import { eventually } from '../../test/eventually.ts'
import { importInventory } from '#inventory/public.ts'

let desk: Desk
let shop: Shop

const csv = [
  'offering_id,price,quantity,product_name,container_size,merchant_sku,is_active',
  'o-gin,20,4,Gin,750 mL,G-1,yes',
  'o-rye,20,4,Rye,750 mL,R-1,yes',
].join('\n')

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

const line = (name: string, offering: { id: string; merchant_sku: string | null }) =>
  anItem({ id: `line-${name}`, name, product: { id: `p-${name}` }, offering })

/** Of a shop of its own, so that no test finds a bottle that another one took off sale. */
async function accepted() {
  shop = await desk.openShop()
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  const { id } = await desk.order(shop, {
    items: [
      line('gin', { id: 'o-gin', merchant_sku: null }),
      // The marketplace names another offering, and the shop's own number.
      line('rye', { id: 'o-elsewhere', merchant_sku: 'R-1' }),
      line('port', { id: 'o-port', merchant_sku: 'P-1' }),
    ],
  })
  const { status } = await desk.call('PUT /m/v2/orders/{id}', {
    as: shop.member,
    params: { id },
    body: { status: 'MERCHANT_ACCEPTED' },
  })
  expect(status).toBe(200)
  return id
}

interface Wish {
  name?: string
  as?: Person | undefined
  tmk?: string
  key?: string
}

function offSale(id: string, { name = 'gin', as = shop.member, tmk = shop.key, key }: Wish = {}) {
  return desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/off_sale', {
    as,
    params: { tmk, id },
    body: { line_id: `line-${name}` },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
}

async function offeringOf(id: string, of: Shop = shop) {
  const { body } = await desk.call('GET /c/v2/offerings', { as: of.member, query: { 'filter[id]': id } })
  return body.items[0]
}

async function orderOf(id: string) {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })
  return { ...body, noted: body.history.filter(({ action }) => action === 'take_off_sale') }
}

test('the bottle of a line of an accepted order is taken off sale, and the order keeps its status', async () => {
  const id = await accepted()
  const { status, body } = await offSale(id)
  expect(status).toBe(200)
  const taken = { order_id: id, by: expect.stringMatching(/^user/), at: expect.any(String) }
  expect(body).toMatchObject({ id, status: 'MERCHANT_ACCEPTED', is_open: true })
  const [gin, rye, port] = body.lines
  expect(gin).toMatchObject({ offering_id: 'o-gin', is_active: false, taken_down: taken })
  expect([rye?.is_active, rye && 'taken_down' in rye]).toEqual([true, false])
  expect([port?.offering_id, port && 'is_active' in port]).toEqual([null, false])
  expect(await offeringOf('o-gin')).toMatchObject({ is_active: false, taken_down: taken, quantity: 4 })
  expect((await offeringOf('o-rye'))?.is_active).toBe(true)
  const order = await orderOf(id)
  expect(order.version).toBe(body.version)
  expect(order.noted).toMatchObject([
    { from: 'MERCHANT_ACCEPTED', to: 'MERCHANT_ACCEPTED', party: 'merchant', details: { bottle: 'gin' } },
  ])
})

test('the offering is found by the shop’s own number too; one that the stock list lacks is refused, as an unknown line', async () => {
  const id = await accepted()
  expect((await offSale(id, { name: 'rye' })).body.lines?.[1]).toMatchObject({
    offering_id: 'o-rye',
    is_active: false,
  })
  const unlisted = await offSale(id, { name: 'port' })
  expect([unlisted.status, unlisted.refusal.code]).toEqual([409, 'offering_unlisted'])
  const unknown = await offSale(id, { name: 'mead' })
  expect([unknown.status, Object.keys(unknown.refusal.errors)]).toEqual([400, ['line_id']])
  expect((await offeringOf('o-gin'))?.is_active).toBe(true)
  expect((await orderOf(id)).noted).toHaveLength(1)
})

test('twice the same changes nothing more: under one key, by a colleague, and by two at once', async () => {
  const id = await accepted()
  const [one, again] = [await offSale(id, { key: 'gone-1' }), await offSale(id, { key: 'gone-1' })]
  expect(again.body).toEqual(one.body)
  const colleague = await offSale(id, { as: shop.owner })
  expect([colleague.status, colleague.body]).toEqual([200, one.body])
  const both = await Promise.all([shop.member, shop.manager].map((as) => offSale(id, { name: 'rye', as })))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both[0]?.body.lines[1]?.taken_down).toEqual(both[1]?.body.lines[1]?.taken_down)
  const { noted } = await orderOf(id)
  expect(noted.map(({ details }) => details?.['bottle']).toSorted()).toEqual(['gin', 'rye'])
})

test('the next stock list that has the bottle puts it on sale again, and one that lacks it does not', async () => {
  const id = await accepted()
  await offSale(id)
  const lacking = csv.replace(/o-gin.*\n/, '')
  await importInventory(desk.app.db, { merchantKey: shop.key, csv: lacking })
  expect((await offeringOf('o-gin'))?.is_active).toBe(false)
  await importInventory(desk.app.db, { merchantKey: shop.key, csv })
  const back = await offeringOf('o-gin')
  expect([back?.is_active, back && 'taken_down' in back]).toEqual([true, false])
  await offSale(id)
  expect((await offeringOf('o-gin'))?.is_active).toBe(false)
  expect((await orderOf(id)).noted).toHaveLength(2)
})

test('every role of the shop may, also once the order has ended; nobody without an account', async () => {
  for (const role of ['member', 'manager', 'owner'] as const) {
    const id = await accepted()
    expect((await offSale(id, { as: shop[role] })).status).toBe(200)
  }
  const id = await accepted()
  await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id },
    body: { status: 'CANCELLED', comment: 'The customer changed their mind' },
  })
  expect((await offSale(id)).body).toMatchObject({ status: 'CANCELLED', is_open: false })
  const nobody = await desk.send('POST', `/m/v2/merchant/${shop.key}/orders/${id}/off_sale`, {
    body: { line_id: 'line-rye' },
  })
  expect([nobody.status, (await offeringOf('o-rye'))?.is_active]).toEqual([401, true])
})

test('GEN-007 another merchant takes nothing off sale, neither there nor of the same name at home', async () => {
  const id = await accepted()
  const other = await desk.openShop()
  await importInventory(desk.app.db, { merchantKey: other.key, csv })
  for (const tmk of [other.key, shop.key])
    expect((await offSale(id, { as: other.owner, tmk })).status).toBe(tmk === shop.key ? 403 : 404)
  expect([(await offeringOf('o-gin'))?.is_active, (await offeringOf('o-gin', other))?.is_active]).toEqual([
    true,
    true,
  ])
  await offSale(id)
  expect((await offeringOf('o-gin', other))?.is_active).toBe(true)
})

test('the marketplace gets no event of it, as of a bottle that a report takes down, and reads nothing new at the order', async () => {
  const id = await accepted()
  const as = marketplaceCredential
  const read = async () => (await desk.call('GET /marketplace/v1/orders/{id}', { as, params: { id } })).body
  const { version: _, ...before } = await read()
  await offSale(id)
  // Events are numbered in their sequence a moment later: once a later one is there, so would this one be.
  const later = await accepted()
  const events = await eventually(async () => {
    const { body } = await desk.call('GET /marketplace/v1/events', { as })
    expect(JSON.stringify(body)).toContain(later)
    return body
  })
  expect(JSON.stringify(events)).not.toContain('take_off_sale')
  const { version: __, ...after } = await read()
  expect(after).toEqual(before)
})
