import type { CourierState } from '@cellarhand/contract/courier-states'
import type { OrderAction } from '@cellarhand/contract/order-lifecycle'
import type { OrderStatus } from '@cellarhand/contract/order-statuses'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import { courierSentinels } from '../src/delivery/couriers/courier-sentinels.ts'
import { marketplaceCredential, type Answer, type DeskCalls, type Person, type Shop } from './desk.ts'
import { anItem, anOrder, deliveryBy } from './orders.ts'

/** Every action, as the call that asks for it. */
const steps = {
  accept: (at) => at.update({ status: 'MERCHANT_ACCEPTED' }),
  reject: (at) => at.reject({ reason: { code: 'store_closed' } }),
  report_items: (at) =>
    at.update({ status: 'REJECTED_PARTIAL', order: { rejection_message: report(unreported(at.order)) } }),
  reject_partly: (at) =>
    at.reject({
      status: 'REJECTED_PARTIAL',
      reason: { code: 'bad_weather' },
      rejection_message: at.order.rejection_message ?? report('p-1'),
    }),
  resume: (at) => {
    const { items, transaction } = corrected()
    return at.tell({ status: 'SUBMITTED', items, transaction, comment: 'The customer agreed' })
  },
  submit_payment: (at) => at.tell({ status: 'PAYMENT_SUBMITTED' }),
  approve_payment: (at) => at.tell({ status: 'PAYMENT_APPROVED' }),
  decline_payment: (at) => at.tell({ status: 'PAYMENT_DECLINED', comment: 'Card refused' }),
  save_tracking: (at) =>
    at.update({ status: 'MERCHANT_SHIPPED', order: { tracking_provider: 'UPS', tracking_id: '1Z 999' } }),
  send_out: (at) => at.update({ status: 'MERCHANT_SHIPPED' }),
  deliver: (at) => at.update({ status: 'CLOSED', delivery_info: { delivered_on: at.order.date_submitted } }),
  courier_pick_up: (at) => at.courier('ORDER_PICKED_UP'),
  courier_fail: (at) => at.courier('ORDER_FAILED'),
  courier_deliver: (at) => at.courier('ORDER_DELIVERED'),
  carrier_deliver: (at) => at.carrier('delivered'),
  cancel: (at) => at.tell({ status: 'CANCELLED', comment: 'No ID shown' }),
  dispute: (at) => at.tell({ status: 'DISPUTED' }),
  settle_dispute: (at) => at.tell({ status: 'CLOSED' }),
  refund: (at) => at.tell({ status: 'REFUNDED' }),
  bring_back: (at) => at.bringBack({ reason: 'nobody_there' }),
  correct_address: (at) =>
    at.correctAddress({ street_1: '2 Other Street', city: 'Los Angeles', state: 'CA', zipcode: '90013' }),
  courier_bring_back: (at) => at.courier('ORDER_FAILED'),
  buy_labels: (at) => at.buyLabels(),
  void_labels: (at) => at.voidLabels(),
  correct_tracking: (at) => at.correct({ tracking_provider: 'FedEx', tracking_id: '7946' }),
  request_courier: (at) => at.requestCourier(),
  refresh_courier: (at) => at.refreshCourier(),
  cancel_courier: (at) => at.cancelCourier(),
} satisfies Record<OrderAction, (at: Counter) => Promise<Answer<Order>>>

export type Step = keyof typeof steps
export const stepNames = Object.keys(steps) as Step[]

/** How an order of either kind reaches each status, through calls alone. */
const roads: Record<OrderStatus, (local: boolean) => Step[]> = {
  SUBMITTED: () => [],
  MERCHANT_ACCEPTED: () => ['accept'],
  PAYMENT_SUBMITTED: () => ['accept', 'submit_payment'],
  PAYMENT_APPROVED: () => ['accept', 'submit_payment', 'approve_payment'],
  PAYMENT_DECLINED: () => ['accept', 'decline_payment'],
  MERCHANT_SHIPPED: (local) => ['accept', local ? 'send_out' : 'save_tracking'],
  CLOSED: (local) => [
    'accept',
    ...(local ? (['send_out', 'deliver'] as const) : (['save_tracking', 'carrier_deliver'] as const)),
  ],
  REJECTED_PARTIAL: () => ['report_items'],
  MERCHANT_REJECTED: () => ['reject'],
  CANCELLED: () => ['cancel'],
  DISPUTED: (local) => ['accept', local ? 'send_out' : 'save_tracking', 'dispute'],
  REFUNDED: () => ['cancel', 'refund'],
}

/** The actions of a clerk, and of the parties outside, on one order. */
interface Counter {
  readonly order: Order
  update(body: object): Promise<Answer<Order>>
  reject(body: object): Promise<Answer<Order>>
  tell(body: object): Promise<Answer<Order>>
  courier(order_status: CourierState): Promise<Answer<Order>>
  carrier(event: string): Promise<Answer<Order>>
  bringBack(body: object): Promise<Answer<Order>>
  buyLabels(): Promise<Answer<Order>>
  voidLabels(): Promise<Answer<Order>>
  correct(body: object): Promise<Answer<Order>>
  correctAddress(body: object): Promise<Answer<Order>>
  requestCourier(): Promise<Answer<Order>>
  refreshCourier(): Promise<Answer<Order>>
  cancelCourier(): Promise<Answer<Order>>
}

export function counterOf(desk: DeskCalls, { key, as }: { key: string; as: Person }, order: Order): Counter {
  const params = { id: order.id }
  const outside = { as: marketplaceCredential, params }
  const inside = { as, params: { tmk: key, ...params } }
  return {
    order,
    update: (body) => desk.call('PUT /m/v2/orders/{id}', { as, params, body }),
    reject: (body) => desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', { ...inside, body }),
    tell: (body) => desk.call('POST /marketplace/v1/orders/{id}/status', { ...outside, body }),
    courier: (order_status) =>
      desk.call('POST /marketplace/v1/orders/{id}/courier_events', { ...outside, body: { order_status } }),
    carrier: (event) =>
      desk.call('POST /marketplace/v1/orders/{id}/carrier_events', {
        ...outside,
        body: { tracking_code: '1Z999', event },
      }),
    correctAddress: (body) =>
      desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
        as,
        params: { tmk: key, ...params },
        body,
      }),
    bringBack: (body) =>
      desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', { ...inside, body }),
    async buyLabels() {
      const body = { order_id: order.id, boxes: [{ weight: 4 }] }
      const answer = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
        ...inside,
        body,
      })
      return { ...answer, body: answer.body.order }
    },
    voidLabels: () => desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', inside),
    correct: (body) => desk.call('PUT /m/v2/merchant/{tmk}/orders/{id}/tracking', { ...inside, body }),
    requestCourier: () =>
      desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
        ...inside,
        body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
      }),
    async refreshCourier() {
      const answer = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/refresh', inside)
      return { ...answer, body: { ...order, courier_info: answer.body.courier_info } }
    },
    cancelCourier: () => desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel', inside),
  }
}

export async function takeStep(desk: DeskCalls, shop: Shop, { order, step }: { order: Order; step: Step }) {
  return steps[step](counterOf(desk, { key: shop.key, as: shop.member }, order))
}

/** An order of two lines in the wanted status, which it reached through real calls. */
export async function orderIn(
  desk: DeskCalls,
  shop: Shop,
  { status, method = 'shipped', ...changes }: { status: OrderStatus; method?: string } & Partial<NewOrder>,
): Promise<Order> {
  let order = await desk.order(shop, { items: twoItems(), delivery: deliveryBy(method), ...changes })
  for (const step of roads[status](method === 'on_demand' || method === 'scheduled')) {
    const answer = await takeStep(desk, shop, { order, step })
    if (answer.status !== 200) throw new Error(`${step} was refused: ${answer.text}`)
    order = answer.body
  }
  return order
}

/** Couriers and parcels as an outside service would have put them there. */
export async function giveCourierAndParcel(
  desk: DeskCalls,
  order: Order,
  order_status: CourierState = 'ORDER_REQUESTED',
): Promise<void> {
  const stored = await storedOrder(desk, order.id)
  const document = {
    ...(JSON.parse(stored.document) as Order),
    courier_info: {
      provider: 'Fleet',
      tracking_url: null,
      number_of_packages: 1,
      estimated_delivery_time: null,
      estimated_pickup_time: null,
      requested_pickup_time: null,
      order_status,
    },
    shipment_info: [{ carrier: 'UPS', tracking_url: null, tracking_code: '1Z999' }],
  }
  await desk.owner.query('update orders set document = $2 where order_id = $1', [
    order.id,
    JSON.stringify(document),
  ])
}

/** An order for a courier, to the street where the sandbox's courier follows the plan. */
export function courierOrder(desk: DeskCalls, shop: Shop, plan: string): Promise<Order> {
  return orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    method: 'on_demand',
    courier_estimate_id: 'est-1',
    recipient: {
      ...anOrder('x').recipient,
      street_1: courierSentinels.find((sentinel) => sentinel.plan === plan)?.street ?? '1 Quiet Street',
      phone_number: '+12125550123',
    },
  })
}

export async function storedOrder(desk: DeskCalls, id: string) {
  const { rows } = await desk.owner.query<{
    document: string
    version: number
    history: string
    events: string
  }>(
    `select o.document::text, o.status, o.tab, o.display_group, o.version, o.shipped_at,
       (select count(*) from order_history h where h.order_id = o.order_id) as history,
       (select count(*) from outbox e where e.payload->>'id' = o.order_id) as events
     from orders o where o.order_id = $1`,
    [id],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no order ${id}`)
  return row
}

export function twoItems() {
  return [
    anItem({ id: 'line-1', product: { id: 'p-1' } }),
    anItem({ id: 'line-2', product: { id: 'p-2' }, quantity: 2, subtotal: 104 }),
  ]
}

function corrected() {
  return anOrder('none', {
    items: [anItem({ id: 'line-9', product: { id: 'p-9' }, price: 40, subtotal: 40 })],
  })
}

function report(productId: string): string {
  return JSON.stringify({ outOfStock: { [productId]: { checked: true, reason: 'within 48 hrs' } } })
}

function unreported(order: Order): string {
  return order.rejection_message?.includes('p-1') === true ? 'p-2' : 'p-1'
}
