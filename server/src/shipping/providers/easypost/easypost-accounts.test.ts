import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Desk, Shop } from '../../../../test/desk.ts'
import { orderIn } from '../../../../test/order-steps.ts'
import { openEasyPostDesk } from '../../../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../../../test/providers/easypost-server.ts'
import { signEvent } from '../../tracking/tracker-events.ts'

let easyPost: EasyPostServer
let desk: Desk
let shop: Shop
let stop: () => Promise<void>
let webhookSecret: string
beforeAll(async () => {
  ;({ easyPost, desk, shop, stop, webhookSecret } = await openEasyPostDesk())
})
afterAll(() => stop())
beforeEach(() => {
  easyPost.requests.length = 0
})

const connect = (at: Shop, account: { carrier: 'FedEx' | 'UPS'; account_number: string }) =>
  desk.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: at.manager,
    params: { tmk: at.key },
    body: { account_zip: '10001', label_size: '4x6', label_format: 'PDF', ...account },
  })

test.each([
  ['FedEx', 'FedexAccount', 'a code that it sends'],
  ['UPS', 'UpsAccount', 'its own sign-in page'],
] as const)(
  '%s wants the owner on its own pages: the answer says how, and what was set up there is found',
  async (carrier, type, why) => {
    const store = await desk.openShop()
    const account_number = `${carrier}-770`
    const refused = await connect(store, { carrier, account_number })
    expect([refused.status, refused.refusal.code]).toEqual([422, 'account_unauthorized'])
    expect(refused.refusal.message).toContain(why)
    expect(easyPost.requests.filter(({ method }) => method === 'POST')).toEqual([])
    easyPost.accounts.push({ id: `ca_${carrier}`, type, reference: `${carrier}770`, credentials: {} })
    expect((await connect(store, { carrier, account_number })).status).toBe(200)
  },
)

/** Ships an order, and returns what its history keeps of the carrier's report on the parcel. */
async function reported(tracker: Record<string, unknown>) {
  const order = await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED' })
  const { body: bought } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { order_id: order.id, boxes: [{ weight: 4.5 }] },
  })
  const text = JSON.stringify({
    id: `evt_${order.id}`,
    description: 'tracker.updated',
    result: { tracking_code: bought.data[0]?.tracking_code, ...tracker },
  })
  await desk.send('POST', '/providers/v1/shipping/events', {
    body: text,
    headers: { 'x-hmac-signature': signEvent(webhookSecret, text) },
  })
  const { status, history } = (
    await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
  ).body
  return { status, entry: history.find(({ party }) => party === 'carrier') }
}

test.each([
  ['cancelled', [{ message: 'Shipper cancelled the pickup ' }], 'Shipper cancelled the pickup'],
  ['cancelled', undefined, 'the shipment was cancelled at the carrier'],
  ['error', [{ message: 'Scanned' }, { message: 'Label void' }], 'Label void'],
  ['error', [{ message: 7 }, null], 'the carrier cannot follow it'],
  ['failure', [{ message: 'x'.repeat(500) }], 'x'.repeat(200)],
])(
  'a parcel that is %s has a failed delivery in its history, in the carrier’s words',
  async (status, said, words) => {
    const { status: stays, entry } = await reported({ status, tracking_details: said })
    expect([stays, entry?.action, entry?.details]).toEqual([
      'MERCHANT_SHIPPED',
      'carrier_fail',
      expect.objectContaining({ event: 'failed', status: words }),
    ])
  },
)

test('a parcel that waits at a pick-up point is said to, and is not delivered', async () => {
  const { status, entry } = await reported({ status: 'available_for_pickup' })
  expect([status, entry?.details]).toEqual([
    'MERCHANT_SHIPPED',
    expect.objectContaining({ event: 'in_transit', status: 'waits at a pick-up point for the customer' }),
  ])
})
