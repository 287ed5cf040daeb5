import { Type } from 'typebox'
import { bulkLimit } from '../documents/bulk.ts'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  Empty,
  filledText,
  idempotencyKey,
  maybe,
  nullable,
  object,
  ofMerchant,
  ofMerchantOrder,
  OrderId,
  MerchantKey,
  Timestamp,
} from '../wire/fields.ts'
import { problemFields } from '../wire/problem.ts'
import { BatchStarted } from '../documents/documents.ts'
import { Order } from '../orders/orders.ts'
import { labelCarriers } from './carriers.ts'
import { TrackingFields } from './tracking-fields.ts'

const Label = object({
  /** Opens the file for an hour; null when the carrier never gave one. */
  label_url: nullable(Type.String()),
  carrier: Type.String(),
  tracking_code: Type.String(),
  box: Type.Integer(),
  /** Ours, beside the specified four: all labels of the order in one file, so that one press prints them. */
  print_url: nullable(Type.String()),
  /** The type of the file at both addresses. `application/zpl` is for a label printer, and no browser shows it. */
  media_type: nullable(Type.String()),
  bought_at: Timestamp,
  bought_by: Type.String(),
})
export type Label = Type.Static<typeof Label>

const CarrierAccount = object({
  carrier: Type.String(),
  account_number_last_4: Type.String(),
  account_zip: Type.String(),
  label_size: Type.String(),
  label_format: Type.String(),
  status: Type.String(),
})
export type CarrierAccount = Type.Static<typeof CarrierAccount>

/** The body of a refused label purchase (GAP-117, GAP-118). */
export const LabelRefusal = object({
  ...problemFields,
  status: Type.Integer(),
  errors: Type.Array(object({ message: Type.String(), carrier: nullable(Type.String()) })),
})
export type LabelRefusal = Type.Static<typeof LabelRefusal>

export const listLabels = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/shipping_labels',
  summary: "The order's shipping labels",
  access: 'orders.read',
  params: ofMerchantOrder,
  reply: Type.Array(Label),
})
export const buyLabels = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels',
  summary: 'Buy one shipping label per box',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    order_id: OrderId,
    boxes: Type.Array(object({ weight: maybe(Type.Number()), insurance: maybe(Type.Number()) }), {
      minItems: 1,
      maxItems: 10_000,
    }),
  }),
  reply: object({ status: Type.Literal(200), data: Type.Array(Label), order: Order }),
  refusals: [
    'too_many_requests',
    'general',
    'carrier_not_responding',
    'rates_failed',
    'rates_unavailable',
    'invalid_street',
    'po_box',
    'missing_phone',
    'account_unauthorized',
    'user_locked_out',
    'label_refused',
    'label_provider_failed',
    'labels_being_bought',
    'labels_in_doubt',
    'address_corrected',
    'presale_not_ready',
    'duty_forbids',
    'service_forbidden',
    'invalid_transition',
  ],
  headers: idempotencyKey,
})
export const quoteLabels = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote',
  summary:
    'What the labels would cost; buys nothing. A purchase of the same within 15 minutes costs as much. Ours, beside the specified calls',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    /** When left out: the one box that a bulk purchase buys for the order. */
    boxes: Type.Optional(
      Type.Array(object({ weight: maybe(Type.Number()), insurance: maybe(Type.Number()) }), {
        minItems: 1,
        maxItems: 50,
      }),
    ),
  }),
  /** Either prices, one for each box, or why there are none. */
  reply: object({
    boxes: Type.Array(object({ carrier: Type.String(), service: Type.String(), price_cents: Count })),
    refusal: nullable(object({ code: Type.String(), message: Type.String() })),
  }),
  refusals: [
    'too_many_requests',
    'labels_being_bought',
    'labels_in_doubt',
    'presale_not_ready',
    'duty_forbids',
    'service_forbidden',
    'invalid_transition',
  ],
})
export const buyManyLabels = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/bulk/labels',
  summary:
    'Buy the shipping labels of up to 200 orders, one box each, as one file; ours, beside the specified calls',
  access: 'orders.fulfil',
  params: ofMerchant,
  body: object({ items: Type.Array(OrderId, { minItems: 1, maxItems: bulkLimit }) }),
  reply: BatchStarted,
  status: 202,
  refusals: ['general'],
  headers: idempotencyKey,
})
export const openLabel = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/shipping_labels/{label}',
  summary: 'The file of one label, by a link of the list',
  access: 'signed-link',
  params: object({ tmk: MerchantKey, label: Type.String({ pattern: '^[0-9a-f-]{36}-[0-9]{1,5}$' }) }),
  query: object({
    expires: Type.String({ pattern: '^[0-9]{1,12}$' }),
    signature: Type.String({ maxLength: 100 }),
  }),
  reply: Type.String(),
  media: '*/*',
  refusals: ['bad_signature'],
})
export const voidLabels = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void',
  summary:
    "Void the order's labels while the carrier has not seen the parcel; the order can be shipped again",
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  reply: Order,
  refusals: [
    'labels_not_voidable',
    'labels_partly_voided',
    'labels_in_doubt',
    'label_provider_failed',
    'invalid_transition',
  ],
})
export const correctTracking = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/orders/{id}/tracking',
  summary: 'Correct a typed tracking number after the fact',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({ version: Type.Optional(Type.Integer({ minimum: 1 })), ...TrackingFields }),
  reply: Order,
  refusals: ['tracking_from_labels', 'invalid_transition', 'service_forbidden'],
  headers: idempotencyKey,
})
export const receiveTrackerEvent = endpoint({
  call: 'POST /providers/v1/shipping/events',
  summary: "The shipping provider's word on parcels, signed over the raw body",
  access: 'provider',
  body: Type.Record(Type.String(), Type.Unknown()),
  reply: object({ taken: Type.Boolean() }),
  refusals: ['bad_signature'],
  headers: { 'x-hmac-signature': 'hmac-sha256-hex= and the HMAC-SHA256 of the raw body' },
})
export const getCarrierAccount = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/carrier_integration',
  summary: "The merchant's carrier account",
  access: 'carrier.read',
  params: ofMerchant,
  reply: CarrierAccount,
})
export const saveCarrierAccount = endpoint({
  call: 'PUT /c/v2/merchants/{tmk}/carrier_integration',
  summary: 'Connect a carrier account',
  access: 'carrier.edit',
  params: ofMerchant,
  body: object({
    carrier: Type.Enum(labelCarriers),
    /** When left out or null, the connected number stays. */
    account_number: maybe(filledText(40)),
    account_zip: filledText(10),
    label_size: Type.Enum(['4x6', '8.5x11']),
    /** ZPL is ours, beside the specified two: a label printer's own language, at 4x6 alone. */
    label_format: Type.Enum(['PDF', 'PNG', 'ZPL']),
  }),
  reply: CarrierAccount,
  refusals: ['too_many_requests', 'account_unauthorized', 'provider_error'],
})
export const disconnectCarrierAccount = endpoint({
  call: 'DELETE /c/v2/merchants/{tmk}/carrier_integration',
  summary: 'Disconnect the carrier account',
  access: 'carrier.edit',
  params: ofMerchant,
  reply: Empty,
})
