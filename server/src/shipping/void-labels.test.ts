import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, type Desk, type Shop } from '../../test/desk.ts'
import { openEasyPostDesk } from '../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../test/providers/easypost-server.ts'
import { orderIn } from '../../test/order-steps.ts'
import { signEvent } from './tracking/tracker-events.ts'

let easyPost: EasyPostServer
let desk: Desk
let shop: Shop
let stop: () => Promise<void>
let webhookSecret: string
beforeAll(async () => {
  ;({ easyPost, desk, shop, stop, webhookSecret } = await openEasyPostDesk())
})
afterAll(() => stop())

const at = (id: string) => ({ as: shop.member, params: { tmk: shop.key, id } })
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const voidLabels = (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', at(id))
const listLabels = async (id: string) =>
  (await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', at(id))).body
const refundsOf = (id: string) =>
  [...easyPost.shipments.values()]
    .filter(({ request }) => String(request['reference']).startsWith(`${id}:`))
    .map(({ refund_status }) => refund_status)

async function shipped(boxes = 1) {
  const order = await orderIn(desk, shop, { status: 'PAYMENT_APPROVED' })
  const { body } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    ...at(order.id),
    body: { order_id: order.id, boxes: Array(boxes).fill({ weight: 2 }) },
  })
  return { id: order.id, codes: body.data.map(({ tracking_code }) => tracking_code) }
}

let events = 0
async function delivered(tracking_code = ''): Promise<void> {
  const text = JSON.stringify({
    id: `evt_void_${++events}`,
    description: 'tracker.updated',
    result: { tracking_code, status: 'delivered' },
  })
  const headers = { 'x-hmac-signature': signEvent(webhookSecret, text) }
  const { status } = await desk.send('POST', '/providers/v1/shipping/events', { body: text, headers })
  expect(status).toBe(200)
}
async function tell(id: string, status: 'DISPUTED' | 'CANCELLED'): Promise<void> {
  const told = await desk.call('POST /marketplace/v1/orders/{id}/status', {
    as: marketplaceCredential,
    params: { id },
    body: { status },
  })
  expect(told.status).toBe(200)
}

function expectVoided(
  order: Awaited<ReturnType<typeof read>>,
  { status, codes }: { status: string; codes: readonly string[] },
): void {
  expect(order).toMatchObject({
    status,
    shipment_info: [],
    tracking_provider: null,
    tracking_id: null,
    tracking_url: null,
  })
  expect(order.history[0]).toMatchObject({
    action: 'void_labels',
    party: 'merchant',
    from: status,
    to: status,
    details: { tracking_codes: codes.join(', ') },
  })
}

const words = {
  CLOSED: ({ codes: [code] }: { codes: string[] }) => delivered(code),
  DISPUTED: ({ id }: { id: string }) => tell(id, 'DISPUTED'),
  CANCELLED: ({ id }: { id: string }) => tell(id, 'CANCELLED'),
}

test.each(['CLOSED', 'DISPUTED', 'CANCELLED'] as const)(
  'T31 an order that becomes %s while its label is voided stays so, and its record says that the label is void',
  async (status) => {
    const parcel = await shipped()
    easyPost.delay(/refund$/, () => words[status](parcel))
    const answer = await voidLabels(parcel.id)
    expect([answer.status, answer.body.status]).toEqual([200, status])
    expect(refundsOf(parcel.id)).toEqual(['submitted'])
    const order = await read(parcel.id)
    expectVoided(order, { status, codes: parcel.codes })
    if (status === 'CLOSED') expect(order.delivery_info?.delivered_on).not.toBeNull()
    expect(await listLabels(parcel.id)).toEqual([])
    expect((await voidLabels(parcel.id)).refusal.code).toBe('invalid_transition')
  },
)

test('T31 when the answer to a void is lost and the parcel is delivered meanwhile, the record is corrected by itself', async () => {
  const parcel = await shipped()
  easyPost.fail(/refund$/, 'drop', 'after')
  const answer = await voidLabels(parcel.id)
  expect([answer.status, answer.refusal.code]).toEqual([502, 'label_provider_failed'])
  await delivered(parcel.codes[0])
  await desk.owner.query('update label_purchases set lease_until = now() where order_id = $1', [parcel.id])
  await expect.poll(async () => (await read(parcel.id)).shipment_info, { interval: 200 }).toEqual([])
  expectVoided(await read(parcel.id), { status: 'CLOSED', codes: parcel.codes })
  expect(refundsOf(parcel.id)).toEqual(['submitted'])
})

test('T31 of two labels the carrier keeps one: the order stays shipped with that one, and the clerk reads so', async () => {
  const { id, codes } = await shipped(2)
  easyPost.fail(/refund$/, {
    status: 422,
    json: { error: { code: 'SHIPMENT.REFUND.UNAVAILABLE', message: '' } },
  })
  const answer = await voidLabels(id)
  expect([answer.status, answer.refusal.code, answer.refusal.message]).toEqual([
    409,
    'labels_partly_voided',
    '1 of 2 labels are voided and refunded. The carrier has the other parcels already.',
  ])
  expect(answer.refusal['order']).toMatchObject({ id, status: 'MERCHANT_SHIPPED', tracking_id: codes[0] })
  const order = await read(id)
  expect(order).toMatchObject({ status: 'MERCHANT_SHIPPED', tracking_id: codes[0] })
  expect(order.shipment_info.map(({ tracking_code }) => tracking_code)).toEqual([codes[0]])
  expect(order.history[0]).toMatchObject({ action: 'void_labels', details: { tracking_codes: codes[1] } })
  const listed = await listLabels(id)
  expect(listed.map(({ box }) => box)).toEqual([1])
  const file = await fetch(new URL(listed[0]?.print_url ?? '', desk.url))
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  expect((await PDFDocument.load(await file.arrayBuffer())).getPageCount()).toBe(1)
  // The carrier kept it for now. A later request may succeed, and then the order returns.
  const again = await voidLabels(id)
  expect([again.status, again.body.status, again.body.shipment_info]).toEqual([200, 'PAYMENT_APPROVED', []])
  expect(refundsOf(id)).toEqual(['submitted', 'submitted'])
})
