import { isCheckedAs } from '@cellarhand/contract/age-check'
import { carrierTermsOf, type CarrierTerms } from '@cellarhand/contract/carrier-terms'
import type { Answer, Duty, OrderDuties } from '@cellarhand/contract/duties'
import { dutiesOf } from '@cellarhand/contract/duties-of'
import type { OrderAction } from '@cellarhand/contract/order-lifecycle'
import { getDutyBook, holdRules, type DutyBook } from '#duties/public.ts'
import { dayIn, toWallTime } from '#platform/clock/zoned-time.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { clockSkewMs } from './delivery-details.ts'
import type { StoredOrder } from './stored-order.ts'

interface Asked {
  readonly book: DutyBook
  readonly nowMs: number
  /** The moment of a hand-over; without one the hours of the day are only told. */
  readonly handOverMs?: number | undefined
}

export function answerFor(order: StoredOrder, { book, nowMs, handOverMs }: Asked): Answer {
  const atMs = handOverMs ?? nowMs
  const time = handOverMs === undefined ? {} : { time: timeIn(handOverMs, book.timezone) }
  return dutiesOf(order, {
    shop: book,
    rules: book.rules,
    setAside: order.duties?.set_aside,
    at: { day: dayIn(atMs, book.timezone), ...time },
  })
}

function timeIn(atMs: number, timezone: string): string {
  const { hour, minute } = toWallTime(atMs, timezone)
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** The answer as the order carries it; undefined where there is nothing to carry and nothing was carried before. */
export function carriedDuties(answer: Answer, before: OrderDuties | undefined): OrderDuties | undefined {
  if (before === undefined && answer.block.length + answer.must.length === 0) return undefined
  // Where no rule is against it any more, nobody waits for an answer about it.
  const against = new Set([...answer.block, ...answer.tell].map(({ rule }) => rule))
  const settled = [...(before?.asked ?? []), ...(before?.kept_held ?? [])].filter(
    (rule) => !against.has(rule),
  )
  const rest = settled.reduce<OrderDuties | undefined>(withoutQuestion, before)
  return { ...rest, block: answer.block.map(inShort), must: answer.must.map(inShort) }
}

export function inShort(duty: Duty): OrderDuties['block'][number] {
  const { rule, kind, words, text, is_electronic, is_doubtful } = duty
  return {
    rule,
    kind,
    words,
    ...(text !== undefined && { text }),
    ...(is_electronic && { is_electronic }),
    ...(is_doubtful && { is_doubtful }),
  }
}

/** The ID checks that are not on record as the rules ask for them; none where a closing has said so before. */
export function uncheckedRules({ age_check: check, duties }: StoredOrder): OrderDuties['must'] {
  // An owner's word on the hour alone says nothing of the check.
  const said = duties?.missing
  const isOfHours = said !== undefined && said.length > 0 && said.every(({ kind }) => kind === 'hours')
  if (said !== undefined && !isOfHours) return []
  return duties?.must.filter((duty) => duty.kind === 'age_check' && !isCheckedAs(duty, check)) ?? []
}

/** A delivery is a fact that cannot be refused: without the check that a rule asks for, the order needs a look. */
export function missingCheck(order: StoredOrder): Partial<StoredOrder> {
  return withAlsoMissing(order, uncheckedRules(order))
}

interface ByCourier {
  readonly order: StoredOrder
  /** The proof follows, and says whether the ID was checked. */
  readonly hasProof: boolean
}

/**
 * The same of a courier, which goes by its own clock: asked before the hours that a rule forbids, it may hand over within
 * them.
 */
export async function missingOfCourier(
  statements: Statements,
  merchantId: string,
  { order, hasProof }: ByCourier,
): Promise<Partial<StoredOrder>> {
  const book = await getDutyBook(statements, merchantId)
  const nowMs = statements.clock.nowMs()
  const late = answerFor(order, { book, nowMs, handOverMs: nowMs }).block.filter(
    ({ kind }) => kind === 'hours',
  )
  const at = timeIn(nowMs, book.timezone)
  return withAlsoMissing(order, [
    ...(hasProof ? [] : uncheckedRules(order)),
    ...late.map((duty) => ({ ...inShort(duty), words: `The courier delivered at ${at}. ${duty.words}` })),
  ])
}

function withAlsoMissing(order: StoredOrder, found: OrderDuties['must']): Partial<StoredOrder> {
  if (found.length === 0) return {}
  const { missing = [], ...before } = order.duties ?? { block: [], must: [] }
  const others = missing.filter(({ rule }) => !found.some((each) => each.rule === rule))
  return { duties: { ...before, missing: [...others, ...found] } }
}

/**
 * The rule, if it is against the order or may do so at its hand-over: one within the hours may be recorded later,
 * when they stand against nothing.
 */
export function requireAgainst(
  order: StoredOrder,
  { book, nowMs }: Pick<Asked, 'book' | 'nowMs'>,
  rule: string,
): Duty {
  const { block, tell } = answerFor(order, { book, nowMs, handOverMs: nowMs })
  const hours = tell.filter(({ kind, confirmed_by: by }) => kind === 'hours' && by !== null)
  return (
    [...block, ...hours].find((duty) => duty.rule === rule) ??
    refuse('validation_failed', { errors: { rule: 'This rule does not stand against the order' } })
  )
}

/** As it is when nobody waits for an owner's answer about the rule, and no owner has said no. */
export function withoutQuestion(duties: OrderDuties | undefined, rule: string): OrderDuties {
  const { asked, kept_held: keptHeld, ...rest } = duties ?? { block: [], must: [] }
  const others = (rules: readonly string[] = []) => rules.filter((each) => each !== rule)
  const [askedStill, heldStill] = [others(asked), others(keptHeld)]
  return {
    ...rest,
    ...(askedStill.length > 0 && { asked: askedStill }),
    ...(heldStill.length > 0 && { kept_held: heldStill }),
  }
}

/** What the shop's rules ask of a parcel of this order by a carrier. */
export async function getCarrierTerms(
  statements: Statements,
  merchantId: string,
  { order, carrier }: { order: StoredOrder; carrier: string },
): Promise<CarrierTerms> {
  const book = await getDutyBook(statements, merchantId)
  const at = { day: dayIn(statements.clock.nowMs(), book.timezone) }
  return carrierTermsOf(order, { shop: book, rules: book.rules, at }, carrier)
}

/** The steps at which the bottles leave for the door, so that the hours of the day count. */
const handOvers: ReadonlySet<OrderAction> = new Set(['send_out', 'request_courier', 'deliver'])

/** What the rules ask of an order at a step. */
export interface AskedDuties {
  readonly answer: Answer
  readonly book: DutyBook
}

interface StepToAsk {
  readonly order: StoredOrder
  readonly action: OrderAction
  readonly book?: DutyBook | undefined
  readonly handedOverOn?: string | null | undefined
  /** When it last left the shop. */
  readonly shippedAt: Date | null
}

/** The rules as they stand now, not the order's own copy of the answer, which may be older. */
export async function askDuties(
  statements: Statements,
  merchantId: string,
  { order, action, book: given, handedOverOn, shippedAt }: StepToAsk,
): Promise<AskedDuties> {
  const book = given ?? (await getDutyBook(statements, merchantId))
  const nowMs = statements.clock.nowMs()
  const saidMs =
    action === 'deliver' ? Date.parse(handedOverOn || order.delivery_info?.delivered_on || '') : NaN
  // Nothing changes hands before it leaves the shop. Such a time is taken, since a driver may tell the desk of both steps
  // after the round; but the rules of the present hour count, and not those of an hour of the clerk's choice.
  const isPossible = saidMs >= (shippedAt?.getTime() ?? 0) - clockSkewMs
  const handOverMs = isPossible ? saidMs : nowMs
  const answer = answerFor(order, { book, nowMs, ...(handOvers.has(action) ? { handOverMs } : {}) })
  return { answer, book }
}

type Patch = Partial<Omit<StoredOrder, 'id' | 'status' | 'version'>> | undefined

interface Asking {
  readonly order: StoredOrder
  readonly patch: Patch
  readonly isBack: boolean
}

/**
 * Another address or other lines are asked about anew; what an owner let pass was about the old ones. So is an order
 * that comes back to the shop: no job has asked it since it left, and its next hand-over has an hour of its own.
 */
export async function withNewAnswer(
  statements: Statements,
  merchantId: string,
  { order, patch, isBack }: Asking,
): Promise<Patch> {
  const isOther = patch?.recipient !== undefined || patch?.items !== undefined
  if (!isOther && !isBack) return patch
  const held = holdRules(statements, merchantId)
  const [book] = await Promise.all([getDutyBook(statements, merchantId), held])
  const {
    set_aside: setAside = [],
    asked = [],
    kept_held: keptHeld = [],
    ...rest
  } = order.duties ?? { block: [], must: [] }
  const stillAbout = (rules: string[]) => (isOther ? [] : rules.filter((rule) => !isAboutHours(book, rule)))
  const before = order.duties && {
    ...rest,
    ...filled('set_aside', stillAbout(setAside)),
    ...filled('asked', stillAbout(asked)),
    ...filled('kept_held', stillAbout(keptHeld)),
  }
  const { duties: _, ...facts } = { ...order, ...patch }
  const answer = answerFor(
    { ...facts, ...(before && { duties: before }) },
    {
      book,
      nowMs: statements.clock.nowMs(),
    },
  )
  const duties = carriedDuties(answer, before)
  return duties === undefined ? patch : { ...patch, duties }
}

function filled(name: 'set_aside' | 'asked' | 'kept_held', rules: string[]): Partial<OrderDuties> {
  return rules.length === 0 ? {} : { [name]: rules }
}

function isAboutHours({ rules }: DutyBook, id: string): boolean {
  return rules.some(({ rule }) => rule.id === id && rule.kind === 'hours')
}
