import { allowedTransitions, findTransition } from '@cellarhand/contract/order-lifecycle'
import { orderStatuses, tabOf, type OrderStatus } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
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
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const kinds = ['shipped', 'on_demand'] as const
const pairs = kinds.flatMap((method) => orderStatuses.map((status) => [status, method] as const))

async function prepare(status: OrderStatus, method: string): Promise<Order> {
  const order = await orderIn(desk, shop, { status, method, courier_estimate_id: 'est-1' })
  await giveCourierAndParcel(desk, order)
  return read(order.id)
}

async function read(id: string): Promise<Order> {
  return (await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id } })).body
}

/** The same call means tracking for a carrier order and going out for a local one. */
function isOfKind(step: Step, method: string): boolean {
  return step !== (method === 'shipped' ? 'send_out' : 'save_tracking')
}

/** After a clerk has sent the order out, a courier's pick-up or failure is recorded, and nothing moves. */
function isOnlyNoted(step: Step, status: OrderStatus): boolean {
  return status === 'MERCHANT_SHIPPED' && (step === 'courier_pick_up' || step === 'courier_fail')
}

/** The table's verdict on a step from here; lines that the step itself reports count already. */
function isAllowed(step: Step, order: Order): boolean {
  const reported = order.rejection_message ?? '{"outOfStock":{"p-1":{"checked":true}}}'
  const facts = step === 'reject_partly' ? { ...order, rejection_message: reported } : order
  const { by } = findTransition(step)
  return allowedTransitions(facts, by, Date.now()).some(({ action }) => action === step)
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
      (step) => isOfKind(step, method) && !isAllowed(step, order) && !isOnlyNoted(step, status),
    )
    for (const step of refused) {
      const answer = await takeStep(desk, shop, { order, step })
      expect([step, answer.status, answer.refusal.code]).toEqual([step, 409, 'invalid_transition'])
      expect(answer.refusal['order']).toMatchObject({ id: order.id, status, version: order.version })
      expect(answer.refusal['latest']).toMatchObject({ to: status })
    }
    expect(refused.length).toBeGreaterThan(8)
    expect(await storedOrder(desk, order.id)).toEqual(before)
  },
)

test.each(pairs)(
  'GEN-012 GEN-018 T03 T05 T06 T08 T09 T10 T11 T12 T13 T15 T16 T19 T20 T21 T22 T23 T24 T25 T26 T27 T29 from %s (%s) every listed step happens completely',
  async (status, method) => {
    const sample = await prepare(status, method)
    const listed = stepNames.filter((step) => isOfKind(step, method) && isAllowed(step, sample))
    for (const step of listed) {
      const order = await prepare(status, method)
      const before = await storedOrder(desk, order.id)
      const answer = await takeStep(desk, shop, { order, step })
      expect([step, answer.status]).toEqual([step, 200])
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
  } else {
    expect(body.status_comment).toBe(order.status_comment)
  }
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
