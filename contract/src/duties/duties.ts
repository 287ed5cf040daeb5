import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import {
  Day,
  idempotencyKey,
  maybe,
  MerchantKey,
  nullable,
  object,
  ofMerchant,
  reasonText,
} from '../wire/fields.ts'
import { recordedFields } from '../delivery/door-checks.ts'
import { Applies, decisions, dutyKinds, DutyRuleForm } from './duty-rules.ts'

export const RuleId = Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Z0-9-]+$' })

/** What a packing slip says because of the rule. */
const slipText = Type.Optional(Type.String())
/** Only a scan of the ID is the check that the rule asks for. */
const isElectronic = Type.Optional(Type.Boolean())

/** One thing that stands against an order, must happen, or is good to know, with the rule behind it. */
const Duty = object({
  rule: RuleId,
  kind: Type.Enum(dutyKinds),
  words: Type.String(),
  source: nullable(Type.String()),
  read_on: nullable(Day),
  confirmed_by: nullable(Type.String()),
  confirmed_on: nullable(Day),
  /** The owner did not confirm the rule as it is, but changed it for the shop. */
  is_changed: Type.Optional(Type.Boolean()),
  /** The reason that the owner gave. */
  reason: Type.Optional(Type.String()),
  /** Nobody at the shop has confirmed it, or since it was last read, or it was last read over a year ago. */
  is_doubtful: Type.Boolean(),
  text: slipText,
  /** Of hours that are told: it is within them now, so that no hand-over may begin. */
  is_now: Type.Optional(Type.Boolean()),
  is_electronic: isElectronic,
  /** What it makes the driver record of the ID. */
  record: Type.Optional(Type.Array(Type.Enum(recordedFields))),
})
export type Duty = Type.Static<typeof Duty>

export const Answer = object({ block: Type.Array(Duty), must: Type.Array(Duty), tell: Type.Array(Duty) })
export type Answer = Type.Static<typeof Answer>

export const ShortDuty = object({
  rule: RuleId,
  kind: Type.Enum(dutyKinds),
  words: Type.String(),
  text: slipText,
  is_electronic: isElectronic,
  is_doubtful: Type.Optional(Type.Boolean()),
})

/** What an order carries of the answer, for lists and buttons. */
export const OrderDuties = object({
  block: Type.Array(ShortDuty),
  must: Type.Array(ShortDuty),
  /** Rules that an owner let this order pass; its history says who and why. Another address or other lines end that. */
  set_aside: Type.Optional(Type.Array(RuleId)),
  /** Rules about which a clerk has asked an owner, who has not answered yet. */
  asked: Type.Optional(Type.Array(RuleId)),
  /** Rules that an owner who was asked did not let it pass. Both end like `set_aside`. */
  kept_held: Type.Optional(Type.Array(RuleId)),
  /** What a rule asked for at the hand-over and nobody recorded, or an hour of a courier that it forbids. */
  missing: Type.Optional(Type.Array(ShortDuty)),
  /** The ID check was left to a courier service by its agreement with the shop: the service sends no result. */
  relied_on: Type.Optional(object({ service: Type.String(), by: Type.String(), on: Day })),
  /** All of this in a word or two, for a row of the list: "Held: Utah". */
  note: Type.Optional(Type.String()),
})
export type OrderDuties = Type.Static<typeof OrderDuties>

/** What happens when a client closes a local order without the check that a rule asks for; the mildest first. */
export const closings = ['recorded', 'enforced_on_dashboard', 'enforced'] as const
export type Closing = (typeof closings)[number]

const Decision = object({
  decision: Type.Enum(decisions),
  applies: nullable(Applies),
  value: Type.Unknown(),
  reason: nullable(Type.String()),
  by: Type.String(),
  on: Day,
})

const ShopDuties = object({
  closing: Type.Enum(closings),
  /** The person who chose that; null where nobody has yet, or where the choice is older than its record. */
  closing_decision: nullable(
    object({ was: Type.Enum(closings), by: Type.String(), on: Day, reason: nullable(Type.String()) }),
  ),
  rules: Type.Array(
    object({ rule: DutyRuleForm, decision: nullable(Decision), is_doubtful: Type.Boolean() }),
  ),
})
export type ShopDuties = Type.Static<typeof ShopDuties>

export const getShopDuties = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/duties',
  summary:
    'The rules of law and carriers, and what the shop has decided about each; none of it is legal advice',
  access: 'merchant.read',
  params: ofMerchant,
  reply: ShopDuties,
})
export const decideDuty = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/duties/{rule}',
  summary: 'Confirm a rule, change what it applies to or asks for, or set it aside',
  access: 'duties.decide',
  params: object({ tmk: MerchantKey, rule: RuleId }),
  body: object({
    decision: Type.Enum(decisions),
    applies: maybe(Applies),
    value: Type.Optional(Type.Unknown()),
    reason: maybe(reasonText()),
  }),
  reply: ShopDuties,
  headers: idempotencyKey,
})
export const saveClosing = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/duties_closing',
  summary: 'What happens when a local order is closed without the ID check that a rule asks for',
  access: 'duties.decide',
  params: ofMerchant,
  body: object({
    closing: Type.Enum(closings),
    /** Required where the choice is milder than the one before. */
    reason: maybe(reasonText()),
  }),
  reply: ShopDuties,
  headers: idempotencyKey,
})
