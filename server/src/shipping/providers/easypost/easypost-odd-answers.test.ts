import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Shop, TurnableDesk } from '../../../../test/desk.ts'
import { labelBatches } from '../../../../test/label-batches.ts'
import { orderIn } from '../../../../test/order-steps.ts'
import { openEasyPostDesk } from '../../../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../../../test/providers/easypost-server.ts'

let easyPost: EasyPostServer
let desk: TurnableDesk
let shop: Shop
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ easyPost, desk, shop, stop } = await openEasyPostDesk())
})
afterAll(() => stop())

const accepted = async () =>
  (await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', order_weight: 4.5 })).id
const buy = (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: { tmk: shop.key, id },
    body: { order_id: id, boxes: [{ weight: 4.5 }] },
  })
const soldFor = (id: string) =>
  [...easyPost.shipments.values()].filter(
    ({ tracking_code, request }) =>
      tracking_code !== null && String(request['reference']).startsWith(`${id}:`),
  )
/** Longer ago than a purchase that EasyPost does not know can still arrive. */
const letTimePass = async (id: string) => {
  await desk.owner.query(
    `update shipping_labels set buying_since = now() - interval '10 minutes' where order_id = $1`,
    [id],
  )
  await desk.owner.query(`update label_purchases set lease_until = now() where order_id = $1`, [id])
}
/** The order's first purchase, once the background work has looked at it and put it off or ended it. */
const stateOfFirst = async (id: string) =>
  desk.later(async () => {
    const { rows } = await desk.owner.query<{ state: string; is_looked_at: boolean }>(
      `select state, finished_at is not null or lease_until > now() + interval '2 minutes' as is_looked_at
       from label_purchases where order_id = $1 order by created_at limit 1`,
      [id],
    )
    expect(rows).toMatchObject([{ is_looked_at: true }])
    return rows[0]?.state
  })

const code = '1Z999AA10000000001'
test.each([
  [{ tracking_code: '', selected_rate: { carrier: 'UPSDAP' } }],
  [{ tracking_code: '1Z\0', selected_rate: { carrier: 'UPSDAP' } }],
  [{ tracking_code: code }],
  [{ tracking_code: code, selected_rate: { carrier: '' } }],
])(
  'a purchase that EasyPost answers with %j is looked at again, and the order has carrier and code',
  async (json) => {
    const id = await accepted()
    easyPost.fail(/buy$/, { json }, 'after')
    const { body } = await buy(id)
    const [sold] = soldFor(id)
    expect(body.order).toMatchObject({ tracking_provider: 'UPS', tracking_id: sold?.tracking_code })
    expect(soldFor(id)).toHaveLength(1)
  },
)

test('where a label’s answer does not name who sold it, the carrier is that of the offers', async () => {
  const id = await accepted()
  easyPost.fail(/buy$/, { json: { tracking_code: code, rates: [{ carrier: 'UPSDAP' }] } }, 'after')
  expect((await buy(id)).body.order).toMatchObject({ tracking_provider: 'UPS', tracking_id: code })
})

test.each([
  [{ tracking_code: null, selected_rate: { carrier: 'UPSDAP' }, postage_label: null }],
  [{ tracking_code: 7, selected_rate: null, postage_label: null }],
  [{ tracking_code: '', selected_rate: null, postage_label: { label_url: 'x' } }],
])('a lost purchase of which EasyPost shows %j stays in doubt until it can be read', async (json) => {
  const id = await accepted()
  easyPost.fail(/buy$/, 'drop', 'after')
  for (let times = 0; times < 3; times++) easyPost.fail(/^GET \/shipments\/\w+$/, { json })
  easyPost.requests.length = 0
  const looks = () =>
    easyPost.requests.filter(({ method, path }) => method === 'GET' && path.startsWith('/shipments/'))
  expect((await buy(id)).status).toBe(502)
  await letTimePass(id)
  await desk.later(() => expect(looks().length).toBeGreaterThan(2))
  await letTimePass(id)
  const ended = await desk.later(async () => {
    const { rows } = await desk.owner.query(
      'select state from label_purchases where order_id = $1 and finished_at is not null',
      [id],
    )
    expect(rows).toHaveLength(1)
    return rows
  })
  expect(ended).toEqual([{ state: 'bought' }])
  expect(soldFor(id)).toHaveLength(1)
})

test.each([
  [{ created_at: 'soon' }],
  [{ created_at: '7' }],
  [{ created_at: null }],
  [{ state: 'queued' }],
  [{ state: null }],
])('a batch that is %j may still buy its labels, and leaves them in doubt', async (odd) => {
  const id = await accepted()
  easyPost.fail(/batches\/\w+\/buy$/, 'drop')
  const labels = labelBatches(desk, shop, desk.later)
  const { body } = await labels.start([id, await accepted()])
  await desk.later(async () => expect((await labels.read(body.batch_id)).in_doubt).toHaveLength(2))
  const [batch] = [...easyPost.batches.all.values()].slice(-1)
  Object.assign(batch ?? {}, odd)
  await letTimePass(id)
  expect(await stateOfFirst(id)).toBe('in_doubt')
})
