import type { CourierState } from '@cellarhand/contract/courier-states'
import { allowedTransitions, findTransition, transitions } from '@cellarhand/contract/order-lifecycle'
import { orderStatuses, tabOf, type OrderStatus } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import {
  giveCourierAndParcel,
  orderIn,
  stepNames,
  storedOrder,
  takeStep,
  type Step,
} from '../../../test/order-steps.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  // The sandbox's clocks stand still: parcels and couriers would move on while the test looks.
  desk = await openDesk({ SANDBOX_STEP_SECONDS: '86400', COURIER_SANDBOX_PACE: '0.001' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop)
})
afterAll(async () => desk.stop())

const walked = new Set<Step>()
const kinds = ['shipped', 'on_demand'] as const
const pairs = kinds.flatMap((method) => orderStatuses.map((status) => [status, method] as const))

/** An order in the status, with the courier and the parcel that the step is about. */
async function prepare(status: OrderStatus, method: string, step?: Step): Promise<Order> {
  const isLabelled = step === 'void_labels' && status === 'MERCHANT_SHIPPED' && method === 'shipped'
  const before = isLabelled ? 'MERCHANT_ACCEPTED' : status
  const order = await orderIn(desk, shop, { status: before, method, courier_estimate_id: 'est-1' })
  if (isLabelled) await mustTake(order, 'buy_labels')
  else if (step === 'cancel_courier') await mustTake(order, 'request_courier')
  else if (!isWithoutCourier(step)) await giveCourierAndParcel(desk, order, courierFor(step))
  return read(order.id)
}

/** A courier under way forbids a second one, and a change of the address that it drives to. */
function isWithoutCourier(step: Step | undefined): boolean {
  return step === 'request_courier' || step === 'correct_address'
}

function courierFor(step: Step | undefined): CourierState {
  return step === 'courier_bring_back' ? 'ORDER_PICKED_UP' : 'ORDER_REQUESTED'
}

async function mustTake(order: Order, step: Step): Promise<void> {
  const { status, text } = await takeStep(desk, shop, { order, step })
  if (status !== 200) throw new Error(`${step} was refused: ${text}`)
}

async function read(id: string): Promise<Order> {
  return (await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id } })).body
}

/** The same call means tracking for a carrier order and going out for a local one. */
function isOfKind(step: Step, method: string): boolean {
  return step !== (method === 'shipped' ? 'send_out' : 'save_tracking')
}

/** The word of a failure is `courier_fail` unless the courier has the bottles, so it is never refused by itself. */
function isCall(step: Step): boolean {
  return step !== 'courier_bring_back'
}

/** Once a clerk has sent the order out, a courier who picks up or fails is listened to, and nothing moves. */
function isOnlyNoted(step: Step, status: OrderStatus): boolean {
  return status === 'MERCHANT_SHIPPED' && (step === 'courier_pick_up' || step === 'courier_fail')
}

/** The table's verdict on a step from here; lines that the step itself reports count already. */
function isAllowed(step: Step, order: Order): boolean {
  const reported = order.rejection_message ?? '{"outOfStock":{"p-1":{"checked":true}}}'
  const facts = step === 'reject_partly' ? { ...order, rejection_message: reported } : order
  const { by } = findTransition(step)
  return allowedTransitions(facts, by, new Date().toISOString()).some(({ action }) => action === step)
}

/** The same once `prepare` has made the order ready for the step. */
function isAllowedWhenReady(step: Step, order: Order): boolean {
  const courier_info =
    isWithoutCourier(step) || order.courier_info === null
      ? null
      : { ...order.courier_info, order_status: courierFor(step) }
  return isAllowed(step, { ...order, courier_info })
}

/** What a courier under way forbids is refused in its own words. */
function refusalOf(step: Step, { status, delivery }: Order): string {
  const isReady = findTransition(step).from.includes(status)
  if (step === 'correct_address' && isReady) return 'courier_under_way'
  return step === 'request_courier' && isReady && delivery.method === 'on_demand'
    ? 'courier_not_available'
    : 'invalid_transition'
}

async function countsPerTab(): Promise<Record<string, number>> {
  const { rows } = await desk.owner.query<{ tab: string; n: number }>(
    'select tab, count(*)::int as n from orders where merchant_id = $1 group by tab',
    [shop.key],
  )
  return {
    active: 0,
    on_hold: 0,
    cancelled: 0,
    completed: 0,
    ...Object.fromEntries(rows.map(({ tab, n }) => [tab, n])),
  }
}

test.each(pairs)(
  'GAP-108 from %s (%s) every step outside the table answers 409, and nothing changes',
  async (status, method) => {
    const order = await prepare(status, method)
    expect(order.status).toBe(status)
    const before = await storedOrder(desk, order.id)
    const refused = stepNames.filter(
      (step) =>
        isOfKind(step, method) && isCall(step) && !isAllowed(step, order) && !isOnlyNoted(step, status),
    )
    for (const step of refused) {
      const answer = await takeStep(desk, shop, { order, step })
      expect([step, answer.status, answer.refusal.code]).toEqual([step, 409, refusalOf(step, order)])
      expect(answer.refusal['order']).toMatchObject({ id: order.id, status, version: order.version })
      expect(answer.refusal['latest']).toMatchObject({ to: status })
    }
    expect(refused.length).toBeGreaterThan(8)
    expect(await storedOrder(desk, order.id)).toEqual(before)
  },
)

test.each(pairs)(
  'GEN-012 GEN-018 T03 T05 T06 T08 T09 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21 T22 T23 T24 T25 T26 T27 T28 T29 T30 T31 T32 from %s (%s) every listed step happens whole',
  async (status, method) => {
    const sample = await prepare(status, method)
    const listed = stepNames.filter((step) => isOfKind(step, method) && isAllowedWhenReady(step, sample))
    for (const step of listed) {
      const order = await prepare(status, method, step)
      const before = await storedOrder(desk, order.id)
      const answer = await takeStep(desk, shop, { order, step })
      expect([step, answer.status]).toEqual([step, step === 'refresh_courier' ? 202 : 200])
      walked.add(step)
      if (step === 'refresh_courier') {
        expect(await storedOrder(desk, order.id)).toEqual(before)
        continue
      }
      const { to = status, by, isBack } = findTransition(step)
      if (isBack) {
        expectBack(answer.body, order)
        continue
      }
      expect(answer.body).toMatchObject({ status: to, version: order.version + 1 })
      expect({ ...(await read(order.id)), history: undefined, on_track_status: undefined }).toEqual({
        ...answer.body,
        history: undefined,
        on_track_status: undefined,
      })
      await expectOneHistoryRow(order, { step, to })
      await expectOneEvent(order, to)
      const after = await storedOrder(desk, order.id)
      expect(Number(after.history)).toBe(Number(before.history) + 1)
      expect(Number(after.events)).toBe(Number(before.events) + 1)
      if (by === 'merchant') expect(answer.body.items).toEqual(order.items)
    }
    const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/count', {
      as: shop.owner,
      params: { tmk: shop.key },
    })
    expect(body.counts).toEqual(await countsPerTab())
  },
)

test('GEN-012 the walk has taken every action of the lifecycle table', () => {
  expect([...walked].toSorted()).toEqual(transitions.map(({ action }) => action).toSorted())
})

function expectBack(now: Order, before: Order): void {
  expect(now).toMatchObject({ status: 'MERCHANT_ACCEPTED', version: before.version + 1 })
}

async function expectOneHistoryRow(
  order: Order,
  { step, to }: { step: Step; to: OrderStatus },
): Promise<void> {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id: order.id } })
  expect(body.history[0]).toMatchObject({ action: step, from: order.status, to })
  const [newest] = body.history
  if (newest?.comment != null) {
    expect(body.status_comment).toBe(newest.comment)
    expect(body.status_recent_comment).toBe(newest.comment)
  } else if (!hasOwnWords(step)) {
    expect(body.status_comment).toBe(order.status_comment)
  }
}

/** Steps that put an order on hold say why by themselves. */
function hasOwnWords(step: Step): boolean {
  return step === 'report_items' || step === 'dispute'
}

async function expectOneEvent(order: Order, to: OrderStatus): Promise<void> {
  const { rows } = await desk.owner.query<{ kind: string; payload: string }>(
    `select kind, payload::text from outbox where payload->>'id' = $1 order by event_id desc limit 1`,
    [order.id],
  )
  expect(rows[0]?.kind).toBe('order.updated')
  expect(JSON.parse(rows[0]?.payload ?? '{}')).toMatchObject({
    id: order.id,
    thirstie_logistic_order_ref: order.thirstie_logistic_order_ref,
    status: to,
    tab: tabOf(to, order.delivery.method),
    version: order.version + 1,
  })
}
