import { messages } from '@cellarhand/contract/messages'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Shop, TurnableDesk } from '../../../../test/desk.ts'
import { openEasyPostDesk } from '../../../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../../../test/providers/easypost-server.ts'
import { labelBatches, reasonsIn } from '../../../../test/label-batches.ts'
import { orderIn } from '../../../../test/order-steps.ts'
import { signEvent } from '../../tracking/tracker-events.ts'

let easyPost: EasyPostServer
let desk: TurnableDesk
let shop: Shop
let stop: () => Promise<void>
let webhookSecret: string
let labels: ReturnType<typeof labelBatches>
beforeAll(async () => {
  ;({ easyPost, desk, shop, stop, webhookSecret } = await openEasyPostDesk())
  labels = labelBatches(desk, shop, desk.later)
})
afterAll(() => stop())
beforeEach(() => {
  easyPost.requests.length = 0
  easyPost.batches.refusal = () => undefined
  easyPost.batches.isSlow = false
})

async function accepted(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count)
    ids.push((await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', order_weight: 4.5 })).id)
  return ids
}
const statusOf = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body.status
const soldFor = (id: string) =>
  [...easyPost.shipments.values()].filter(
    ({ tracking_code, request }) =>
      tracking_code !== null && String(request['reference']).startsWith(`${id}:`),
  )
const asked = () =>
  easyPost.requests
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => path.replaceAll(/(shp|batch)_\w+/g, '$1'))
const refuseIn = (id: string, message: string) => (reference: string) =>
  reference.startsWith(`${id}:`) ? message : undefined

const until = async (look: () => Promise<boolean> | boolean) =>
  desk.later(async () => expect(await look()).toBe(true))

const untilInDoubt = (batchId: string, ids: readonly string[]) =>
  until(async () => {
    const { in_doubt, failed } = await labels.read(batchId)
    expect(failed).toEqual([])
    return in_doubt?.length === ids.length
  })

test('many orders are one batch: each quoted, bought once, and the carrier’s refusal is that order’s reason', async () => {
  const ids = await accepted(4)
  const [first = '', street = '', own = '', last = ''] = ids
  easyPost.batches.refusal = (reference) =>
    refuseIn(street, '120202: Missing or invalid ship to address line 1')(reference) ??
    refuseIn(own, 'Too heavy for a van')(reference)
  const batch = await labels.buy(ids)
  expect(reasonsIn(batch)).toEqual({
    [street]: messages.labelInvalidStreet,
    [own]: 'UPS: Too heavy for a van',
  })
  expect(asked().filter((path) => path.startsWith('/batches'))).toEqual(['/batches', '/batches/batch/buy'])
  expect(asked().filter((path) => path === '/shipments')).toHaveLength(4)
  expect(asked()).not.toContain('/shipments/shp/buy')
  const made = easyPost.requests.find(({ path }) => path === '/batches')?.json as {
    batch: { reference: string; shipments: { id: string; service: string }[] }
  }
  expect(made.batch.reference).toMatch(/^[0-9a-f-]{36}:1$/)
  expect(made.batch.shipments.map(({ service }) => service)).toEqual(Array(4).fill('Ground'))
  for (const id of [first, last]) {
    expect(await statusOf(id)).toBe('MERCHANT_SHIPPED')
    expect(soldFor(id)).toHaveLength(1)
  }
  for (const id of [street, own]) expect(await statusOf(id)).toBe('MERCHANT_ACCEPTED')
  const file = await fetch(batch.batch_pdf_urls.labels ?? 'missing:')
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  expect((await PDFDocument.load(await file.arrayBuffer())).getPageCount()).toBe(2)
  // A refused order can be tried again.
  easyPost.batches.refusal = () => undefined
  expect((await labels.buy([street, own])).completed_count).toBe(2)
})

test('what was quoted before is bought as the same shipment, once; a changed order and an old quote are quoted anew', async () => {
  const ids = await accepted(5)
  const [changed = '', old = '', unpriced = ''] = ids
  const quote = (id: string) =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote', {
      as: shop.member,
      params: { tmk: shop.key, id },
      body: {},
    })
  easyPost.fail(/POST \/shipments$/, 'drop')
  expect((await quote(unpriced)).body.refusal?.code).toBe('carrier_not_responding')
  for (const id of ids.filter((each) => each !== unpriced))
    expect((await quote(id)).body).toEqual({
      boxes: [{ carrier: 'UPSDAP', service: 'Ground', price_cents: 820 }],
      refusal: null,
    })
  const corrected = await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
    as: shop.member,
    params: { tmk: shop.key, id: changed },
    body: {
      street_1: '7 Real Street',
      city: 'Albany',
      state: 'NY',
      zipcode: '12207',
      phone_number: '2125550123',
    },
  })
  expect(corrected.status).toBe(200)
  await desk.owner.query(
    `update label_quotes set quoted_at = now() - interval '16 minutes' where order_id = $1`,
    [old],
  )
  easyPost.requests.length = 0
  expect((await labels.buy(ids)).completed_count).toBe(5)
  const made = easyPost.requests.filter(({ method, path }) => method === 'POST' && path === '/shipments')
  const references = made.map(
    ({ json }) => (json as { shipment: { reference: string } }).shipment.reference.split(':')[0],
  )
  expect(references.toSorted()).toEqual([changed, old, unpriced].toSorted())
  for (const id of ids) expect(soldFor(id)).toHaveLength(1)
  const [sold] = soldFor(changed)
  expect(sold?.request['to_address']).toMatchObject({ street1: '7 Real Street' })
  const { rows } = await desk.owner.query('select order_id from label_quotes where order_id <> all($1)', [
    [changed, old],
  ])
  expect(rows).toEqual([])
})

test(
  'a batch whose purchase lost its answer is searched for, and nothing is bought twice',
  { timeout: 120_000 },
  async () => {
    const ids = await accepted(2)
    easyPost.fail(/batches\/\w+\/buy$/, 'drop', 'after')
    const batch = await labels.buy(ids)
    expect([batch.completed_count, batch.failed]).toEqual([2, []])
    for (const id of ids) expect(soldFor(id)).toHaveLength(1)

    // Lost on the way: EasyPost may have it in its queue, so the batch neither gives up soon nor reports a failure.
    const others = await accepted(2)
    easyPost.fail(/batches\/\w+\/buy$/, 'drop')
    const lost = await labels.start(others)
    await untilInDoubt(lost.body.batch_id, others)
    const second = await labels.start(others)
    await untilInDoubt(second.body.batch_id, others)
    const attempts = async () => {
      const { rows } = await desk.owner.query<{ n: number }>(
        `update label_purchases set lease_until = now() where order_id = any($1) and state = 'in_doubt' returning attempt as n`,
        [others],
      )
      return rows.map(({ n }) => n)
    }
    await desk.owner.query(
      `update shipping_labels set buying_since = now() - interval '10 minutes' where order_id = any($1)`,
      [others],
    )
    const before = await attempts()
    expect(before).toHaveLength(2)
    // The worker has looked at it and put it off for longer than its own lease.
    await until(async () => {
      const { rows } = await desk.owner.query(
        `select 1 from label_purchases
         where order_id = any($1) and state = 'in_doubt' and attempt > $2 and lease_until > now() + interval '2 minutes'`,
        [others, Math.max(...before)],
      )
      return rows.length === 2
    })
    expect((await labels.read(lost.body.batch_id)).in_doubt).toEqual(others)
    for (const batch_ of easyPost.batches.all.values())
      batch_.created_at = new Date(Date.now() - 3_600_000).toISOString()
    await attempts()
    // Certain by now: one of the two batches buys each label, and the other learns of it.
    const ended = [await labels.untilEnded(lost.body.batch_id), await labels.untilEnded(second.body.batch_id)]
    expect(ended.reduce((sum, { completed_count }) => sum + completed_count, 0)).toBe(2)
    for (const { message } of ended.flatMap(({ failed }) => failed))
      expect(message).toMatch(/^It is shipped already/)
    for (const id of others) expect(soldFor(id)).toHaveLength(1)
  },
)

test(
  'a process that takes over a batch from a dead one buys nothing again',
  { timeout: 120_000 },
  async () => {
    const ids = await accepted(3)
    easyPost.batches.isSlow = true
    const before = easyPost.batches.all.size
    const { body } = await labels.start(ids)
    await until(() => [...easyPost.batches.all.values()].at(-1)?.state === 'purchasing')
    // The lease runs out. The waiting process is the dead one now, and must not write any more.
    await desk.owner.query('update jobs set due_at = now() where merchant_id = $1', [shop.key])
    await untilInDoubt(body.batch_id, ids)
    easyPost.batches.deliver(2)
    await desk.owner.query(`update label_purchases set lease_until = now() where order_id = any($1)`, [ids])
    await until(async () => (await labels.read(body.batch_id)).in_doubt?.length === 1)
    // Meanwhile there is a file with the known labels.
    await until(async () => (await labels.read(body.batch_id)).batch_pdf_urls.labels !== null)
    const soFar = await labels.read(body.batch_id)
    const file = await fetch(soFar.batch_pdf_urls.labels ?? 'missing:')
    const { PDFDocument } = await import('@cantoo/pdf-lib')
    expect((await PDFDocument.load(await file.arrayBuffer())).getPageCount()).toBe(2)
    expect(easyPost.batches.all.size).toBe(before + 1)
    easyPost.batches.deliver()
    await desk.owner.query(`update label_purchases set lease_until = now() where order_id = any($1)`, [ids])
    const batch = await labels.untilEnded(body.batch_id)
    expect([batch.completed_count, batch.failed, batch.in_doubt]).toEqual([3, [], []])
    for (const id of ids) {
      expect(await statusOf(id)).toBe('MERCHANT_SHIPPED')
      expect(soldFor(id)).toHaveLength(1)
    }
    const whole = await fetch(batch.batch_pdf_urls.labels ?? 'missing:')
    expect((await PDFDocument.load(await whole.arrayBuffer())).getPageCount()).toBe(3)
  },
)

test(
  'a batch that is given up reports no order as failed while its purchase may have succeeded',
  { timeout: 120_000 },
  async () => {
    const ids = await accepted(2)
    easyPost.batches.isSlow = true
    easyPost.fail(/batches\/\w+\/buy$/, 'drop', 'after')
    const { body } = await labels.start(ids)
    await untilInDoubt(body.batch_id, ids)
    const { rows } = await desk.owner.query<{ fence: string }>(
      `update jobs set attempts = 7 where merchant_id = $1 returning fence`,
      [shop.key],
    )
    const takenAgain = async () => {
      const found = await desk.owner.query('select 1 from jobs where merchant_id = $1 and fence > $2', [
        shop.key,
        Number(rows[0]?.fence) + 5,
      ])
      return found.rows.length > 0
    }
    await until(takenAgain)
    expect(await labels.read(body.batch_id)).toMatchObject({ failed: [], in_doubt: ids, completed_count: 0 })
    easyPost.batches.deliver()
    await desk.owner.query(`update label_purchases set lease_until = now() where order_id = any($1)`, [ids])
    const batch = await labels.untilEnded(body.batch_id)
    for (const { message } of batch.failed) expect(message).toContain('a bought label is printed there')
    for (const id of ids) {
      expect(await statusOf(id)).toBe('MERCHANT_SHIPPED')
      expect(soldFor(id)).toHaveLength(1)
    }
  },
)

test('the orders of a process that died before buying are bought by the next', async () => {
  const ids = await accepted(2)
  const { body } = await labels.start(['999999'])
  await labels.untilEnded(body.batch_id)
  // The same batch on the disk: one purchase begun, no shipment bought, the job free to take.
  await desk.owner.query(
    `insert into label_purchases (merchant_id, purchase_id, order_id, state, provider, provider_account, actor, idempotency_key, request_hash, lease_until)
     values ($1, gen_random_uuid(), $2, 'running', 'EasyPost', 'ca_ups', '{"kind":"merchant","id":null,"name":"x"}', $3, '', now() + interval '3 minutes')`,
    [shop.key, ids[0], `labels-batch ${body.batch_id}`],
  )
  await desk.owner.query(
    `insert into shipping_labels (merchant_id, purchase_id, order_id, box, weight, insurance)
     select merchant_id, purchase_id, order_id, 1, 3, 0 from label_purchases where order_id = $1`,
    [ids[0]],
  )
  await desk.owner.query(
    `insert into batch_orders (merchant_id, batch_id, position, asked, order_id) select $1, $2, 10 + n, id, id
     from unnest($3::text[]) with ordinality as asked (id, n)`,
    [shop.key, body.batch_id, ids],
  )
  await desk.owner.query(
    'update batches set finished_at = null, total_count = 3 where merchant_id = $1 and batch_id = $2',
    [shop.key, body.batch_id],
  )
  await desk.owner.query(
    `insert into jobs (merchant_id, job_id, kind, payload)
     values ($1, gen_random_uuid(), 'labels', json_build_object('batchId', $2::text, 'actor', json_build_object('kind', 'merchant', 'id', null, 'name', 'x')))`,
    [shop.key, body.batch_id],
  )
  const batch = await labels.untilEnded(body.batch_id)
  expect([batch.completed_count, batch.failed.map(({ id }) => id)]).toEqual([2, ['999999']])
  for (const id of ids) expect(soldFor(id)).toHaveLength(1)
})

test('if EasyPost takes no such batch, or buys nothing of it, each is bought alone', async () => {
  const ids = await accepted(2)
  easyPost.fail(/POST \/batches$/, {
    status: 422,
    json: { error: { code: 'BATCH.CREATE', message: 'Not these', errors: [] } },
  })
  expect((await labels.buy(ids)).completed_count).toBe(2)
  expect(asked().filter((path) => path === '/shipments/shp/buy')).toHaveLength(2)

  const others = await accepted(3)
  easyPost.requests.length = 0
  easyPost.batches.refusal = () => 'A rate has to be chosen'
  expect((await labels.buy(others)).completed_count).toBe(3)
  expect(asked().filter((path) => path === '/shipments/shp/buy')).toHaveLength(3)
  for (const id of [...ids, ...others]) expect(soldFor(id)).toHaveLength(1)
})

test('a batch that cannot be made leaves every order as it was, and an event about one is accepted and changes nothing', async () => {
  const ids = await accepted(2)
  easyPost.fail(/POST \/batches$/, { status: 502, text: '<html>Bad gateway</html>' })
  const batch = await labels.buy(ids)
  expect(Object.values(reasonsIn(batch))).toEqual(Array(2).fill(messages.labelNetwork))
  for (const id of ids) expect(await statusOf(id)).toBe('MERCHANT_ACCEPTED')
  expect((await labels.buy(ids)).completed_count).toBe(2)

  const event = JSON.stringify({
    id: 'evt_b',
    description: 'batch.updated',
    result: { id: 'batch_1', state: 'purchased' },
  })
  const reply = await desk.send('POST', '/providers/v1/shipping/events', {
    body: event,
    headers: { 'x-hmac-signature': signEvent(webhookSecret, event) },
  })
  expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { taken: false }])
})

test.each([
  ['a character that cannot be stored', 'bad \u0000 address'],
  ['half of a character', 'bad \ud83d address'],
  ['a whole page', 'bad address. '.repeat(20_000)],
])('a refusal with %s is that order’s reason, short enough to read', async (_what, message) => {
  const ids = await accepted(2)
  easyPost.batches.refusal = refuseIn(ids[0] ?? '', message)
  const batch = await labels.buy(ids)
  expect([batch.completed_count, batch.error_count]).toEqual([1, 1])
  const reason = reasonsIn(batch)[ids[0] ?? ''] ?? ''
  expect(reason).toContain('bad')
  expect(reason.length).toBeLessThan(1_000)
})
