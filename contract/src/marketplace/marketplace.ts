import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  Day,
  Dollars,
  filledText,
  idempotencyKey,
  maybe,
  MerchantKey,
  nullable,
  object,
  ofOrder,
  OrderId,
  Reference,
  text,
  Timestamp,
  webAddress,
} from '../wire/fields.ts'
import { beverageClasses } from '../duties/duty-rules.ts'
import { problemFields } from '../wire/problem.ts'
import { courierStates } from '../delivery/courier-states.ts'
import { RecipientAddress } from '../delivery/recipient-address.ts'
import { tabs } from '../orders/order-statuses.ts'
import { MarketplaceOrder, Order, OrderStatusName } from '../orders/orders.ts'

const NewLineItem = object({
  id: filledText(64),
  name: filledText(300),
  description: maybe(text(2000)),
  quantity: Type.Integer({ minimum: 1, maximum: 10_000 }),
  price: Dollars,
  subtotal: Dollars,
  discount: maybe(Dollars),
  image_spec: maybe(text(1000)),
  product: maybe(object({ id: filledText(64), container_size: maybe(text(40)) })),
  offering: maybe(
    object({ id: filledText(64), merchant_sku: maybe(text(64)), stock_behaviour: maybe(text(40)) }),
  ),
  aux_data: maybe(
    object({
      engraving_message: maybe(Type.Array(text(500), { maxItems: 100 })),
      preorder_type: maybe(text(40)),
      preorder_available_date: maybe(Day),
      preorder_balance_due_excl_taxes_fees: maybe(Dollars),
    }),
  ),
  parent_line_item_id: maybe(text(64)),
  beverage_class: maybe(Type.Enum(beverageClasses)),
  abv: maybe(Type.Number({ minimum: 0, maximum: 100 })),
  volume_ml: maybe(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
})
export const NewItems = Type.Array(NewLineItem, { minItems: 1, maxItems: 200 })
export type NewLineItem = Type.Static<typeof NewLineItem>

const NewTransaction = object({
  subtotal: Dollars,
  tax: maybe(Dollars),
  delivery_fee: maybe(Dollars),
  shipping: maybe(Dollars),
  tip: maybe(Dollars),
  total: Dollars,
})
export type NewTransaction = Type.Static<typeof NewTransaction>

// A clerk corrects the address within the limits of the order that brought it.
const { phone_number, ...place } = RecipientAddress.properties

/** An order as the marketplace sends it: the shape Order without the fields that the server sets. */
export const NewOrder = object({
  merchant: MerchantKey,
  thirstie_logistic_order_ref: Reference,
  date_submitted: maybe(Timestamp),
  application_name: maybe(text(200)),
  application_brand_name: maybe(text(200)),
  application_ref: maybe(Reference),
  delivery: object({
    method: Type.String({ maxLength: 40, pattern: '^[a-z_]+$' }),
    date: maybe(Day),
    window: maybe(Type.Array(Timestamp, { minItems: 2, maxItems: 2 })),
  }),
  recipient: object({
    first_name: text(100),
    last_name: filledText(100),
    ...place,
    country: maybe(text(60)),
    phone_number,
    delivery_instructions: maybe(text(500)),
  }),
  customer: object({
    first_name: text(100),
    last_name: filledText(100),
    email: maybe(text(254)),
    phone_number: maybe(text(32)),
    last_order: maybe(Timestamp),
  }),
  gift_message: maybe(object({ message: text(2000) })),
  promo_code: maybe(text(60)),
  courier_estimate_id: maybe(text(128)),
  transaction: NewTransaction,
  order_weight: maybe(Type.Number({ minimum: 0, maximum: 999_999 })),
  items: NewItems,
  aux_data: maybe(object({ courier_pick_instructions: maybe(text(500)) })),
})
export type NewOrder = Type.Static<typeof NewOrder>

/** Of `duplicate_order`: the order that has the reference already, for a marketplace that lost the first answer. */
export const DuplicateRefusal = object({ ...problemFields, order: Order })
export type DuplicateRefusal = Type.Static<typeof DuplicateRefusal>

export const createOrder = endpoint({
  call: 'POST /marketplace/v1/orders',
  summary: 'Send an order to a merchant',
  access: 'marketplace',
  body: NewOrder,
  reply: Order,
  status: 201,
  refusals: ['merchant_not_onboarded', 'duplicate_order', 'request_in_progress', 'idempotency_key_reused'],
  headers: idempotencyKey,
})
/** At most so many orders in one answer. */
export const mostOrdersAtOnce = 100
export const listMarketplaceOrders = endpoint({
  call: 'GET /marketplace/v1/orders',
  summary: 'Orders of all merchants or of one, page by page; or the order with a reference',
  access: 'marketplace',
  query: object({
    merchant: Type.Optional(MerchantKey),
    ref: Type.Optional({ ...Reference, description: 'The thirstie_logistic_order_ref of the order.' }),
    cursor: Type.Optional(text(300)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostOrdersAtOnce })),
  }),
  reply: object({
    orders: Type.Array(MarketplaceOrder),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'The cursor of the next page; null after the last.',
    }),
  }),
})
export type MarketplaceOrderQuery = Type.Static<(typeof listMarketplaceOrders)['query']>
export const readOrder = endpoint({
  call: 'GET /marketplace/v1/orders/{id}',
  summary: 'Read an order',
  access: 'marketplace',
  params: ofOrder,
  reply: Order,
})
export const OrderStatusChange = object({
  status: text(40),
  comment: maybe(text(500)),
  items: maybe(NewItems),
  transaction: maybe(NewTransaction),
})
export const changeOrderStatus = endpoint({
  call: 'POST /marketplace/v1/orders/{id}/status',
  summary: 'Payment, cancellation, dispute, refund, or resuming a held order',
  access: 'marketplace',
  params: ofOrder,
  body: OrderStatusChange,
  reply: Order,
  refusals: ['invalid_transition'],
  headers: idempotencyKey,
})
export const reportCourierEvent = endpoint({
  call: 'POST /marketplace/v1/orders/{id}/courier_events',
  summary: "The courier's progress with an order",
  access: 'marketplace',
  params: ofOrder,
  body: object({
    provider: maybe(text(100)),
    tracking_url: maybe(webAddress()),
    number_of_packages: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
    estimated_delivery_time: maybe(Timestamp),
    estimated_pickup_time: maybe(Timestamp),
    requested_pickup_time: maybe(Timestamp),
    order_status: Type.Enum(courierStates),
  }),
  reply: Order,
  refusals: ['invalid_transition'],
  headers: idempotencyKey,
})
export const reportCarrierEvent = endpoint({
  call: 'POST /marketplace/v1/orders/{id}/carrier_events',
  summary: "The carrier's progress with a parcel",
  access: 'marketplace',
  params: ofOrder,
  body: object({
    tracking_code: filledText(60),
    event: Type.Enum(['in_transit', 'delivered', 'failed']),
    at: maybe(Timestamp),
  }),
  reply: Order,
  refusals: ['invalid_transition'],
  headers: idempotencyKey,
})
/** A secret may sign beside its successor for so long. */
export const longestOverlapHours = 168
export const registerWebhook = endpoint({
  call: 'PUT /marketplace/v1/webhook',
  summary: 'Where order events are sent, signed (Standard Webhooks)',
  access: 'marketplace',
  body: object({
    url: text(2000),
    secret: text(200),
    keep_previous_secret_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestOverlapHours,
        description:
          'For so long every event also carries a signature by the secret before this one. Without it the old secret ends at once.',
      }),
    ),
  }),
  reply: object({ url: Type.String(), status: Type.String() }),
})
export const readWebhook = endpoint({
  call: 'GET /marketplace/v1/webhook',
  summary: 'The registered webhook and how it does',
  access: 'marketplace',
  reply: object({
    url: Type.String(),
    status: Type.Enum(['active', 'switched_off', 'held'], {
      description:
        'switched_off: the receiver answered 410, and nothing is sent until a webhook is registered. held: the operator has restored a backup and lets nothing out yet.',
    }),
    registered_at: Timestamp,
    switched_off_at: nullable(Timestamp),
    switched_off_because: nullable(Type.String()),
    previous_secret_until: nullable(Timestamp),
    waiting_events: Type.Integer({ minimum: 0, description: 'Events that no reply has taken yet.' }),
    oldest_waiting: nullable(Timestamp),
    last_error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last try for the oldest waiting event failed.',
    }),
    given_up_events: Type.Integer({
      minimum: 0,
      description:
        'Events of at least the last seven days that were tried ten times. Read them after their position.',
    }),
  }),
  refusals: ['not_found'],
})

/** What an event says about its order. */
const OrderEventData = Type.Object(
  {
    id: OrderId,
    thirstie_logistic_order_ref: Reference,
    merchant: MerchantKey,
    status: OrderStatusName,
    tab: Type.Enum(tabs),
    version: Type.Integer({ minimum: 1, description: 'Of two events of an order the higher is newer.' }),
    action: Type.String(),
    comment: nullable(Type.String()),
  },
  { additionalProperties: true },
)
const orderEventFields = {
  type: Type.Enum(['order.created', 'order.updated']),
  timestamp: Timestamp,
  data: OrderEventData,
}
/** The body of a webhook. */
export const OrderEvent = object(orderEventFields)
export type OrderEvent = Type.Static<typeof OrderEvent>
/** The headers of a webhook beside those of every request. */
export const orderEventHeaders = {
  'webhook-id': 'The event, the same at every try.',
  'webhook-position': 'The place of the event among the events of all orders. It is not signed.',
  'webhook-timestamp': 'Seconds since 1970, of this try.',
  'webhook-signature':
    'One or two signatures with a space between them, each `v1,` and the HMAC-SHA256 in base64 of `id.timestamp.body`. One that is good is enough.',
} as const

/** An event as the webhook tells it, with the contents of its headers. */
export const MarketplaceEvent = object({
  position: Count,
  webhook_id: Type.String(),
  ...orderEventFields,
})
/** At most so many events in one answer. */
export const eventsAtOnce = 500
export const readEvents = endpoint({
  call: 'GET /marketplace/v1/events',
  summary: 'Events after a position, oldest first: for a receiver that missed some',
  access: 'marketplace',
  query: object({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'The position of the last event that is known. Without it the answer begins with the oldest.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: eventsAtOnce })),
  }),
  reply: object({
    events: Type.Array(MarketplaceEvent),
    next: Type.Integer({ minimum: 0, description: 'The position to ask after in the next call.' }),
    has_more: Type.Boolean(),
    has_gap: Type.Boolean({
      description:
        'Events between `after` and the first one here are deleted already: read the orders themselves.',
    }),
  }),
})
