import { Type } from 'typebox'
import { Order, SeenVersion } from '../orders/orders.ts'
import { offerWays, silences } from '../orders/shortage/substitute-fields.ts'
import { endpoint } from '../wire/endpoint.ts'
import { idempotencyKey, MerchantKey, object, ofMerchant, ofMerchantOrder, OrderId } from '../wire/fields.ts'

export const shortestAnswerMinutes = 5
export const longestAnswerMinutes = 24 * 60

/** How long a customer may think about substitutes, and what silence means. */
export const SubstituteSettings = object({
  minutes: Type.Integer({ minimum: shortestAnswerMinutes, maximum: longestAnswerMinutes }),
  silence: Type.Enum([...silences]),
})
export type SubstituteSettings = Type.Static<typeof SubstituteSettings>

export const usualSettings: SubstituteSettings = { minutes: 30, silence: 'refund' }

export const getSubstituteSettings = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/substitutes',
  summary: 'How long a customer may think about substitutes, and what silence means',
  access: 'orders.read',
  params: ofMerchant,
  reply: SubstituteSettings,
})
export const updateSubstituteSettings = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/substitutes',
  summary: 'Save how long a customer may think about substitutes, and what silence means',
  access: 'company.edit',
  params: ofMerchant,
  body: SubstituteSettings,
  reply: SubstituteSettings,
})

const OfferId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })

export const offerSubstitutes = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/substitutes',
  summary: 'Ask the customer whether another bottle may take the place of missing pieces',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({
    version: SeenVersion,
    line_id: Type.String({ minLength: 1, maxLength: 64 }),
    /** Offerings of the shop, the first one first. */
    offerings: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 2 }),
    by: Type.Enum([...offerWays]),
  }),
  reply: Order,
  refusals: ['invalid_transition', 'substitutes_offered', 'customer_unreachable', 'too_many_requests'],
  headers: idempotencyKey,
})
export const withdrawSubstitutes = endpoint({
  call: 'DELETE /m/v2/merchant/{tmk}/orders/{id}/substitutes/{offer}',
  summary: 'Take back the question about substitutes that the customer has not answered',
  access: 'orders.fulfil',
  params: object({ tmk: MerchantKey, id: OrderId, offer: OfferId }),
  reply: Order,
  refusals: ['substitutes_answered'],
  headers: idempotencyKey,
})

/** The id of the offer and its signature. */
const ofPage = object({ token: Type.String({ minLength: 1, maxLength: 200 }) })

export const readOfferPage = endpoint({
  call: 'GET /substitutes/{token}',
  summary: "The customer's page about substitutes, by a signed link",
  access: 'signed-link',
  params: ofPage,
  query: object({ choose: Type.Optional(Type.Literal('1')) }),
  reply: Type.String(),
  media: 'text/html',
})
export const answerOffer = endpoint({
  call: 'POST /substitutes/{token}',
  summary: "The customer's answer from that page; the first one counts",
  access: 'signed-link',
  params: ofPage,
  body: object({ choice: Type.Optional(Type.String({ maxLength: 64 })) }),
  reply: Type.Null(),
  status: 303,
  isForm: true,
})
export const readOfferStyle = endpoint({
  call: 'GET /substitutes/page.css',
  summary: 'How that page looks',
  access: 'public',
  reply: Type.String(),
  media: '*/*',
})
