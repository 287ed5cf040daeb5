import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp } from '#platform/upkeep/clean-up.ts'
import { connectCarrier } from '../../test/providers/carrier-account.ts'
import { openDesk, openTurnableDesk, type Desk, type Shop } from '../../test/desk.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { orderIn } from '../../test/order-steps.ts'
import { signEvent } from './tracking/tracker-events.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk({ SANDBOX_STEP_SECONDS: '86400' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop, { carrier: 'FedEx' })
})
afterAll(async () => desk.stop())

const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const at = (id: string) => ({ as: shop.member, params: { tmk: shop.key, id } })
const carrier = 'GET /c/v2/merchants/{tmk}/carrier_integration'
const save = 'PUT /c/v2/merchants/{tmk}/carrier_integration'

async function shipped(boxes = 1) {
  const order = await orderIn(desk, shop, { status: 'PAYMENT_APPROVED' })
  const { status, body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    ...at(order.id),
    body: { order_id: order.id, boxes: Array(boxes).fill({ weight: 2 }) },
  })
  expect(status).toBe(200)
  return { order, labels: body.data }
}

const voidLabels = (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', at(id))

/** The sandbox's own key, computed from the server's secret, which no outsider has. */
async function secretOfSandbox(): Promise<string> {
  const { createHmac } = await import('node:crypto')
  return createHmac('sha256', desk.config.sealingKeys[0]).update('sandbox carrier').digest('hex')
}

let events = 0
async function tell(
  code: string,
  status: string,
  { id = `evt_${++events}`, secret = '', body = '', at: datetime = '2026-01-02T03:04:05Z' } = {},
) {
  const text =
    body ||
    JSON.stringify({
      id,
      description: 'tracker.updated',
      result: {
        tracking_code: code,
        status,
        weight: 12.0,
        tracking_details: [{ datetime }],
      },
    })
  return desk.send('POST', '/providers/v1/shipping/events', {
    body: text,
    headers: { 'x-hmac-signature': signEvent(secret || (await secretOfSandbox()), text) },
  })
}

test('T31 labels are voided before the carrier has scanned them: the order is back in its former status, and ships again', async () => {
  const { order, labels } = await shipped(2)
  const { status, body } = await voidLabels(order.id)
  expect([status, body.status, body.shipment_info, body.tracking_id]).toEqual([
    200,
    'PAYMENT_APPROVED',
    [],
    null,
  ])
  const listed = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', at(order.id))
  expect(listed.body).toEqual([])
  expect((await read(order.id)).history[0]).toMatchObject({
    action: 'void_labels',
    details: { tracking_codes: labels.map(({ tracking_code }) => tracking_code).join(', ') },
  })
  expect((await voidLabels(order.id)).status).toBe(409)
  const again = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    ...at(order.id),
    body: { order_id: order.id, boxes: [{ weight: 5 }] },
  })
  expect([again.status, again.body.order.status]).toEqual([200, 'MERCHANT_SHIPPED'])
})

test('T23 GAP-107 the carrier’s signed events move the order, each once, in any sequence, and the last box closes it', async () => {
  const { order, labels } = await shipped(2)
  const [one = '', two = ''] = labels.map(({ tracking_code }) => tracking_code)
  expect((await tell(one, 'out_for_delivery', { id: 'evt_a' })).status).toBe(200)
  expect((await tell(one, 'out_for_delivery', { id: 'evt_a' })).status).toBe(200)
  expect((await tell(one, 'in_transit')).status).toBe(200)
  expect((await tell(one, 'delivered')).status).toBe(200)
  // The carrier dates a scan after the delivery: the box stays delivered, so that the other one closes the order.
  expect((await tell(one, 'in_transit', { at: '2026-01-03T00:00:00Z' })).status).toBe(200)
  const between = await read(order.id)
  expect([between.status, between.history.filter(({ action }) => action === 'carrier_move').length]).toEqual([
    'MERCHANT_SHIPPED',
    2,
  ])
  expect((await voidLabels(order.id)).refusal.code).toBe('labels_not_voidable')
  expect((await tell(two, 'delivered', { id: 'evt_z' })).status).toBe(200)
  const closed = await read(order.id)
  expect([closed.status, closed.delivery_info?.delivered_on]).toEqual(['CLOSED', '2026-01-02T03:04:05.000Z'])
  expect(closed.history[0]).toMatchObject({ action: 'carrier_deliver', party: 'carrier', actor: 'FedEx' })
  // A late event must change nothing.
  expect((await tell(two, 'in_transit')).status).toBe(200)
  expect((await tell(two, 'delivered', { id: 'evt_z' })).status).toBe(200)
  expect((await read(order.id)).version).toBe(closed.version)
})

test.each(['7', '2026-02-30T00:00:00Z', 'Nov 2 2026', '2026-01-02'])(
  'T23 GAP-107 a delivery that the carrier dates %s, which is no moment, is recorded as of now',
  async (at) => {
    const { order, labels } = await shipped()
    const before = Date.now()
    expect((await tell(labels[0]?.tracking_code ?? '', 'delivered', { at })).status).toBe(200)
    const { status, delivery_info: info } = await read(order.id)
    expect([status, Date.parse(info?.delivered_on ?? '') >= before]).toEqual(['CLOSED', true])
  },
)

test('T23 GAP-107 of two events of the same rank the newer one counts, in whichever sequence they arrive', async () => {
  const { order, labels } = await shipped()
  const code = labels[0]?.tracking_code ?? ''
  const movesOf = async () => {
    const { history } = await read(order.id)
    return history.filter(({ party }) => party === 'carrier').map(({ action }) => action)
  }
  const noon = (minute: number) => `2026-01-02T12:${String(minute).padStart(2, '0')}:00Z`
  await tell(code, 'return_to_sender', { at: noon(30) })
  await tell(code, 'out_for_delivery', { at: noon(10) })
  expect(await movesOf()).toEqual(['carrier_fail'])
  // A repeated failure is no news for the order, and yet the parcel is further in time.
  await tell(code, 'failure', { at: noon(50) })
  await tell(code, 'available_for_pickup', { at: noon(40) })
  expect(await movesOf()).toEqual(['carrier_fail'])
  // The carrier tries again. An event of the same moment, and one whose time cannot be read, count as they arrive.
  await tell(code, 'out_for_delivery', { at: noon(55) })
  await tell(code, 'failure', { at: noon(55) })
  await tell(code, 'available_for_pickup', { at: 'soon' })
  const all = ['carrier_move', 'carrier_fail', 'carrier_move', 'carrier_fail']
  expect(await movesOf()).toEqual(all)
  await tell(code, 'failure', { at: noon(54) })
  expect(await movesOf()).toEqual(all)
  // The last word counts at any time.
  await tell(code, 'delivered', { at: noon(1) })
  expect((await read(order.id)).status).toBe('CLOSED')
})

test('T23 two boxes delivered at the same moment close the order', async () => {
  const { order, labels } = await shipped(2)
  const held = await desk.owner.connect()
  await held.query('begin')
  await held.query('select 1 from orders where order_id = $1 for update', [order.id])
  const told = Promise.all(labels.map(({ tracking_code }) => tell(tracking_code, 'delivered')))
  const waiting = async () => {
    const { rows } = await desk.owner.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  await expect.poll(waiting).toBeGreaterThanOrEqual(2)
  await held.query('commit')
  held.release()
  expect((await told).map(({ status }) => status)).toEqual([200, 200])
  expect((await read(order.id)).status).toBe('CLOSED')
})

test('the record of a taken event lasts 30 days', async () => {
  const { labels } = await shipped()
  await tell(labels[0]?.tracking_code ?? '', 'in_transit', { id: 'evt_old' })
  const remembered = `from received_events where provider = 'Sandbox carrier' and event_id = 'evt_old'`
  const aged = `update received_events set received_at = now() - make_interval(days => $1) where event_id = 'evt_old'`
  await desk.owner.query(aged, [29])
  await cleanUp(desk.app.db, desk.upkeep)
  expect((await desk.owner.query(`select 1 ${remembered}`)).rows).toHaveLength(1)
  await desk.owner.query(aged, [31])
  await cleanUp(desk.app.db, desk.upkeep)
  expect((await desk.owner.query(`select 1 ${remembered}`)).rows).toEqual([])
  expect((await desk.owner.query('select 1 from provider_events')).rows).toEqual([])
})

test('a wrong, missing or old signature moves nothing; a message about something else is accepted and ignored', async () => {
  const { order, labels } = await shipped()
  const code = labels[0]?.tracking_code ?? ''
  const before = await read(order.id)
  const unsigned = await desk.send('POST', '/providers/v1/shipping/events', { body: { id: 'evt_q' } })
  expect(unsigned.status).toBe(403)
  expect((await tell(code, 'delivered', { secret: 'guessed' })).status).toBe(403)
  expect((await tell(code, 'unheard_of')).status).toBe(200)
  expect((await tell('1Z-of-nobody', 'delivered')).status).toBe(200)
  expect(
    (await tell('', '', { body: '{"id":"evt_b","description":"batch.updated","result":{}}' })).status,
  ).toBe(200)
  expect((await tell('', '', { body: '{"half":' })).status).toBe(400)
  expect((await read(order.id)).version).toBe(before.version)
})

test('T32 a mistyped tracking number can be corrected later; a bought label’s number cannot', async () => {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_SHIPPED' })
  const correct = 'PUT /m/v2/merchant/{tmk}/orders/{id}/tracking'
  const bad = await desk.call(correct, {
    ...at(order.id),
    body: { tracking_provider: 'FedEx', tracking_id: '' },
  })
  expect(bad.refusal.errors).toEqual({ tracking_id: '* Please fill in all the fields' })
  const { status, body } = await desk.call(correct, {
    ...at(order.id),
    body: { version: order.version, tracking_provider: 'FedEx', tracking_id: '7000 0000 0001' },
  })
  expect([status, body.status, body.tracking_id, body.shipment_info]).toEqual([
    200,
    'MERCHANT_SHIPPED',
    '700000000001',
    [
      {
        carrier: 'FedEx',
        tracking_code: '700000000001',
        tracking_url: 'https://www.fedex.com/fedextrack/?trknbr=700000000001',
      },
    ],
  ])
  expect((await read(order.id)).history[0]).toMatchObject({
    action: 'correct_tracking',
    details: { was: order.tracking_id, tracking_code: '700000000001' },
  })
  const { order: labelled } = await shipped()
  const refused = await desk.call(correct, {
    ...at(labelled.id),
    body: { tracking_provider: 'FedEx', tracking_id: '1' },
  })
  expect([refused.status, refused.refusal.code]).toEqual([409, 'tracking_from_labels'])
  const back = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/came_back', {
    ...at(labelled.id),
    body: { bottles: 1, version: (await read(labelled.id)).version },
  })
  expect(back.status, 'a parcel that came back goes out again under a number of its own').toBe(200)
  for (const number of ['7000 0000 0002', '7000 0000 0003']) {
    const again = await desk.call(correct, {
      ...at(labelled.id),
      body: { tracking_provider: 'FedEx', tracking_id: number },
    })
    expect([again.status, again.body.came_back]).toEqual([200, undefined])
  }
  const fresh = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const early = await desk.call(correct, {
    ...at(fresh.id),
    body: { tracking_provider: 'UPS', tracking_id: '1' },
  })
  expect([early.status, early.refusal.code]).toEqual([409, 'invalid_transition'])
})

test('API-052 CARR-002 ENT-005 GAP-25 GAP-129 a carrier account is checked, stored without its number, changed and disconnected', async () => {
  const store = await desk.openShop()
  const params = { tmk: store.key }
  expect((await desk.call(carrier, { as: store.member, params })).status).toBe(404)
  const form = {
    carrier: 'UPS' as const,
    account_number: 'X9Y8-Z7W6',
    account_zip: '94110',
    label_size: '4x6' as const,
    label_format: 'PDF' as const,
  }
  const ofMerchant = async () =>
    (await desk.call('GET /c/v2/merchants/{tmk}', { as: store.member, params })).body.carrier_integration
  const refused = await desk.call(save, {
    as: store.manager,
    params,
    body: { ...form, account_number: 'A0000' },
  })
  expect([refused.status, refused.refusal.code]).toEqual([422, 'account_unauthorized'])
  expect(await ofMerchant()).toBeNull()
  expect((await desk.call(carrier, { as: store.member, params })).status).toBe(404)
  const saved = await desk.call(save, { as: store.manager, params, body: form })
  const shown = {
    carrier: 'UPS',
    account_number_last_4: 'Z7W6',
    account_zip: '94110',
    label_size: '4x6',
    label_format: 'PDF',
    status: 'connected',
  }
  expect([saved.status, saved.body]).toEqual([200, shown])
  expect((await desk.call(carrier, { as: store.member, params })).body).toEqual(shown)
  expect(await ofMerchant()).toEqual({ carrier: 'UPS', status: 'connected' })
  const { rows } = await desk.owner.query<{ text: string }>(
    `select row_to_json(s)::text || coalesce((select row_to_json(c)::text from carrier_accounts c where c.merchant_id = s.merchant_id), '') as text
     from merchant_secrets s where merchant_id = $1`,
    [store.key],
  )
  expect(rows[0]?.text).not.toContain('X9Y8')
  const resized = await desk.call(save, {
    as: store.manager,
    params,
    body: { ...form, account_number: null, label_size: '8.5x11' },
  })
  expect(resized.body).toEqual({ ...shown, label_size: '8.5x11' })
  const toPrinter = (label_size: '4x6' | '8.5x11') =>
    desk.call(save, {
      as: store.manager,
      params,
      body: { ...form, account_number: null, label_size, label_format: 'ZPL' },
    })
  expect((await toPrinter('8.5x11')).refusal.errors).toEqual({ label_size: 'ZPL labels are 4x6 only' })
  expect((await toPrinter('4x6')).body).toEqual({ ...shown, label_format: 'ZPL' })
  const other = await desk.call(save, {
    as: store.manager,
    params,
    body: { ...form, carrier: 'GSO', account_number: null, account_zip: '9411' },
  })
  expect(other.refusal.errors).toEqual({
    account_number: 'Please enter your account number',
    account_zip: 'Please enter a valid zip',
  })
  expect((await desk.call(save, { as: store.member, params, body: form })).status).toBe(403)
  const gone = await desk.call('DELETE /c/v2/merchants/{tmk}/carrier_integration', {
    as: store.manager,
    params,
  })
  expect(gone.status).toBe(200)
  expect((await desk.call(carrier, { as: store.member, params })).status).toBe(404)
  expect(await ofMerchant()).toBeNull()
  const left = await desk.owner.query('select 1 from merchant_secrets where merchant_id = $1', [store.key])
  expect(left.rows).toEqual([])
})

describe('a carrier account that another clerk changes while it is saved', () => {
  const form = { carrier: 'UPS', account_zip: '94110', label_size: '4x6', label_format: 'PDF' } as const
  async function openStore() {
    const store = await desk.openShop()
    const params = { tmk: store.key }
    const put = async (changes: { account_number?: string; label_size?: '8.5x11' }) =>
      desk.call(save, { as: store.manager, params, body: { ...form, ...changes } })
    const connected = await put({ account_number: 'X9Y8Z7W6' })
    expect(connected.status).toBe(200)
    const known = async () => (await desk.call(carrier, { as: store.member, params })).body
    return { key: store.key, put, known }
  }

  test('keeps the new number under the new paper size', async () => {
    const { key, put, known } = await openStore()
    // A save without a number keeps the account that it has read.
    const held = await holdRows(
      desk,
      `select pg_advisory_xact_lock(hashtextextended('carrier account ' || provider || ' ' || provider_account, 0))
       from carrier_accounts where merchant_id = $1`,
      [key],
    )
    const late = put({ label_size: '8.5x11' })
    await held.waiting(1)
    expect((await put({ account_number: 'Q1Q2Q3Q4' })).status).toBe(200)
    await held.release()
    const changed = { ...form, account_number_last_4: 'Q3Q4', label_size: '8.5x11', status: 'connected' }
    expect((await late).body).toEqual(changed)
    expect(await known()).toEqual(changed)
  })

  test('stays disconnected', async () => {
    const { key, put, known } = await openStore()
    const held = await holdRows(desk, 'select 1 from carrier_accounts where merchant_id = $1 for update', [
      key,
    ])
    const late = put({ label_size: '8.5x11' })
    await held.waiting(1)
    await held.query('delete from carrier_accounts where merchant_id = $1', [key])
    await held.query('delete from merchant_secrets where merchant_id = $1', [key])
    await held.release()
    const answer = await late
    expect([answer.status, answer.refusal.errors]).toEqual([
      400,
      { account_number: 'Please enter your account number' },
    ])
    expect(await known()).toMatchObject({ code: 'not_found' })
  })
})

test('the sandbox’s clock moves a parcel from station to station until its order is closed', async () => {
  const quick = await openTurnableDesk({ SANDBOX_STEP_SECONDS: '1' })
  try {
    const store = await quick.openShop()
    await connectCarrier(quick, store, { carrier: 'GSO' })
    const order = await orderIn(quick, store, { status: 'MERCHANT_ACCEPTED' })
    await quick.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
      as: store.member,
      params: { tmk: store.key, id: order.id },
      body: { order_id: order.id, boxes: [{ weight: 2 }] },
    })
    const closed = await quick.later(async () => {
      const { body } = await quick.call('GET /m/v2/orders/{id}', {
        as: store.member,
        params: { id: order.id },
      })
      expect(body.status).toBe('CLOSED')
      return body
    })
    expect(closed.history.map(({ action }) => action).slice(0, 3)).toEqual([
      'carrier_deliver',
      'carrier_move',
      'carrier_move',
    ])
  } finally {
    await quick.stop()
  }
})
