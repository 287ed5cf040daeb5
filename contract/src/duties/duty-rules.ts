import { Type, type TSchema } from 'typebox'
import { Day, filledText, nullable, object, TimeOfDay } from '../wire/fields.ts'
import { recordedFields } from '../delivery/door-checks.ts'
import { usStates } from '../values/us-states.ts'

/** What a line holds. `none` has no alcohol; a line that does not say is taken for the strictest of them. */
export const beverageClasses = ['wine', 'beer', 'cider', 'spirits', 'other', 'none'] as const
export type BeverageClass = (typeof beverageClasses)[number]

/** By parcel carrier, or by the shop or a courier to the door. */
export const roads = ['parcel', 'local'] as const

/** The orders that a rule is about. A field that is left out leaves nothing out. */
export const Applies = object({
  roads: Type.Optional(Type.Array(Type.Enum(roads), { minItems: 1 })),
  classes: Type.Optional(Type.Array(Type.Enum(beverageClasses), { minItems: 1 })),
  /** Per cent by volume. */
  abv_over: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  from: Type.Optional(Type.Enum(['same_state', 'other_state'])),
  /** The first digits of the destinations' zip codes. */
  zips: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9]{3,5}$' }), { minItems: 1, maxItems: 2000 })),
})
export type Applies = Type.Static<typeof Applies>

/** The records that a rule can have removed. */
export const purgeable = ['id_fields', 'courier_proofs'] as const
export type Purgeable = (typeof purgeable)[number]

const Litres = Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })

/** Each kind of rule, with the form of its value. */
export const dutyValues = {
  destination: object({ answer: Type.Enum(['allow', 'deny', 'licence']) }),
  dry_area: object({}),
  po_box: object({}),
  carrier_service: object({
    carrier: filledText(40),
    asks: Type.Enum(['deny', 'agreement', 'sticker', 'services']),
    services: Type.Optional(Type.Array(filledText(60), { minItems: 1, maxItems: 40 })),
  }),
  adult_signature: object({}),
  /** No hand-over from the first time of day on until the second. */
  hours: object({ from: TimeOfDay, to: TimeOfDay }),
  age_check: object({
    is_electronic: Type.Optional(Type.Boolean()),
    record: Type.Optional(Type.Array(Type.Enum(recordedFields))),
  }),
  retention: object({ years: Type.Number({ minimum: 0, maximum: 100 }) }),
  purge: object({
    after_days: Type.Integer({ minimum: 0, maximum: 36_500 }),
    /** Left out, the fields of ID checks alone: what proves a delivery goes only by a rule that names it. */
    of: Type.Optional(Type.Array(Type.Enum(purgeable), { minItems: 1, uniqueItems: true })),
  }),
  slip_text: object({ text: filledText(500) }),
  volume_report: object({ litres: Litres }),
  quantity_limit: object({ litres: Litres }),
} as const satisfies Record<string, TSchema>
export type DutyKind = keyof typeof dutyValues
export const dutyKinds = Object.keys(dutyValues) as DutyKind[]
type DutyValue<K extends DutyKind> = Type.Static<(typeof dutyValues)[K]>

const ruleFields = {
  /** Stays the same for as long as the rule is there: histories name it. */
  id: Type.String({ pattern: '^[A-Z0-9][A-Z0-9-]{1,39}$' }),
  country: Type.Literal('US'),
  /** Where the bottles go; null is every state. */
  state: nullable(Type.Enum(usStates.map(([code]) => code))),
  applies: Applies,
  /** What the rule asks, as a sentence to a clerk. */
  words: filledText(300),
  /** An address, or the paragraph and the place where it was read. */
  source: filledText(300),
  /** `law` is the text of the law or its publisher, `second` somebody who quotes it. */
  sure: Type.Enum(['law', 'carrier', 'maker', 'second', 'practice', 'terms']),
  read_on: Day,
  valid_from: nullable(Day),
  valid_to: nullable(Day),
}
/** The form of a rule besides its value, whose form its kind decides. */
export const DutyRuleForm = object({ ...ruleFields, kind: Type.Enum(dutyKinds), value: Type.Unknown() })

type RuleFacts = Type.Static<ReturnType<typeof ruleOf>>
const ruleOf = () => object(ruleFields)
export type DutyRule = { [K in DutyKind]: RuleFacts & { kind: K; value: DutyValue<K> } }[DutyKind]

export const decisions = ['confirmed', 'changed', 'set_aside'] as const

/** An owner's word on a rule. A changed rule holds with the owner's own value or orders; one set aside does not hold. */
export interface Decision {
  readonly decision: (typeof decisions)[number]
  readonly applies: Applies | null
  readonly value: unknown
  readonly reason: string | null
  readonly by: string
  /** YYYY-MM-DD */
  readonly on: string
}

/** A rule as one shop has it. */
export interface ShopRule {
  readonly rule: DutyRule
  readonly decision: Decision | null
}
