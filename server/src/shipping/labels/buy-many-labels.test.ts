import { messages } from '@cellarhand/contract/messages'
import { refusals } from '@cellarhand/contract/refusals'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { labelBatches, reasonsIn } from '../../../test/label-batches.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'
import { readPdf } from '../../../test/papers/pdf-text.ts'
import { noPaperStreet, sentinelAddresses } from '../port/sentinel-addresses.ts'

let desk: Desk
let shop: Shop
let labels: ReturnType<typeof labelBatches>
beforeAll(async () => {
  desk = await openDesk({ SANDBOX_STEP_SECONDS: '86400' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop)
  labels = labelBatches(desk, shop)
})
afterAll(async () => desk.stop())

const weighed = { status: 'MERCHANT_ACCEPTED', order_weight: 4.5 } as const
const accepted = (changes: object = {}) => orderIn(desk, shop, { ...weighed, ...changes })
const to = (street_1: string) => ({ recipient: { ...anOrder('x').recipient, street_1 } })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const boughtFor = async (id: string) => {
  const { rows } = await desk.owner.query<{ n: number }>(
    `select count(*)::int as n from sandbox_parcels where state = 'bought' and label->>'orderNumber' = $1`,
    [id],
  )
  return rows[0]?.n
}

test('the labels of many orders are one file, and each order without a label is named with its reason', async () => {
  const good = [await accepted({ order_weight: 4.256 }), await accepted()]
  const poBox = sentinelAddresses.find(({ code }) => code === 'po_box')?.place.street_1 ?? ''
  const fresh = await desk.order(shop)
  const unweighed = await accepted({ order_weight: null })
  const local = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', method: 'on_demand' })
  const boxed = await accepted(to(poBox))
  const unprinted = await accepted(to(noPaperStreet))
  const all = [...good, fresh, unweighed, local, boxed, unprinted].map(({ id }) => id)
  const batch = await labels.buy([...all, '999999'])
  expect(batch).toMatchObject({ total_count: 8, completed_count: 2, error_count: 6 })
  expect(reasonsIn(batch)).toEqual({
    [fresh.id]: 'It is not accepted yet.',
    [unweighed.id]: 'Its weight is not known. Please enter it under Create Shipping Label in the order.',
    [local.id]: 'It is delivered locally, so it needs no label.',
    [boxed.id]: messages.labelPoBox,
    [unprinted.id]: messages.labelUnavailable,
    '999999': refusals.not_found.message,
  })
  const file = await fetch(batch.batch_pdf_urls.labels ?? 'missing:')
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { pages, all: text } = await readPdf(new Uint8Array(await file.arrayBuffer()))
  expect(pages).toBe(2)
  for (const { id } of good) {
    expect(text).toContain(`Order #${id}`)
    expect(await read(id)).toMatchObject({ status: 'MERCHANT_SHIPPED', tracking_provider: 'UPS' })
  }
  expect((await read(boxed.id)).status).toBe('MERCHANT_ACCEPTED')
  expect((await read(good[0]?.id ?? '')).history[0]).toMatchObject({
    action: 'buy_labels',
    details: { boxes: 1 },
  })
  const { rows } = await desk.owner.query(
    'select weight::float8, insurance::float8 from shipping_labels where order_id = $1',
    [good[0]?.id],
  )
  expect(rows).toEqual([{ weight: 4.26, insurance: 0 }])
})

test('two presses buy each label once: with one key they are one batch, otherwise the second names the orders that came late', async () => {
  const orders = [await accepted(), await accepted()]
  const ids = orders.map(({ id }) => id)
  const first = await labels.start(ids, 'many-1')
  const again = await labels.start(ids, 'many-1')
  expect([first.status, again.body]).toEqual([202, first.body])
  const other = await labels.start(ids)
  const batches = [await labels.untilEnded(first.body.batch_id), await labels.untilEnded(other.body.batch_id)]
  expect(batches.reduce((sum, { completed_count }) => sum + completed_count, 0)).toBe(2)
  for (const message of batches.flatMap(({ failed }) => failed.map((each) => each.message)))
    expect(message).toMatch(/^(It is shipped already|Labels are being bought)/)
  for (const id of ids) expect(await boughtFor(id)).toBe(1)
  expect(reasonsIn(await labels.buy(ids))).toEqual(
    Object.fromEntries(
      ids.map((id) => [id, 'It is shipped already. Its labels are printed from the order.']),
    ),
  )
})

test('for a label printer the file is ZPL, one label after the other', async () => {
  const store = await desk.openShop()
  await connectCarrier(desk, store)
  await desk.owner.query(`update carrier_accounts set label_format = 'ZPL' where merchant_id = $1`, [
    store.key,
  ])
  const orders = [await orderIn(desk, store, weighed), await orderIn(desk, store, weighed)]
  const batch = await labelBatches(desk, store).buy(orders.map(({ id }) => id))
  expect(batch.batch_pdf_urls.labels).toContain('-labels.zpl?')
  const file = await fetch(batch.batch_pdf_urls.labels ?? 'missing:')
  expect(file.headers.get('content-type')).toBe('application/zpl')
  expect((await file.text()).match(/\^XA[^]+?\^XZ/g)).toHaveLength(2)
})

test('a batch takes 1 to 200 orders of its own merchant, and without a carrier account each fails with that reason', async () => {
  const ask = (items: string[]) =>
    desk.send('POST', `/m/v2/merchant/${shop.key}/orders/bulk/labels`, { as: shop.member, body: { items } })
  expect((await ask([])).status).toBe(400)
  expect((await ask(Array.from({ length: 201 }, (_, index) => `${index + 1}`))).status).toBe(400)
  const bare = await desk.openShop()
  const own = await orderIn(desk, bare, weighed)
  const foreign = await accepted()
  const batch = await labelBatches(desk, bare).buy([own.id, foreign.id])
  expect(reasonsIn(batch)).toEqual({
    [own.id]: messages.labelAccountUnauthorized,
    [foreign.id]: refusals.not_found.message,
  })
  expect(batch.batch_pdf_urls.labels).toBeNull()
  expect((await read(foreign.id)).status).toBe('MERCHANT_ACCEPTED')
})
