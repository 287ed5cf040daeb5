import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import {
  Empty,
  filledText,
  idempotencyKey,
  nullable,
  object,
  ofMerchant,
  ofMerchantOrder,
  OrderId,
} from './fields.ts'
import { Order } from './orders.ts'

const Label = object({
  label_url: nullable(Type.String()),
  carrier: Type.String(),
  tracking_code: Type.String(),
  box: Type.Integer(),
})
const CarrierAccount = object({
  carrier: Type.String(),
  account_number_last_4: Type.String(),
  account_zip: Type.String(),
  label_size: Type.String(),
  label_format: Type.String(),
  status: Type.String(),
})

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
    boxes: Type.Array(
      object({
        weight: Type.Number({ minimum: 0.01, maximum: 999_999 }),
        insurance: Type.Optional(Type.Number({ minimum: 0, maximum: 4999.99 })),
      }),
      { minItems: 1, maxItems: 200 },
    ),
  }),
  reply: object({ status: Type.Literal(200), data: Type.Array(Label), order: Order }),
  refusals: ['label_refused', 'label_provider_failed', 'presale_not_ready', 'invalid_transition'],
  headers: idempotencyKey,
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
    carrier: Type.Enum(['FedEx', 'UPS', 'GSO']),
    account_number: filledText(40),
    account_zip: filledText(10),
    label_size: Type.Enum(['4x6', '8.5x11']),
    label_format: Type.Enum(['PDF', 'PNG']),
  }),
  reply: CarrierAccount,
  refusals: ['account_unauthorized'],
})
export const disconnectCarrierAccount = endpoint({
  call: 'DELETE /c/v2/merchants/{tmk}/carrier_integration',
  summary: 'Disconnect the carrier account',
  access: 'carrier.edit',
  params: ofMerchant,
  reply: Empty,
})
