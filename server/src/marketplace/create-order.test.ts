import type { NewOrder } from '@cellarhand/contract/marketplace'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { anItem, anOrder } from '../../test/orders.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const send = async (body: unknown, to = desk) =>
  to.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body })

async function countRows(): Promise<Record<string, number>> {
  const { rows } = await desk.owner.query<Record<string, number>>(
    `select (select count(*)::int from orders) as orders, (select count(*)::int from order_history) as history,
       (select count(*)::int from outbox) as events, (select count(*)::int from order_search) as searchable,
       (select coalesce(sum(n), 0)::int from order_counts) as counted, (select count(*)::int from applications) as applications`,
  )
  return rows[0] ?? {}
}

/** A copy of the order with another value at the path (dots, numbers); undefined removes the field. */
function altered(path: string, value: unknown, base: NewOrder = anOrder(shop.key)): unknown {
  const copy = structuredClone(base) as unknown as Record<string, unknown>
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let at = copy
  for (const step of steps) at = (at[step] ??= {}) as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

test('an order whose texts are monstrous together is refused, though each is within its limit', async () => {
  const words = (length: number) => 'twenty-letter-words '.repeat(length / 20)
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      anItem({ id: `line-${index}`, name: words(300).trim(), description: words(2000) }),
    )
  const sendLines = async (count: number) => send(anOrder(shop.key, { items: items(count) }))
  const refused = await sendLines(200)
  expect([refused.status, refused.refusal.errors]).toEqual([
    400,
    { items: 'All texts of the lines together must have at most 100000 characters' },
  ])
  expect((await sendLines(40)).status).toBe(201)
})

test('T01 GEN-004 ENT-010 ENT-011 ENT-012 ENT-013 ENT-014 ENT-015 ENT-016 ENT-017 ENT-025 ENT-026 ENT-034 ENT-035 ENT-036 ENT-037 ENT-038 ENT-039 the whole order comes back, new, as it was sent', async () => {
  const items = [
    anItem({
      id: 'bottle',
      quantity: 3,
      price: 19.99,
      subtotal: 53.97,
      discount: 6,
      image_spec: 'https://img.example/{dims}/a.png',
      aux_data: {
        engraving_message: ['A\nB', 'C', 'C'],
        preorder_type: 'deposit',
        preorder_available_date: '2027-01-01',
        preorder_balance_due_excl_taxes_fees: 10.5,
      },
    }),
    anItem({
      id: 'text',
      name: 'engraving',
      price: 5,
      subtotal: 5,
      product: null,
      offering: null,
      parent_line_item_id: 'bottle',
      aux_data: { engraving_message: ['For Ana'] },
    }),
  ]
  const sent: NewOrder = {
    ...anOrder(shop.key),
    date_submitted: '2026-11-19T10:00:00.123+02:00',
    delivery: {
      method: 'scheduled',
      date: '2026-11-24',
      window: ['2026-11-24T18:00:00-05:00', '2026-11-24T20:00:00-05:00'],
    },
    customer: {
      first_name: 'Ana',
      last_name: 'Ray',
      email: 'ana@example.com',
      phone_number: '+12125550124',
      last_order: '2026-01-02T03:04:05Z',
    },
    gift_message: { message: 'Cheers,\n"you" & <b>' },
    promo_code: 'FALL',
    courier_estimate_id: 'est-1',
    order_weight: 12.5,
    items,
    transaction: { subtotal: 58.97, tax: 1.03, delivery_fee: 2, shipping: 3.01, tip: 0.99, total: 66 },
    aux_data: { courier_pick_instructions: 'Back door' },
  }
  const { status, body } = await send(sent)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    thirstie_logistic_order_ref: sent.thirstie_logistic_order_ref,
    status: 'SUBMITTED',
    date_submitted: '2026-11-19T08:00:00.123Z',
    delivery: {
      method: 'scheduled',
      date: '2026-11-24',
      window: ['2026-11-24T23:00:00.000Z', '2026-11-25T01:00:00.000Z'],
    },
    recipient: { ...sent.recipient, street_2: null, street_3: null, delivery_instructions: null },
    customer: { ...sent.customer, last_order: '2026-01-02T03:04:05.000Z' },
    gift_message: sent.gift_message,
    promo_code: 'FALL',
    courier_estimate_id: 'est-1',
    order_weight: 12.5,
    transaction: sent.transaction,
    aux_data: sent.aux_data,
    printed_timestamp: null,
    rejection_message: null,
    courier_info: null,
    delivery_info: null,
    shipment_info: [],
    version: 1,
  })
  expect(body.items).toMatchObject(
    items.map(({ parent_line_item_id = null, discount = 0, ...item }) => ({
      ...item,
      parent_line_item_id,
      discount,
    })),
  )
  expect(body.id).toMatch(/^\d{7}$/)
  const again = await desk.call('GET /marketplace/v1/orders/{id}', {
    as: marketplaceCredential,
    params: { id: body.id },
  })
  expect(again.body).toEqual(body)
})

describe('GAP-29 a wrong field is named by its path, and nothing is stored', () => {
  const long = (length: number) => 'x'.repeat(length)
  test.each<[string, unknown]>([
    ['merchant', undefined],
    ['merchant', 'no such shop'],
    ['merchant', 'nobody-has-this'],
    ['thirstie_logistic_order_ref', undefined],
    ['thirstie_logistic_order_ref', ''],
    ['thirstie_logistic_order_ref', 'a b'],
    ['thirstie_logistic_order_ref', long(129)],
    ['thirstie_logistic_order_ref', 'é'],
    ['date_submitted', '2026-11-20'],
    ['date_submitted', '2026-02-30T10:00:00Z'],
    ['date_submitted', '2099-01-01T00:00:00Z'],
    ['date_submitted', '0000-01-01T00:00:00Z'],
    ['date_submitted', '0001-01-01T00:00:00+10:00'],
    ['date_submitted', 1_700_000_000],
    ['application_ref', 'a b'],
    ['application_name', long(201)],
    ['application_name', ['x']],
    ['delivery', undefined],
    ['delivery', null],
    ['delivery', []],
    ['delivery.method', undefined],
    ['delivery.method', 'On Demand'],
    ['delivery.method', ''],
    ['delivery.date', '2026-02-29'],
    ['delivery.date', '24/11/2026'],
    ['delivery.window', ['2026-11-24T20:00:00Z']],
    ['delivery.window', ['2026-11-24T20:00:00Z', '2026-11-24T18:00:00Z']],
    ['delivery.window', ['2026-11-31T18:00:00Z', '2026-12-24T20:00:00Z']],
    ['delivery.window', 'soon'],
    ['recipient.last_name', undefined],
    ['recipient.last_name', ' \t'],
    ['recipient.first_name', 7],
    ['recipient.first_name', long(101)],
    ['recipient.street_1', ''],
    ['recipient.city', undefined],
    ['recipient.state', null],
    ['recipient.zipcode', '1000'],
    ['recipient.zipcode', undefined],
    ['recipient.delivery_instructions', long(501)],
    ['recipient.street_2', 'a\u0000b'],
    ['customer', 'Ana'],
    ['customer.email', 'nobody'],
    ['customer.last_name', undefined],
    ['gift_message.message', undefined],
    ['gift_message', 'Hi'],
    ['order_weight', -1],
    ['order_weight', '12'],
    ['items', undefined],
    ['items', []],
    ['items', {}],
    ['items', Array.from({ length: 201 }, (_, index) => anItem({ id: `i${index}` }))],
    ['items.0.quantity', 0],
    ['items.0.quantity', 1.5],
    ['items.0.quantity', '1'],
    ['items.0.quantity', 10_001],
    ['items.0.price', -1],
    ['items.0.price', '52'],
    ['items.0.price', null],
    ['items.0.name', undefined],
    ['items.0.name', ''],
    ['items.0.product.id', undefined],
    ['items.0.parent_line_item_id', 'line-9'],
    ['items.0.parent_line_item_id', 'line-1'],
    ['items.0.aux_data.preorder_available_date', '2026-13-01'],
    ['items.0.aux_data.preorder_available_date', '2026-02-30'],
    ['items.0.aux_data.engraving_message', 'one text'],
    ['transaction', undefined],
    ['transaction.total', undefined],
    ['transaction.tip', -0.01],
  ])('%s = %j', async (path, value) => {
    const before = await countRows()
    const answer = await send(altered(path, value))
    expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
    expect(Object.keys(answer.refusal.errors)).toContain(path)
    expect(await countRows()).toEqual(before)
  })

  test.each([
    'color',
    'id',
    'status',
    'version',
    'recipient.age',
    'customer.id',
    'delivery.speed',
    'items.0.on_hand',
    'items.0.product.brand',
    'transaction.fee',
    'aux_data.x',
    'constructor',
  ])('a field that is not known: %s', async (path) => {
    const answer = await send(altered(path, 'x'))
    expect([answer.status, answer.refusal.errors]).toEqual([
      400,
      { [path]: 'This field is not known here; please leave it out' },
    ])
  })

  test('several wrong fields are all named', async () => {
    const answer = await send(altered('customer.email', 'x', altered('recipient.zipcode', 'x') as NewOrder))
    expect(Object.keys(answer.refusal.errors).toSorted()).toEqual(['customer.email', 'recipient.zipcode'])
  })
})

test('VIEW-020 two lines may not share an id, and an engraving hangs on a line, not on an engraving', async () => {
  const twice = await send(altered('items', [anItem(), anItem()]))
  expect(twice.refusal.errors).toHaveProperty(['items.1.id'])
  const chain = [
    anItem({ id: 'a' }),
    anItem({ id: 'b', parent_line_item_id: 'a' }),
    anItem({ id: 'c', parent_line_item_id: 'b' }),
  ]
  const chained = await send(altered('items', chain))
  expect(chained.refusal.errors).toHaveProperty(['items.2.parent_line_item_id'])
})

describe('an engraving has one message, or as many as its quantity', () => {
  const engraved = (quantity: number, messages: string[] | null, name = 'engraving') => {
    const items = [
      anItem({ id: 'a', quantity: 4, subtotal: 208 }),
      anItem({
        id: 'e',
        name,
        quantity,
        price: 15,
        subtotal: 15 * quantity,
        parent_line_item_id: 'a',
        aux_data: { engraving_message: messages },
      }),
    ]
    return anOrder(shop.key, { items })
  }

  test.each<[number, string[] | null, string?]>([
    [4, ['A', 'B']],
    [2, ['A', 'B', 'C']],
    [1, ['A', 'B']],
    [3, ['A', 'B'], 'Monogram'],
    [1, []],
    [1, null],
    [2, [' ', '\n']],
    [1, ['  '], 'Monogram'],
    [2, ['', ''], 'Monogram'],
  ])('of %i pieces, %j is refused at the messages', async (...wish) => {
    const before = await countRows()
    const answer = await send(engraved(...wish))
    expect([answer.status, answer.refusal.code]).toEqual([400, 'validation_failed'])
    expect(answer.refusal.errors).toEqual({
      'items.1.aux_data.engraving_message': 'An engraving has one message, or as many as its quantity',
    })
    expect(await countRows()).toEqual(before)
  })

  test.each<[number, string[] | null, string?]>([
    [1, ['A']],
    [4, ['A']],
    [3, ['A', 'B', 'A']],
    [3, ['A', 'B', 'C'], 'Monogram'],
    [1, null, 'Gift wrap'],
    [1, [], 'Gift wrap'],
  ])('of %i pieces, %j is taken in', async (...wish) => {
    const answer = await send(engraved(...wish))
    expect(answer.status).toBe(201)
    expect(answer.body.items[1]).toMatchObject({ quantity: wish[0], subtotal: 15 * wish[0] })
  })
})

test('ENT-038 messages on a bottle itself are counted like those of an engraving', async () => {
  const engraved = (messages: string[]) =>
    send(
      anOrder(shop.key, {
        items: [anItem({ quantity: 6, price: 10, subtotal: 60, aux_data: { engraving_message: messages } })],
      }),
    )
  const two = await engraved(['A', 'B'])
  expect([two.status, two.refusal.errors]).toEqual([
    400,
    { 'items.0.aux_data.engraving_message': 'An engraving has one message, or as many as its quantity' },
  ])
  for (const messages of [[], [' '], ['A'], ['A', 'B', 'C', 'A', 'B', 'C']])
    expect([messages, (await engraved(messages)).status]).toEqual([messages, 201])
})

test('GAP-153 a merchant without set-up payments receives no orders, and can still use those it has', async () => {
  const closed = await desk.openShop()
  const order = await desk.order(closed)
  await desk.owner.query('update merchants set payment_set_up = false where merchant_id = $1', [closed.key])
  const answer = await send(anOrder(closed.key))
  expect([answer.status, answer.refusal.code]).toEqual([409, 'merchant_not_onboarded'])
  const accepted = await desk.call('PUT /m/v2/orders/{id}', {
    as: closed.member,
    params: { id: order.id },
    body: { status: 'MERCHANT_ACCEPTED' },
  })
  expect(accepted.status).toBe(200)
})

describe('GAP-54 a reference works once', () => {
  test('a second order with it is refused, but another merchant may use it too', async () => {
    const sent = anOrder(shop.key)
    const first = await send(sent)
    expect(first.status).toBe(201)
    const before = await countRows()
    const answer = await send(sent)
    expect([answer.status, answer.refusal.code]).toEqual([409, 'duplicate_order'])
    expect(await countRows()).toEqual(before)
    // The refusal has used up no order number.
    const { body } = await send(anOrder(shop.key))
    expect(Number(body.id)).toBe(Number(first.body.id) + 1)
    const elsewhere = await desk.openShop()
    expect((await send({ ...sent, merchant: elsewhere.key })).status).toBe(201)
  })

  test('of twenty at once, at two servers, exactly one is stored', async () => {
    const second = await desk.another()
    const before = await countRows()
    const sent = anOrder(shop.key)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(sent, index % 2 === 0 ? desk : second)),
    )
    const codes = answers.map((answer) => (answer.status === 201 ? 'taken' : answer.refusal.code)).toSorted()
    expect(codes).toEqual([...Array.from({ length: 19 }, () => 'duplicate_order'), 'taken'])
    const after = await countRows()
    for (const name of ['orders', 'history', 'events', 'searchable', 'counted'])
      expect([name, after[name]]).toEqual([name, (before[name] ?? 0) + 1])
  })
})
