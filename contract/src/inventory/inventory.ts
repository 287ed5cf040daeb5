import { Type } from 'typebox'
import { beverageClasses } from '../duties/duty-rules.ts'
import { endpoint } from '../wire/endpoint.ts'
import { Count, nullable, object, ofMerchant, OrderId, text, Timestamp } from '../wire/fields.ts'

/** Since when, by whom and for which order an offering is not on sale. */
export const TakenDown = object({ at: Timestamp, by: Type.String(), order_id: OrderId })
export type TakenDown = Type.Static<typeof TakenDown>

export const Offering = object({
  id: Type.String(),
  price: Type.Number(),
  quantity: Type.Integer(),
  is_active: Type.Boolean(),
  stock_behavior: nullable(Type.String()),
  product: nullable(
    object({
      tpk: Type.String(),
      product_line: nullable(
        object({ name: Type.String(), brand: nullable(object({ name: Type.String() })) }),
      ),
      container_size: nullable(object({ formatted: Type.String() })),
    }),
  ),
  merchant: object({ name: Type.String() }),
  /** What the rules of law ask of a bottle; absent where the stock list does not say. Ours. */
  beverage_class: Type.Optional(Type.Enum(beverageClasses)),
  /** Per cent by volume. */
  abv: Type.Optional(Type.Number()),
  volume_ml: Type.Optional(Type.Number()),
  /** The number in the bottle's barcode (GTIN-8, UPC-A, EAN-13 or GTIN-14) and its shelf, where the stock list says. Ours. */
  gtin: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  /**
   * A clerk reported it as not available, or took it off sale by hand: it is not active until the next stock list that
   * has it. `is_active` is false meanwhile. Ours.
   */
  taken_down: Type.Optional(TakenDown),
})
export type Offering = Type.Static<typeof Offering>

const TrueFilter = Type.Optional(Type.Enum(['true', 'false']))

export const listMerchantOfferings = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/offerings',
  summary: "All of the merchant's offerings",
  access: 'inventory.read',
  params: ofMerchant,
  query: object({ 'filter[selling_with_thirstie]': TrueFilter }),
  reply: object({ items: Type.Array(Offering), total_rows: Count }),
})
export const listOfferings = endpoint({
  call: 'GET /c/v2/offerings',
  summary: "The merchant's offerings by filter, page by page",
  access: 'inventory.read',
  query: object({
    'filter[id]': Type.Optional(text(64)),
    'filter[merchant]': Type.Optional(text(64)),
    'filter[tpk]': Type.Optional(text(64)),
    'filter[is_active]': TrueFilter,
    'filter[selling_with_thirstie]': TrueFilter,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  }),
  reply: object({
    items: Type.Array(Offering),
    total_rows: Count,
    prev_url: nullable(Type.String()),
    next_url: nullable(Type.String()),
  }),
})
