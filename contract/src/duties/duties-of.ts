import { foreignCountry } from '../delivery/address-lines.ts'
import { ownLines } from '../orders/order-lines.ts'
import { isLocal } from '../orders/order-statuses.ts'
import { isPoBox } from '../shipping/label-errors.ts'
import { readContainerSize } from '../values/container-size.ts'
import { stateCode, usStates } from '../values/us-states.ts'
import { isZipOfOther } from '../values/zip-states.ts'
import type { Answer, Duty } from './duties.ts'
import type { Applies, BeverageClass, Decision, DutyRule, Purgeable, ShopRule } from './duty-rules.ts'

/** The part of an order that the rules ask about. */
export interface DutyOrder {
  readonly delivery: { readonly method: string }
  readonly recipient: {
    readonly street_1: string
    readonly street_2?: string | null
    readonly street_3?: string | null
    readonly state: string
    readonly zipcode: string
    readonly country?: string | null
  }
  readonly items: readonly {
    readonly id: string
    readonly quantity: number
    readonly parent_line_item_id?: string | null
    readonly product?: { readonly container_size?: string | null } | null
    readonly beverage_class?: BeverageClass | null
    readonly abv?: number | null
    readonly volume_ml?: number | null
  }[]
}

export interface DutyFacts {
  /** Where the bottles come from, as its address says. */
  readonly shop: { readonly state: string }
  readonly rules: readonly ShopRule[]
  /** The rules that an owner let this one order pass. */
  readonly setAside?: readonly string[] | undefined
  /** The shop's day, YYYY-MM-DD, and where a hand-over is asked about its time of day there. */
  readonly at: { readonly day: string; readonly time?: string }
}

/** The hold of an order to a place that no rule in force allows. */
export const unknownDestination = 'UNKNOWN-DESTINATION'

/** The largest usual bottle: what says no volume counts as that much, so that no limit is passed unseen. */
const unknownMillilitres = 1_750

type Line = DutyOrder['items'][number]

interface Case {
  readonly lines: readonly Line[]
  readonly road: 'parcel' | 'local'
  /** Undefined for an address abroad, or one whose state is no state. */
  readonly state: string | undefined
  readonly shopState: string | undefined
  readonly zip: string
  readonly streets: readonly string[]
  readonly at: DutyFacts['at']
}

/**
 * The rules against an order, those that ask for something, and those that are good to know. A rule counts once an
 * owner has confirmed it; until then it is only told. Where the facts are missing the strictest answer counts: a line
 * of unknown class is of every class that a rule forbids and of none that it allows.
 */
export function dutiesOf(order: DutyOrder, { shop, rules, setAside = [], at }: DutyFacts): Answer {
  const answer: Answer = { block: [], must: [], tell: [] }
  const asked = caseOf(order, shop, at)
  if (asked.lines.length === 0) return answer
  const standing = rules.flatMap((each) => standingOf(each, at.day))
  for (const each of standing) {
    const weight = isAbout(each.rule, asked) ? weightOf(each.rule, asked) : undefined
    if (weight !== undefined) answer[each.counts ? weight : 'tell'].push(each.duty)
  }
  const hold = holdOf(standing, asked)
  if (hold !== undefined) answer.block.push(hold)
  return letPass(answer, setAside)
}

/** The rules that count, of those that are about the order, as the shop's owner left them. */
export function countingRules(
  order: DutyOrder,
  { shop, rules, at }: Omit<DutyFacts, 'setAside'>,
): DutyRule[] {
  const asked = caseOf(order, shop, at)
  return rules
    .flatMap((each) => standingOf(each, at.day))
    .flatMap(({ rule, counts }) => (counts && isAbout(rule, asked) ? [rule] : []))
}

export interface Keeping {
  /** The rule that asks longest to keep the order's records. */
  readonly keep: { readonly rule: string; readonly years: number } | undefined
  /** The rule that asks soonest to have them removed. */
  readonly purge: { readonly rule: string; readonly afterDays: number } | undefined
}

/** How long records of this sort of an order are kept, by the rules that count. A rule that keeps, keeps all of them. */
export function keepingOf(order: DutyOrder, facts: Omit<DutyFacts, 'setAside'>, records: Purgeable): Keeping {
  const about = countingRules(order, facts)
  const keeps = about.flatMap((rule) =>
    rule.kind === 'retention' ? [{ rule: rule.id, years: rule.value.years }] : [],
  )
  const purges = about.flatMap((rule) =>
    rule.kind === 'purge' && (rule.value.of ?? ['id_fields']).includes(records)
      ? [{ rule: rule.id, afterDays: rule.value.after_days }]
      : [],
  )
  return {
    keep: keeps.toSorted((one, other) => other.years - one.years)[0],
    purge: purges.toSorted((one, other) => one.afterDays - other.afterDays)[0],
  }
}

function caseOf(order: DutyOrder, shop: DutyFacts['shop'], at: DutyFacts['at']): Case {
  const { recipient } = order
  const road = isLocal(order.delivery.method) ? 'local' : 'parcel'
  const shopState = stateCode(shop.state)
  const named = foreignCountry(recipient) === undefined ? stateCode(recipient.state) : undefined
  const lines = ownLines(order)
    .map(({ item }) => item)
    .filter((line) => line.beverage_class !== 'none')
  return {
    lines,
    road,
    // A shop delivers around itself: a state that nobody can read is its own there.
    state: named ?? (road === 'local' ? shopState : undefined),
    shopState,
    zip: recipient.zipcode.trim(),
    streets: [recipient.street_1, recipient.street_2, recipient.street_3].filter(
      (street): street is string => typeof street === 'string',
    ),
    at,
  }
}

/** Of the lines that the rule is about: a limit for wine counts no beer. */
function litresOf({ applies }: DutyRule, { lines }: Case): number {
  const about = lines.filter((line) => mayBe(applies, line))
  return about.reduce((sum, line) => sum + line.quantity * millilitresOf(line), 0) / 1000
}

function millilitresOf({ volume_ml: volume, product }: Line): number {
  return volume ?? readContainerSize(product?.container_size ?? '')?.millilitres ?? unknownMillilitres
}

interface Standing {
  readonly rule: DutyRule
  readonly duty: Duty
  readonly counts: boolean
}

/** The rule as the owner left it, on a day on which it is valid. */
function standingOf({ rule: shipped, decision }: ShopRule, day: string): Standing[] {
  if (decision?.decision === 'set_aside') return []
  const isChanged = decision?.decision === 'changed'
  const rule = asDecided(shipped, decision)
  if ((rule.valid_from ?? day) > day || (rule.valid_to ?? day) < day) return []
  const counts = decision !== null || rule.sure === 'terms'
  const duty: Duty = {
    rule: rule.id,
    kind: rule.kind,
    words: rule.words,
    source: rule.source,
    read_on: rule.read_on,
    confirmed_by: decision?.by ?? null,
    confirmed_on: decision?.on ?? null,
    ...(isChanged && { is_changed: true }),
    ...(isChanged && decision.reason !== null && { reason: decision.reason }),
    is_doubtful: !counts || isOverAYear(rule.read_on, day) || (decision?.on ?? day) < rule.read_on,
    ...(rule.kind === 'slip_text' && { text: rule.value.text }),
    ...(rule.kind === 'age_check' && rule.value.is_electronic && { is_electronic: true }),
    ...(rule.kind === 'age_check' && rule.value.record && { record: rule.value.record }),
  }
  return [{ rule, duty, counts }]
}

/** The rule with the owner's changes, and words that tell them. */
export function asDecided(shipped: DutyRule, decision: Changing | null | undefined): DutyRule {
  if (decision?.decision !== 'changed') return shipped
  const changed = { ...shipped, ...changesOf(decision) } as DutyRule
  return { ...changed, words: wordsOfChanged(changed, decision) }
}

type Changing = Pick<Decision, 'decision' | 'applies' | 'value'>

const changedWords = 'An owner of the shop has changed this rule.'
const answerWords = {
  allow: 'may go to',
  deny: 'do not go to',
  licence: 'go only with a licence to',
} as const

/** The shipped sentence tells the shipped value: that bottles may go where the owner says that they do not. */
function wordsOfChanged(rule: DutyRule, { value }: Changing): string {
  const said = value === null ? undefined : wordsOfValue(rule)
  return said === undefined ? `${rule.words} ${changedWords}` : `An owner of the shop has decided: ${said}.`
}

/** Undefined for a value that the shipped sentence does not tell. */
function wordsOfValue(rule: DutyRule): string | undefined {
  switch (rule.kind) {
    case 'destination':
      return `such bottles ${answerWords[rule.value.answer]} ${nameOf(rule.state) ?? 'any state'}`
    case 'carrier_service':
      return rule.value.services && `by ${rule.value.carrier}, only ${rule.value.services.join(', ')}`
    case 'hours':
      return `no hand-over from ${rule.value.from} to ${rule.value.to}`
    case 'volume_report':
      return `a sale of ${rule.value.litres} litres or more is a large one. Record date, buyer, address, kinds and quantities, and keep a signed receipt`
    case 'quantity_limit':
      return `no more than ${rule.value.litres} litres`
    default:
      return undefined
  }
}

function nameOf(state: string | null | undefined): string | undefined {
  return usStates.find(([code]) => code === state)?.[1]
}

function changesOf({ applies, value }: Changing): Partial<{ applies: Applies; value: unknown }> {
  return { ...(applies === null ? {} : { applies }), ...(value === null ? {} : { value }) }
}

/** Both as YYYY-MM-DD. */
export function isOverAYear(readOn: string, day: string): boolean {
  return `${Number(readOn.slice(0, 4)) + 1}${readOn.slice(4)}` < day
}

/**
 * Whether the rule's own place and lines are those of the order, where unknown ones count as its own. Only a rule of
 * one state needs to know the order's: a rule of every state also meets an order whose state nobody can read.
 */
function isAbout({ state, applies }: DutyRule, asked: Case): boolean {
  if (state !== null && state !== asked.state) return false
  if (isFrom(applies, asked) === false) return false
  return isForRoad(applies, asked) && asked.lines.some((line) => mayBe(applies, line))
}

/** Whether the bottles come from where the rule means; undefined where that is unknown. */
function isFrom({ from }: Applies, { state, shopState }: Case): boolean | undefined {
  if (from === undefined) return true
  if (state === undefined || shopState === undefined) return undefined
  return (from === 'same_state') === (state === shopState)
}

function isForRoad({ roads, zips }: Applies, { road, zip }: Case): boolean {
  return (
    (roads === undefined || roads.includes(road)) &&
    (zips === undefined || zips.some((start) => zip.startsWith(start)))
  )
}

function mayBe({ classes, abv_over: over }: Applies, { beverage_class: known, abv }: Line): boolean {
  return (
    (classes === undefined || known == null || classes.includes(known)) &&
    (over === undefined || abv == null || abv > over)
  )
}

function surelyIs({ classes, abv_over: over }: Applies, { beverage_class: known, abv }: Line): boolean {
  return (
    (classes === undefined || (known != null && classes.includes(known))) &&
    (over === undefined || (abv != null && abv > over))
  )
}

type Weight = keyof Answer

/** Undefined: the rule asks nothing of this order now. */
function weightOf(rule: DutyRule, asked: Case): Weight | undefined {
  switch (rule.kind) {
    case 'destination':
      return rule.value.answer === 'allow' ? undefined : 'block'
    case 'dry_area':
      return 'block'
    case 'po_box':
      return asked.streets.some(isPoBox) ? 'block' : undefined
    case 'quantity_limit':
      return litresOf(rule, asked) > rule.value.litres ? 'block' : undefined
    case 'hours':
      return isWithin(rule.value, asked.at.time) ? 'block' : 'tell'
    case 'volume_report':
      return litresOf(rule, asked) >= rule.value.litres ? 'must' : undefined
    case 'carrier_service':
      return rule.value.asks === 'agreement' ? 'tell' : 'must'
    case 'adult_signature':
    case 'age_check':
    case 'slip_text':
      return 'must'
    case 'retention':
    case 'purge':
      return undefined
  }
}

/** The night may pass midnight. */
function isWithin({ from, to }: { from: string; to: string }, time: string | undefined): boolean {
  if (time === undefined) return false
  return from <= to ? from <= time && time < to : from <= time || time < to
}

/**
 * Once a shop has said where it may ship, every other place waits for an owner. A shop delivers around itself unasked;
 * over a state line its own delivery is as far from home as a parcel.
 */
function holdOf(standing: readonly Standing[], asked: Case): Duty | undefined {
  // Otherwise a clerk who writes another state into an address sends a parcel where the carrier's zip code says.
  const isTorn = asked.state !== undefined && isZipOfOther(asked.state, asked.zip) === true
  const isOver =
    asked.road === 'local' && asked.shopState !== undefined && (isTorn || asked.state !== asked.shopState)
  const known = standing.flatMap(({ rule, counts }) =>
    counts &&
    rule.kind === 'destination' &&
    (isOver || (rule.applies.roads ?? [asked.road]).includes(asked.road))
      ? [rule]
      : [],
  )
  if (known.length === 0) return undefined
  const allowed = known.filter(
    (rule) =>
      rule.value.answer === 'allow' &&
      asked.state !== undefined &&
      isFrom(rule.applies, asked) === true &&
      isAbout(rule, asked),
  )
  const isAllowed = asked.lines.every((line) => allowed.some((rule) => surelyIs(rule.applies, line)))
  if (isAllowed && !isTorn) return undefined
  const place = nameOf(asked.state) ?? 'this address'
  return {
    rule: unknownDestination,
    kind: 'destination',
    words: isTorn
      ? `The zip code ${asked.zip} is not one of ${place}. Correct the address, so that the rules of its state are asked.`
      : `No rule that this shop has confirmed allows to ${isOver ? 'deliver' : 'ship'} these bottles to ${place}.`,
    source: null,
    read_on: null,
    confirmed_by: null,
    confirmed_on: null,
    is_doubtful: false,
  }
}

function letPass({ block, must, tell }: Answer, setAside: readonly string[]): Answer {
  const passed = block.filter(({ rule }) => setAside.includes(rule))
  return {
    block: block.filter((duty) => !passed.includes(duty)),
    must,
    tell: [...tell, ...passed.map((duty) => ({ ...duty, words: `${duty.words} An owner let it pass.` }))],
  }
}
