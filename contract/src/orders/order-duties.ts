import { Type } from 'typebox'
import { Answer, RuleId, ShortDuty } from '../duties/duties.ts'
import { endpoint } from '../wire/endpoint.ts'
import {
  idempotencyKey,
  maybe,
  nullable,
  object,
  ofMerchantOrder,
  reasonText,
  Timestamp,
} from '../wire/fields.ts'
import { Order, SeenVersion } from './orders.ts'

/** What a clerk has asked an owner about a rule that stands against the order. Both texts stay in the shop. */
const Question = object({
  rule: RuleId,
  by: Type.String(),
  at: Timestamp,
  question: nullable(Type.String()),
  /** Of an owner who kept the order held; one who lets it pass ends the question. */
  answer: nullable(object({ by: Type.String(), at: Timestamp, reason: Type.String() })),
})
export type Question = Type.Static<typeof Question>

/** What one order needs, by the rules of its shop. */
export const getOrderDuties = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/duties',
  summary: 'The rules against an order, what must happen, what is good to know, and the sources of the rules',
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
    asked: Type.Optional(Type.Array(Question)),
  }),
})
export const askOwner = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask',
  summary:
    'Ask the owners, by mail and on their screens, to decide about a rule that stands against an order. A question that waits for its answer is not asked again',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({ version: SeenVersion, rule: RuleId, question: maybe(reasonText()) }),
  reply: Order,
  refusals: ['order_finished', 'invalid_transition'],
  headers: idempotencyKey,
})
export const keepOrderHeld = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/duties/keep_held',
  summary: 'Answer a question about an order with no: it stays held, with a reason',
  access: 'duties.decide',
  params: ofMerchantOrder,
  body: object({ version: SeenVersion, rule: RuleId, reason: reasonText() }),
  reply: Order,
  refusals: ['order_finished', 'invalid_transition'],
  headers: idempotencyKey,
})
export const letOrderPass = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/duties/pass',
  summary:
    'Let one order pass a rule that stands against it, or end the look at a missing check, with a reason',
  access: 'duties.decide',
  params: ofMerchantOrder,
  body: object({ version: SeenVersion, rule: RuleId, reason: reasonText() }),
  reply: Order,
  refusals: ['order_finished', 'invalid_transition'],
  headers: idempotencyKey,
})
