import { Type } from 'typebox'
import { beverageClasses } from '../../duties/duty-rules.ts'
import { Day, Dollars, nullable, object } from '../../wire/fields.ts'

export const OrderLine = object({
  id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  quantity: Type.Integer({ minimum: 1 }),
  price: Dollars,
  subtotal: Dollars,
  discount: Dollars,
  image_spec: nullable(Type.String()),
  product: nullable(object({ id: Type.String(), container_size: nullable(Type.String()) })),
  offering: nullable(
    object({
      id: Type.String(),
      merchant_sku: nullable(Type.String()),
      stock_behaviour: nullable(Type.String()),
    }),
  ),
  aux_data: nullable(
    object({
      engraving_message: Type.Array(Type.String()),
      preorder_type: nullable(Type.String()),
      preorder_available_date: nullable(Day),
      preorder_balance_due_excl_taxes_fees: nullable(Dollars),
    }),
  ),
  parent_line_item_id: nullable(Type.String()),
  /** What the rules ask about; absent where the marketplace did not say. */
  beverage_class: Type.Optional(Type.Enum(beverageClasses)),
  /** Alcohol in per cent by volume. */
  abv: Type.Optional(Type.Number()),
  volume_ml: Type.Optional(Type.Number()),
})

export const OrderTransaction = object({
  subtotal: Dollars,
  tax: Dollars,
  delivery_fee: Dollars,
  shipping: Dollars,
  tip: Dollars,
  total: Dollars,
})
