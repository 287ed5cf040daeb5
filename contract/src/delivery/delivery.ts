import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Empty, idempotencyKey, maybe, object, ofMerchantOrder, text } from '../wire/fields.ts'
import { CourierInfo } from './courier-info.ts'
import { ageCheckMethods, refusedHandOverReasons } from './door-checks.ts'
import { IdReading, NewAgeCheck } from './age-check-fields.ts'
import { DeliveryInfo, Order, SeenVersion } from '../orders/orders.ts'

export const editDeliveryInstructions = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/delivery_instructions',
  summary: 'Change the delivery instructions',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({ delivery_instructions: text(500), version: SeenVersion }),
  reply: Order,
  refusals: ['order_finished', 'invalid_transition'],
  headers: idempotencyKey,
})
export const saveDeliveryDetails = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/data',
  summary: 'Save who delivered to whom and when, without closing the order',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    delivered_on: maybe(text(40)),
    signed_by: maybe(text(200)),
    delivered_by: maybe(text(200)),
    age_check: maybe(NewAgeCheck),
    version: SeenVersion,
  }),
  reply: object({ delivery_info: DeliveryInfo }),
  refusals: ['invalid_transition', 'duty_forbids'],
  headers: idempotencyKey,
})
export const bringBack = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery',
  summary: 'The order was not handed over at the door and comes back, with the reason',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    reason: Type.Enum(refusedHandOverReasons),
    /** The kind of ID that the recipient showed, if any. */
    method: maybe(Type.Enum(ageCheckMethods)),
    checked_by: maybe(text(200)),
    reading: maybe(IdReading),
    note: maybe(text(300)),
    version: SeenVersion,
  }),
  reply: Order,
  refusals: ['invalid_transition'],
  headers: idempotencyKey,
})
export const requestCourier = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/courier',
  summary: 'Request a courier pickup',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    courier_info: object({
      dispatch_type: Type.Literal('immediate'),
      number_of_package: Type.Integer({ minimum: 1, maximum: 1000 }),
      pickup_instructions: maybe(text(500)),
      save_instructions: maybe(Type.Boolean()),
    }),
  }),
  reply: Order,
  refusals: [
    'too_many_requests',
    'courier_not_available',
    'address_corrected',
    'courier_refused',
    'courier_failed',
    'invalid_transition',
    'presale_not_ready',
    'duty_forbids',
  ],
  headers: idempotencyKey,
})
export const refreshCourier = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/courier/refresh',
  summary: 'Ask the courier service how the delivery stands',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: Type.Optional(Empty),
  reply: object({ courier_info: CourierInfo }),
  status: 202,
  refusals: ['too_many_requests', 'invalid_transition', 'courier_failed'],
})
export const cancelCourier = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/courier/cancel',
  summary: 'Take a courier request back; harmless when it is cancelled already',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: Type.Optional(Empty),
  reply: Order,
  refusals: ['invalid_transition', 'courier_refused', 'courier_failed'],
})
export const takeCourierCallback = endpoint({
  call: 'POST /providers/v1/couriers/{service}/events',
  summary: 'A courier service says that something happened; what it is, it is then asked',
  access: 'provider',
  params: object({ service: Type.String({ maxLength: 40, pattern: '^[a-z-]+$' }) }),
  body: Type.Unknown(),
  reply: Empty,
  refusals: ['bad_callback'],
})
export const getCourierSignature = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/courier_signature',
  summary: 'The signature at the door, as the courier took it',
  access: 'orders.read',
  params: ofMerchantOrder,
  reply: Type.String(),
  media: 'image/*',
})
export const sendTextMessage = endpoint({
  call: 'POST /m/v2/sms',
  summary: 'Send directions to a phone, at most 20 an hour',
  access: 'directions.send',
  body: object({ number: text(32), message: text(320) }),
  reply: Empty,
  status: 202,
  refusals: ['too_many_requests', 'phone_opted_out', 'sms_failed'],
  headers: idempotencyKey,
})
const ofService = object({ service: Type.String({ maxLength: 40, pattern: '^[a-z-]+$' }) })
export const takeTextStatus = endpoint({
  call: 'POST /providers/v1/texts/{service}/status',
  summary: 'The text message service tells the outcome of a message',
  access: 'provider',
  params: ofService,
  /** Our id of the message, as the server named it in the address for this callback. */
  query: object({ message: Type.Optional(Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })) }),
  body: Type.Unknown(),
  reply: Type.Null(),
  status: 204,
  refusals: ['bad_callback'],
  isForm: true,
})
export const takeTextReply = endpoint({
  call: 'POST /providers/v1/texts/{service}/replies',
  summary: 'Somebody texted us back; STOP and START are heeded',
  access: 'provider',
  params: ofService,
  body: Type.Unknown(),
  reply: Type.Null(),
  status: 204,
  refusals: ['bad_callback'],
  isForm: true,
})
export const getStaticMap = endpoint({
  call: 'GET /maps/static',
  summary: 'Map picture of an address',
  access: 'public',
  query: object({
    center: text(500),
    zoom: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    size: Type.Optional(Type.String({ pattern: '^[1-9]\\d{1,3}x[1-9]\\d{1,3}$' })),
  }),
  reply: Type.String(),
  media: 'image/*',
})
export const replyToText = endpoint({
  call: 'POST /demo/text_replies',
  summary: 'Demo only: a phone of the sandbox answers, such as STOP',
  access: 'public',
  body: object({
    number: Type.String({ pattern: '^\\+1[0-9]{10}$' }),
    body: Type.String({ maxLength: 320 }),
  }),
  reply: Type.Null(),
  status: 303,
  isForm: true,
})
export const trackSandboxCourier = endpoint({
  call: 'GET /demo/couriers/{id}',
  summary: "Demo only: where the sandbox's courier is",
  access: 'public',
  params: object({ id: Type.String({ maxLength: 60, pattern: '^[0-9]+-[0-9]+-[0-9a-f]+$' }) }),
  reply: Type.String(),
  media: 'text/html',
})
