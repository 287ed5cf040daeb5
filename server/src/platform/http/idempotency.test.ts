import type { NewOrder } from '@cellarhand/contract/marketplace'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { anOrder } from '../../../test/orders.ts'

let desk: Desk
let shop: Shop
let keys = 0
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const newKey = () => `key-${++keys}`
const create = async (key: string, body: NewOrder | string, at = desk) =>
  at.call('POST /marketplace/v1/orders', {
    as: marketplaceCredential,
    body,
    headers: { 'idempotency-key': key },
  })

async function ordersWith(ref: string): Promise<number> {
  const { rows } = await desk.owner.query('select from orders where order_key = $1', [ref])
  return rows.length
}

/** Runs the work while no transaction of the server can pass its counts. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  const client = await desk.owner.connect()
  try {
    await client.query('begin')
    await client.query('lock table order_counts in access exclusive mode')
    return await work()
  } finally {
    await client.query('commit')
    client.release()
  }
}

/** Resolves when a transaction of the server waits for the lock of `whileHeld`. */
async function untilSomebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await desk.owner.query(
      'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('GAP-29 the same key and body get the first reply byte for byte, even after a restart', async () => {
  const key = newKey()
  const order = anOrder(shop.key)
  const first = await create(key, order)
  expect(first.status).toBe(201)
  // The order has changed meanwhile; the reply must not.
  await desk.call('PUT /m/v2/orders/{id}', {
    as: shop.member,
    params: { id: first.body.id },
    body: { status: 'MERCHANT_ACCEPTED' },
  })
  const second = await create(key, order)
  expect([second.status, second.text]).toEqual([first.status, first.text])
  const restarted = await create(key, order, await desk.another())
  expect([restarted.status, restarted.text]).toEqual([first.status, first.text])
  expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
  expect(await ordersWith(order.thirstie_logistic_order_ref)).toBe(1)
})

test('GAP-29 the same key with another body is refused, even if only a space differs', async () => {
  const key = newKey()
  const order = anOrder(shop.key)
  await create(key, order)
  for (const body of [{ ...order, promo_code: 'X' }, `${JSON.stringify(order)} `, anOrder(shop.key)]) {
    const answer = await create(key, body)
    expect([answer.status, answer.refusal.code]).toEqual([422, 'idempotency_key_reused'])
  }
})

test('GAP-29 a request under way refuses its double, and answers it once it is done', async () => {
  const key = newKey()
  const order = anOrder(shop.key)
  const first = await whileHeld(async () => {
    const running = create(key, order)
    await untilSomebodyWaits()
    const double = await create(key, order)
    expect([double.status, double.refusal.code]).toEqual([409, 'request_in_progress'])
    return { running }
  })
  const { status, text } = await first.running
  expect(status).toBe(201)
  expect((await create(key, order)).text).toBe(text)
  expect(await ordersWith(order.thirstie_logistic_order_ref)).toBe(1)
})

test('GAP-29 of many at once, at two servers, one runs; the others wait or get its reply', async () => {
  const key = newKey()
  const order = anOrder(shop.key)
  const second = await desk.another()
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => create(key, order, index % 2 === 0 ? desk : second)),
  )
  const replies = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text))
  expect(replies.size).toBe(1)
  for (const answer of answers)
    if (answer.status !== 201) expect(answer.refusal.code).toBe('request_in_progress')
  expect(await ordersWith(order.thirstie_logistic_order_ref)).toBe(1)
})

describe('the owner of a key', () => {
  test('GAP-29 another merchant’s order may carry the same key', async () => {
    const key = newKey()
    const other = await desk.openShop()
    const answers = [await create(key, anOrder(shop.key)), await create(key, anOrder(other.key))]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
  })

  test('GAP-108 a colleague’s key is another key, and so is a key for another order', async () => {
    const key = newKey()
    const [one, two] = await Promise.all([desk.order(shop), desk.order(shop)])
    const accept = async (id: string, as = shop.member) =>
      desk.call('PUT /m/v2/orders/{id}', {
        as,
        params: { id },
        body: { status: 'MERCHANT_ACCEPTED' },
        headers: { 'idempotency-key': key },
      })
    const first = await accept(one.id)
    expect(first.status).toBe(200)
    expect((await accept(one.id)).text).toBe(first.text)
    expect((await accept(two.id)).status).toBe(200)
    expect((await accept(one.id, shop.owner)).status).toBe(409)
    const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: one.id } })
    expect([body.version, body.history.length]).toEqual([2, 2])
  })
})

test('GAP-29 a refusal is not stored: the same request may succeed later', async () => {
  const key = newKey()
  const closed = await desk.openShop()
  const order = anOrder(closed.key)
  await desk.owner.query('update merchants set payment_set_up = false where merchant_id = $1', [closed.key])
  expect((await create(key, order)).refusal.code).toBe('merchant_not_onboarded')
  await desk.owner.query('update merchants set payment_set_up = true where merchant_id = $1', [closed.key])
  expect((await create(key, order)).status).toBe(201)
})

test.each(['', ' ', 'a b', 'x'.repeat(129), 'é'])('GAP-29 %j is no key', async (key) => {
  const order = anOrder(shop.key)
  const answer = await create(key, order)
  expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, ['Idempotency-Key']])
  expect(await ordersWith(order.thirstie_logistic_order_ref)).toBe(0)
})
