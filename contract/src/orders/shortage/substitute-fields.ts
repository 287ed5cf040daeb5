import { Type } from 'typebox'
import { Count, Dollars, nullable, object, Timestamp } from '../../wire/fields.ts'
import { OrderLine, OrderTransaction } from './line-fields.ts'

/** `offered` is open; every other state is final, and after the last two the shop may ask again. */
export const offerStates = ['offered', 'chosen', 'declined', 'silent', 'withdrawn', 'unreached'] as const
/** What an answer that never comes means. */
export const silences = ['refund', 'take_first', 'reject'] as const
export const offerWays = ['text', 'mail'] as const

const { name, description, image_spec, product, offering, beverage_class, abv, volume_ml } =
  OrderLine.properties

const Substitute = object({
  offering_id: Type.String(),
  /** Of one bottle, at the moment of the offer. */
  price: Dollars,
  /** Of one bottle, to the ordered one; above 0 where the substitute is dearer. */
  difference: Type.Number(),
  line: object({ name, description, image_spec, product, offering, beverage_class, abv, volume_ml }),
})
export type Substitute = Type.Static<typeof Substitute>

export const SubstituteOffer = object({
  id: Type.String(),
  line_id: Type.String(),
  name: Type.String(),
  missing: Count,
  offered: Type.Array(Substitute, { minItems: 1, maxItems: 2 }),
  by: Type.Enum([...offerWays]),
  until: Timestamp,
  silence: Type.Enum([...silences]),
  state: Type.Enum([...offerStates]),
  /** The offering that the customer takes, or the shop's setting; null for none. */
  choice: nullable(Type.String()),
  ended_at: nullable(Timestamp),
})
export type SubstituteOffer = Type.Static<typeof SubstituteOffer>

export const OrderSubstitutes = object({
  /** The last offer for each line. */
  offers: Type.Array(SubstituteOffer),
  /** The lines and sums without the missing pieces and with the chosen substitutes; absent before the first answer. */
  agreed: Type.Optional(
    object({
      items: Type.Array(OrderLine),
      transaction: OrderTransaction,
      /** In dollars: what the customer gets back, or pays more when it is below 0. */
      refund: Type.Number(),
    }),
  ),
})
export type OrderSubstitutes = Type.Static<typeof OrderSubstitutes>
