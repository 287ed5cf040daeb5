import { Type } from 'typebox'
import { bulkLimit } from '../documents/bulk.ts'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  Day,
  idempotencyKey,
  maybe,
  MerchantKey,
  nullable,
  object,
  ofMerchant,
  ofMerchantOrder,
  ofOrder,
  OrderId,
  ours,
  Reference,
  text,
  Timestamp,
  UserId,
} from '../wire/fields.ts'
import { problemFields } from '../wire/problem.ts'
import { rejectReasonCodes } from './decisions.ts'
import { OrderDuties } from '../duties/duties.ts'
import { CourierInfo } from '../delivery/courier-info.ts'
import { AgeCheck, NewAgeCheck } from '../delivery/age-check-fields.ts'
import { RecipientAddress } from '../delivery/recipient-address.ts'
import { OrderQuery } from './order-query.ts'
import { OrderLine, OrderTransaction } from './shortage/line-fields.ts'
import { deliveryMethods, orderStatuses } from './order-statuses.ts'
import { OrderSubstitutes } from './shortage/substitute-fields.ts'
import { TrackingFields } from '../shipping/tracking-fields.ts'

export const OrderStatusName = Type.Enum(orderStatuses)

export const LineItem = OrderLine
export type LineItem = Type.Static<typeof LineItem>

export const DeliveryInfo = object({
  signed_by: nullable(Type.String()),
  delivered_by: nullable(Type.String()),
  delivered_on: nullable(Timestamp),
})

const orderFields = {
  id: OrderId,
  thirstie_logistic_order_ref: Reference,
  status: OrderStatusName,
  date_submitted: Timestamp,
  application_name: nullable(Type.String()),
  application_brand_name: nullable(Type.String()),
  application_ref: nullable(Type.String()),
  delivery: object({
    method: Type.String(),
    date: nullable(Day),
    window: nullable(Type.Array(Timestamp, { minItems: 2, maxItems: 2 })),
  }),
  recipient: object({
    first_name: Type.String(),
    last_name: Type.String(),
    street_1: Type.String(),
    street_2: nullable(Type.String()),
    street_3: nullable(Type.String()),
    city: Type.String(),
    state: Type.String(),
    zipcode: Type.String(),
    country: nullable(Type.String()),
    phone_number: nullable(Type.String()),
    delivery_instructions: nullable(Type.String()),
  }),
  customer: object({
    first_name: Type.String(),
    last_name: Type.String(),
    email: nullable(Type.String()),
    phone_number: nullable(Type.String()),
    last_order: nullable(Timestamp),
  }),
  gift_message: nullable(object({ message: Type.String() })),
  promo_code: nullable(Type.String()),
  printed_timestamp: nullable(Timestamp),
  status_comment: nullable(Type.String()),
  status_recent_comment: nullable(Type.String()),
  courier_estimate_id: nullable(Type.String()),
  shipment_info: Type.Array(
    object({ carrier: Type.String(), tracking_url: nullable(Type.String()), tracking_code: Type.String() }),
  ),
  tracking_id: nullable(Type.String()),
  tracking_provider: nullable(Type.String()),
  tracking_url: nullable(Type.String()),
  other_tracking_provider: nullable(Type.String()),
  transaction: OrderTransaction,
  order_weight: nullable(Type.Number()),
  items: Type.Array(LineItem),
  courier_info: nullable(CourierInfo),
  rejection_message: nullable(Type.String()),
  /** The pieces that are reported as missing, and the sums without them; absent while none are. Ours. */
  shortage: Type.Optional(
    object({
      lines: Type.Array(
        object({ line_id: Type.String(), name: Type.String(), quantity: Count, missing: Count }),
      ),
      /** In dollars: the order's total without the missing pieces, and what the customer gets back. */
      total: Type.Number(),
      refund: Type.Number(),
    }),
  ),
  /** What the customer is asked about missing pieces, and the sums with the answers; absent while nothing was asked. Ours. */
  substitutes: Type.Optional(OrderSubstitutes),
  aux_data: object({ courier_pick_instructions: nullable(Type.String()) }),
  delivery_info: nullable(DeliveryInfo),
  /** The newest check; absent when no driver has been at the door. */
  age_check: Type.Optional(AgeCheck),
  /** The bottles that are in the shop again after they had left it; absent while none are. It moves no status. Ours. */
  came_back: Type.Optional(object({ bottles: Count, of: Count, at: Timestamp })),
  /** In dollars, by the terms: the order ended without a hand-over because of the ID or the age. Ours. */
  restocking_fee: Type.Optional(Type.Number()),
  /** What the rules ask of the order; absent while they ask nothing. Ours, beside the specified fields. */
  duties: Type.Optional(OrderDuties),
  /** Counts the changes of the order; ours, beside the specified fields. */
  version: Type.Integer(),
  on_track_status: nullable(
    object({
      message: Type.String(),
      type: Type.Enum(['SLA0', 'SLA1', 'SLA2']),
      /** When the badge turns red, so that a screen can tick without asking again. */
      deadline_at: ours(Timestamp),
    }),
  ),
}

/** The clerk who works on the order, by their own word. */
export const Taken = object({ by: UserId, name: Type.String(), since: Timestamp })
export type Taken = Type.Static<typeof Taken>
/** Absent while nobody has the order. Ours; only the merchant reads it, never the marketplace. */
const ofMerchantAlone = { taken: Type.Optional(Taken) }

export const Order = object({ ...orderFields, ...ofMerchantAlone })
export type Order = Type.Static<typeof Order>

/** One thing that happened to an order, for its timeline. */
export const HistoryEntry = object({
  at: Timestamp,
  action: Type.String(),
  from: nullable(Type.String()),
  to: Type.String(),
  actor: Type.String(),
  party: Type.Enum(['merchant', 'marketplace', 'courier', 'carrier', 'system']),
  comment: nullable(Type.String()),
  /** The other changes, under the action's own names. */
  details: nullable(Type.Record(Type.String(), Type.Unknown())),
})
export type HistoryEntry = Type.Static<typeof HistoryEntry>
/** An order as the marketplace lists it, among those of other merchants. */
export const MarketplaceOrder = object({ merchant: MerchantKey, ...orderFields })

export const OrderDetail = object({
  ...orderFields,
  ...ofMerchantAlone,
  history: ours(Type.Array(HistoryEntry)),
})
export type OrderDetail = Type.Static<typeof OrderDetail>

/** Beside message and code, a 409 carries the order as it is now and the last decision on it. */
export const TransitionRefusal = object({
  ...problemFields,
  order: Order,
  latest: nullable(HistoryEntry),
})
export type TransitionRefusal = Type.Static<typeof TransitionRefusal>

const Counts = object({ active: Count, on_hold: Count, completed: Count, cancelled: Count })
const Option = object({ name: Type.String(), value: Type.String(), count: Count })
const ApplicationOption = object({ name: Type.String(), uuid: Type.String(), count: Count })

export const OrderPage = object({
  items: Type.Array(Order),
  total_rows: Count,
  prev_url: nullable(Type.String()),
  next_url: nullable(Type.String()),
  timezone: Type.String(),
  counts: Counts,
  /** The active order that is due first and not out yet. */
  next_deadline: ours(
    nullable(object({ id: OrderId, deadline_at: Timestamp, delivery_method: Type.Enum(deliveryMethods) })),
  ),
  filters: object({
    available: object({
      application_ref: object({ options: Type.Array(ApplicationOption) }),
      status: object({ options: Type.Array(Option) }),
      delivery_method: ours(object({ options: Type.Array(Option) })),
      /** Orders that a rule stands against, or whose check is missing; absent when there are none. */
      needs_a_look: ours(object({ count: Count })),
      /** Of the active tab: orders that nobody has accepted or rejected and no rule holds. */
      undecided: ours(object({ count: Count })),
      /** Of the active tab: orders past their deadline, and soon due. None counts beyond a thousand. */
      due: ours(object({ late: Count, soon: Count })),
      /** The same counts beside the filters `filter[late]` and `filter[due_soon]`. */
      late: ours(object({ count: Count })),
      due_soon: ours(object({ count: Count })),
      /** Of the active tab: orders still in the shop whose slip is not printed, up to a thousand. Absent when there are none. */
      slips: ours(object({ missing: Count })),
    }),
  }),
  sort: object({ available: Type.Array(Type.Literal('date')) }),
  current_filter: Type.Record(Type.String(), Type.String()),
  current_sort: Type.Record(Type.String(), Type.String()),
})
export type OrderPage = Type.Static<typeof OrderPage>

/** Ours: the version that the clerk saw. If somebody else has decided since, the server answers 409. */
export const SeenVersion = Type.Optional(Type.Integer({ minimum: 1 }))

export const correctAddress = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/orders/{id}/recipient',
  summary: 'Correct the address of an order that has not been shipped; ours, beside the specified calls',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({ version: SeenVersion, ...RecipientAddress.properties }),
  reply: Order,
  refusals: ['invalid_transition', 'courier_under_way'],
  headers: idempotencyKey,
})
export const listOrders = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/optimized',
  summary: 'One page of the order list',
  access: 'orders.read',
  params: ofMerchant,
  query: OrderQuery,
  reply: OrderPage,
})
export const searchOrders = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/optimize',
  summary: 'Search orders by number, name or e-mail',
  access: 'orders.read',
  params: ofMerchant,
  query: OrderQuery,
  reply: OrderPage,
})
export const listOrderFilters = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/filters',
  summary: 'Applications and delivery methods that orders can be filtered by',
  access: 'orders.read',
  params: ofMerchant,
  reply: object({
    application: object({ options: Type.Array(object({ name: Type.String(), uuid: Type.String() })) }),
    delivery_methods: object({ options: Type.Array(object({ name: Type.String() })) }),
  }),
})
export const countOrders = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/count',
  summary: 'Number of orders per tab',
  access: 'orders.read',
  params: ofMerchant,
  reply: object({ counts: Counts }),
})
export const getOrder = endpoint({
  call: 'GET /m/v2/orders/{id}',
  summary: 'One order, with its history',
  access: 'orders.read',
  params: ofOrder,
  reply: OrderDetail,
})

/** A client may send the order as it was read: what an update does not take is ignored (GAP-101). */
const otherOrderFields = Object.fromEntries(
  [...Object.keys(orderFields), ...Object.keys(ofMerchantAlone), 'history'].map((field) => [
    field,
    Type.Optional(Type.Unknown({ description: 'Ignored' })),
  ]),
) as Record<never, never>

const OrderUpdate = object({
  id: Type.Optional(OrderId),
  version: SeenVersion,
  status: Type.Enum(['MERCHANT_ACCEPTED', 'MERCHANT_SHIPPED', 'REJECTED_PARTIAL', 'CLOSED']),
  order: maybe(
    object({
      ...otherOrderFields,
      rejection_message: maybe(text(20_000)),
      ...TrackingFields,
    }),
  ),
  delivery_info: maybe(
    object({
      signed_by: maybe(text(200)),
      delivered_by: maybe(text(200)),
      delivered_on: Type.Optional(nullable(text(40))),
      age_check: maybe(NewAgeCheck),
    }),
  ),
})
export type OrderUpdate = Type.Static<typeof OrderUpdate>

const updateRefusals = [
  'invalid_transition',
  'presale_not_ready',
  'duty_forbids',
  'service_forbidden',
  'age_check_required',
] as const
export const updateOrder = endpoint({
  call: 'PUT /m/v2/orders/{id}',
  summary: 'Accept, ship, report items or close an order',
  access: 'orders.fulfil',
  params: ofOrder,
  body: OrderUpdate,
  reply: Order,
  refusals: updateRefusals,
  headers: idempotencyKey,
})
export const updateOrderByPost = endpoint({
  call: 'POST /m/v2/orders/{id}',
  summary: 'The same as PUT',
  access: 'orders.fulfil',
  params: ofOrder,
  body: OrderUpdate,
  reply: Order,
  refusals: updateRefusals,
  headers: idempotencyKey,
})
export const rejectOrder = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/reject',
  summary: 'Reject an order, wholly or in part, with a reason',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    status: Type.Optional(Type.Enum(['MERCHANT_REJECTED', 'REJECTED_MERCHANT', 'REJECTED_PARTIAL'])),
    version: SeenVersion,
    reason: object({ code: Type.Enum(rejectReasonCodes), value: maybe(text(500)) }),
    rejection_message: maybe(text(20_000)),
  }),
  reply: Order,
  refusals: ['invalid_transition'],
  headers: idempotencyKey,
})

const BulkOrders = Type.Array(object({ id: OrderId, status: Type.Literal('MERCHANT_ACCEPTED') }), {
  minItems: 1,
  maxItems: bulkLimit,
})
export const acceptOrders = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/bulk/accept',
  summary: 'Accept up to 200 orders',
  access: 'orders.fulfil',
  params: ofMerchant,
  body: object({ orders: BulkOrders }),
  reply: object({
    order_accepted_count: Count,
    order_rejected_count: Count,
    rejected: ours(Type.Array(object({ id: OrderId, message: Type.String() }))),
  }),
  headers: idempotencyKey,
})
export const followOrders = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/events',
  summary: 'Server-sent events: new and changed orders, counts per tab, alarms, who has which order open',
  access: 'orders.read',
  params: ofMerchant,
  reply: Type.String(),
  media: 'text/event-stream',
  headers: { 'last-event-id': 'Resume after this event; a `reload` event answers an id that is too old.' },
})
