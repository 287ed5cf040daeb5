import { Type } from 'typebox'
import { Answer, RuleId, ShortDuty } from '../duties/duties.ts'
import { endpoint } from '../wire/endpoint.ts'
import { filledText, idempotencyKey, object, ofMerchantOrder, Timestamp } from '../wire/fields.ts'
import { Order, SeenVersion } from './orders.ts'

/** What one order needs, by the rules of its shop. */
export const getOrderDuties = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/duties',
  summary: 'What stands against an order, what must happen, what is good to know, and the rules behind it',
  access: 'orders.read',
  params: ofMerchantOrder,
  reply: object({
    ...Answer.properties,
    missing: Type.Array(ShortDuty),
    checked_at: Timestamp,
    /** Whether the dashboard closes this order only with an ID check. */
    needs_check: Type.Boolean(),
    /** Whether only a scan of the ID is that check. */
    needs_scan: Type.Boolean(),
  }),
})
export const letOrderPass = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/duties/pass',
  summary:
    'Let one order pass a rule that stands against it, or end the look at a missing check, with a reason',
  access: 'duties.decide',
  params: ofMerchantOrder,
  body: object({ version: SeenVersion, rule: RuleId, reason: filledText(500) }),
  reply: Order,
  refusals: ['order_finished', 'invalid_transition'],
  headers: idempotencyKey,
})
