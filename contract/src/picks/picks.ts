import { Type } from 'typebox'
import { TakenDown } from '../inventory/inventory.ts'
import { OrderStatusName } from '../orders/orders.ts'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  filledText,
  idempotencyKey,
  maybe,
  nullable,
  object,
  ofMerchant,
  ofMerchantOrder,
  OrderId,
  text,
  Timestamp,
} from '../wire/fields.ts'
import { waveAtMost } from './wave.ts'
import { pickResults } from './judge-pick.ts'

export const PickLine = object({
  id: Type.String(),
  name: Type.String(),
  container_size: nullable(Type.String()),
  image_spec: nullable(Type.String()),
  merchant_sku: nullable(Type.String()),
  /** As the stock list says: the offering, its shelf, and the last four digits of its barcode; null where it does not say. */
  offering_id: nullable(Type.String()),
  location: nullable(Type.String()),
  code_ends: nullable(Type.String()),
  /** Whether its offering is on sale; absent where the stock list does not have it. */
  is_active: Type.Optional(Type.Boolean()),
  /** As at the offering: a clerk found none, and it is not on sale until the next stock list that has it. */
  taken_down: Type.Optional(TakenDown),
  /** The pieces to take: those ordered without those reported as missing. */
  quantity: Count,
  missing: Count,
  picked: Count,
  /** Of the picked pieces those that a clerk confirmed without a scan. */
  by_hand: Count,
  /** Picked pieces that the order does not want any more: they go back to the shelf. */
  too_many: Count,
})
export type PickLine = Type.Static<typeof PickLine>

export const PickOrder = object({
  id: OrderId,
  status: OrderStatusName,
  version: Type.Integer(),
  recipient: Type.String(),
  deadline_at: Timestamp,
  delivery_method: Type.String(),
  /** Whether bottles can be picked for it now. */
  is_open: Type.Boolean(),
  lines: Type.Array(PickLine),
  /** When the last piece was picked; null while one is not. */
  picked_at: nullable(Timestamp),
})
export type PickOrder = Type.Static<typeof PickOrder>

export const Picks = object({ orders: Type.Array(PickOrder, { maxItems: waveAtMost }) })
export type Picks = Type.Static<typeof Picks>

export const PickAnswer = object({
  result: Type.Enum(pickResults),
  /** The bottle that was scanned, where the stock list knows it. */
  scanned: nullable(
    object({
      offering_id: Type.String(),
      name: nullable(Type.String()),
      container_size: nullable(Type.String()),
      location: nullable(Type.String()),
    }),
  ),
  order: PickOrder,
})
export type PickAnswer = Type.Static<typeof PickAnswer>

export const getPicks = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/picks',
  summary: 'The bottles to pick for up to 26 orders, and those that are picked. An unknown order is left out',
  access: 'orders.read',
  params: ofMerchant,
  query: object({
    orders: Type.String({
      maxLength: 26 * 19,
      pattern: '^[0-9]{1,18}(,[0-9]{1,18}){0,25}$',
      description: 'Order numbers with commas between them',
    }),
  }),
  reply: Picks,
})
export const pickBottle = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/picks',
  summary:
    'Count one bottle of a line as picked, by its scanned code, or without one by hand. The marketplace is not told',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    line_id: filledText(200),
    /** As scanned; the server compares it with the stock list. Without one, the clerk confirms the bottle by hand. */
    code: maybe(text(200)),
  }),
  reply: PickAnswer,
  headers: idempotencyKey,
})
export const takeOffSale = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/off_sale',
  summary:
    'Take the bottle of a line off sale, until the next stock list that has it; the order keeps its status. The marketplace reads it at the offering, as after a report that none is there. Ours',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({ line_id: filledText(200) }),
  reply: PickOrder,
  refusals: ['offering_unlisted'],
  headers: idempotencyKey,
})
