import { refusals } from '@cellarhand/contract/refusals'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lateAnswerStreet } from '../port/sentinel-addresses.ts'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { replyOfLostPurchase } from '../../../test/lost-answers.ts'
import { labelBatches, reasonsIn } from '../../../test/label-batches.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { anOrder } from '../../../test/orders.ts'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import { holdSandbox, type SandboxHold } from '../../../test/providers/sandbox-hold.ts'

let desk: TurnableDesk
let shop: Shop
let hold: SandboxHold
beforeAll(async () => {
  desk = await openTurnableDesk({ SANDBOX_STEP_SECONDS: '86400' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop)
  hold = await holdSandbox(desk.owner)
})
afterAll(async () => {
  hold.stop()
  await desk.stop()
})

const told = refusals.address_corrected.message
const accepted = (street_1 = '1 Main Street') =>
  orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    order_weight: 4,
    recipient: { ...anOrder('x').recipient, street_1, phone_number: '+12125550123' },
  })
const params = (id: string) => ({ tmk: shop.key, id })
const buy = (id: string) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
    as: shop.member,
    params: params(id),
    body: { order_id: id, boxes: [{ weight: 4 }] },
  })
const correct = async (id: string) => {
  const { status } = await desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
    as: shop.member,
    params: params(id),
    body: {
      street_1: '7 Real Street',
      city: 'Albany',
      state: 'NY',
      zipcode: '12207',
      phone_number: '+12125550123',
    },
  })
  expect(status).toBe(200)
}
const read = async (id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const sold = async () =>
  (await desk.owner.query(`select 1 from sandbox_parcels where state <> 'quoted'`)).rows.length
/** The parcels that the carrier sold for the order, as it keeps them. */
const parcelsOf = async (id: string) =>
  (await desk.owner.query(`select state from sandbox_parcels where label->>'orderNumber' = $1`, [id])).rows

/** Only the label for the earlier address existed, and it is given back; the order can be bought for again. */
async function expectGivenBack(id: string): Promise<void> {
  await desk.later(async () => expect(await parcelsOf(id)).toEqual([{ state: 'refunded' }]))
  const order = await read(id)
  expect(order).toMatchObject({ status: 'MERCHANT_ACCEPTED', shipment_info: [] })
  expect(order.recipient.street_1).toBe('7 Real Street')
  expect(order.history.slice(0, 2)).toMatchObject([
    { action: 'label_failed', details: { code: 'address_corrected', reason: told } },
    { action: 'correct_address' },
  ])
  expect((await buy(id)).body.order.status).toBe('MERCHANT_SHIPPED')
}

test('T33 an address corrected while its label is being bought: the clerk reads so, and the label goes back', async () => {
  const { id } = await accepted()
  await hold.after(await sold())
  const answer = buy(id)
  await hold.untilHeld()
  await correct(id)
  await hold.end('bought')
  const { status, refusal } = await answer
  expect([status, refusal.code, refusal.message]).toEqual([409, 'address_corrected', told])
  await expectGivenBack(id)
})

test('T33 an address corrected while a label is in doubt: the label goes back when it is found', async () => {
  const { id } = await accepted(lateAnswerStreet)
  expect((await replyOfLostPurchase(desk, id, buy(id))).refusal.code).toBe('carrier_not_responding')
  await correct(id)
  // A clerk would wait for the pause before the next look; the test does not.
  await desk.owner.query(
    `update label_purchases set lease_until = now() + interval '3 seconds' where order_id = $1`,
    [id],
  )
  await expectGivenBack(id)
})

test('T33 what the carrier says of the earlier address does not stand against the corrected one', async () => {
  const { id } = await accepted('0 Nowhere Street')
  const quotes = await desk.owner.connect()
  await quotes.query('begin')
  await quotes.query('lock table label_quotes in access exclusive mode')
  const answer = buy(id)
  await eventually(async () => {
    const { rowCount } = await desk.owner.query(`select from label_purchases where order_id = $1`, [id])
    expect(rowCount).toBe(1)
  })
  await correct(id)
  await quotes.query('rollback')
  quotes.release()
  const { status, refusal } = await answer
  expect([status, refusal.code]).toEqual([422, 'invalid_street'])
  expect((await read(id)).history.map(({ action }) => action)).not.toContain('label_failed')
  expect((await buy(id)).body.order.status).toBe('MERCHANT_SHIPPED')
})

test('T33 an address of a selection corrected while its labels are bought: that order alone gets none', async () => {
  const [first, second] = [await accepted(), await accepted()]
  const labels = labelBatches(desk, shop)
  await hold.after(await sold())
  const { body } = await labels.start([first.id, second.id])
  await hold.untilHeld()
  await correct(second.id)
  await hold.end('bought')
  const batch = await labels.untilEnded(body.batch_id)
  expect(batch).toMatchObject({ completed_count: 1, error_count: 1 })
  expect(reasonsIn(batch)).toEqual({ [second.id]: told })
  expect((await read(first.id)).status).toBe('MERCHANT_SHIPPED')
  await expectGivenBack(second.id)
})
