import { expect, test } from 'vitest'
import { recordedFields } from '../delivery/door-checks.ts'
import { carrierTermsOf, denialOf, isServiceAllowed } from './carrier-terms.ts'
import { answerClosing } from './closing.ts'
import { closings } from './duties.ts'
import { allowedTransitions } from '../orders/order-lifecycle.ts'
import type { OrderStatus } from '../orders/order-statuses.ts'
import { dutiesOf, unknownDestination, type DutyOrder } from './duties-of.ts'
import {
  beverageClasses,
  dutyKinds,
  type Applies,
  type Decision,
  type DutyKind,
  type DutyRule,
  type ShopRule,
} from './duty-rules.ts'

const rounds = 100_000
const day = '2026-11-23'
const services = ['Ground', '2 Day', 'Priority Overnight', 'SmartPost'] as const
const states = ['UT', 'CT', 'NY', 'CA'] as const
const confirmed: Decision = {
  decision: 'confirmed',
  applies: null,
  value: null,
  reason: null,
  by: 'Ines Albrecht',
  on: day,
}

/** mulberry32 */
function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function casesOf(seed: number) {
  const next = chance(seed)
  const below = (most: number) => Math.floor(next() * most)
  const oneOf = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T
  const someApplies = (): Applies => ({
    ...(next() < 0.3 && { roads: [oneOf(['parcel', 'local'] as const)] }),
    ...(next() < 0.4 && { classes: [oneOf(beverageClasses), oneOf(beverageClasses)] }),
    ...(next() < 0.2 && { abv_over: oneOf([5, 16, 40]) }),
    ...(next() < 0.2 && { from: oneOf(['same_state', 'other_state'] as const) }),
    ...(next() < 0.1 && { zips: [oneOf(['841', '100'])] }),
  })
  const values: Record<DutyKind, () => unknown> = {
    destination: () => ({ answer: oneOf(['allow', 'allow', 'deny', 'licence']) }),
    dry_area: () => ({}),
    po_box: () => ({}),
    carrier_service: () => ({
      carrier: oneOf(['FedEx', 'FedEx', 'UPS', 'USPS']),
      asks: oneOf(['deny', 'agreement', 'sticker', 'services', 'services', 'services']),
      services: [oneOf(services), oneOf(services), oneOf(services)],
    }),
    adult_signature: () => ({}),
    hours: () => ({ from: '02:00', to: '06:00' }),
    age_check: () => ({
      ...(next() < 0.3 && { is_electronic: true }),
      ...(next() < 0.3 && { record: [oneOf(recordedFields)] }),
    }),
    retention: () => ({ years: 2 }),
    purge: () => ({ after_days: 1 }),
    slip_text: () => ({ text: 'x' }),
    volume_report: () => ({ litres: oneOf([1, 75.7]) }),
    quantity_limit: () => ({ litres: oneOf([1, 9]) }),
  }
  const someRule = (id: string, kind: DutyKind = next() < 0.6 ? 'destination' : oneOf(dutyKinds)) =>
    ({
      id,
      country: 'US',
      state: oneOf([null, ...states]),
      kind,
      applies: someApplies(),
      value: values[kind](),
      words: id,
      source: 'https://example.com/law',
      sure: 'law',
      read_on: day,
      valid_from: null,
      valid_to: null,
    }) as DutyRule
  const someDecision = (): Decision | null =>
    oneOf([null, confirmed, confirmed, confirmed, { ...confirmed, decision: 'set_aside' }])
  const someOrder = (): DutyOrder => ({
    delivery: { method: oneOf(['shipped', 'on_demand']) },
    recipient: {
      street_1: oneOf(['1 Pier', 'PO Box 4']),
      state: oneOf([...states, 'Utopia']),
      zipcode: '84103',
      country: oneOf(['US', null, 'Canada']),
    },
    items: Array.from({ length: 1 + below(3) }, (_, index) => ({
      id: `l-${index}`,
      quantity: 1 + below(20),
      product: { container_size: '750 mL' },
      beverage_class: oneOf([null, ...beverageClasses]),
      abv: oneOf([null, 4, 13, 43]),
    })),
  })
  return () => ({
    order: someOrder(),
    rules: Array.from({ length: below(6) }, (_, index): ShopRule => ({
      rule: someRule(`R-${index}`),
      decision: someDecision(),
    })),
    carrierRules: Array.from({ length: below(4) }, (_, index): ShopRule => ({
      rule: someRule(`C-${index}`, 'carrier_service'),
      decision: someDecision(),
    })),
    anotherOfCarrier: someRule('C-99', 'carrier_service'),
    denial: { ...someRule('R-99', 'destination'), value: { answer: 'deny' } } as DutyRule,
    setAside: oneOf([[], ['R-1'], [unknownDestination]]),
    checkRules: () =>
      Array.from({ length: 1 + below(3) }, (_, index): ShopRule => ({
        rule: someRule(`K-${index}`, 'age_check'),
        decision: someDecision(),
      })),
    atTheDoor: () => ({
      closing: oneOf(closings),
      check: oneOf([
        undefined,
        { result: 'refused' as const },
        { result: 'not_made' as const },
        { result: 'passed' as const },
        ...(['typed', 'scanned', 'scanned'] as const).map((how) => ({
          result: oneOf(['passed', 'passed', 'refused'] as const),
          reading: { how, is_over_21: true, is_expired: false },
        })),
      ]),
      fields: oneOf([
        undefined,
        { name: 'Dee Nakamura' },
        { name: 'Dee Nakamura', birth_date: '1990-01-01', address: '1 Pier' },
      ]),
    }),
    time: oneOf(['02:30', '12:00']),
    status: oneOf<OrderStatus>(['SUBMITTED', 'MERCHANT_ACCEPTED', 'MERCHANT_SHIPPED']),
  })
}

type Case = ReturnType<ReturnType<typeof casesOf>>

function answerTo({ order, setAside, time }: Case, rules: readonly ShopRule[]) {
  return dutiesOf(order, { shop: { state: 'NY' }, rules, setAside, at: { day, time } })
}

test(`one more signed denial never makes an answer milder, over ${rounds} orders and rules`, () => {
  const next = casesOf(17)
  const milder: unknown[] = []
  for (let round = 0; round < rounds; round++) {
    const asked = next()
    const before = answerTo(asked, asked.rules)
    const after = answerTo(asked, [...asked.rules, { rule: asked.denial, decision: confirmed }])
    const kept = new Set([...after.block, ...after.must].map(({ rule }) => rule))
    const isLost = [...before.block, ...before.must].some(({ rule }) => !kept.has(rule))
    if (isLost || after.block.length < before.block.length) milder.push({ round, asked })
  }
  expect(milder.slice(0, 1)).toEqual([])
})

/** Whether a rule counts, once more and in the plainest way: each condition alone rules it out. */
function countsFor({ rule, decision }: ShopRule, { order }: Case): boolean {
  const { recipient, delivery } = order
  const lines = order.items.filter((line) => line.beverage_class !== 'none')
  if (decision === null || decision.decision === 'set_aside') return false
  const isLocal = delivery.method !== 'shipped'
  const isReadable = recipient.country !== 'Canada' && recipient.state !== 'Utopia'
  // A shop delivers around itself.
  const state = isReadable ? recipient.state : isLocal ? 'NY' : undefined
  if (rule.state !== null && rule.state !== state) return false
  const { roads, from, zips } = rule.applies
  if (roads && !roads.includes(isLocal ? 'local' : 'parcel')) return false
  if (from && state !== undefined && (from === 'same_state') !== (state === 'NY')) return false
  if (zips && !zips.includes('841')) return false
  return lines.some((line) => isMeant(rule, line))
}

function isMeant({ applies }: DutyRule, { beverage_class: known, abv }: DutyOrder['items'][number]): boolean {
  const { classes, abv_over: over } = applies
  return (
    (!classes || known === null || known === undefined || classes.includes(known)) &&
    (over === undefined || abv === null || abv === undefined || abv > over)
  )
}

function forbids(each: ShopRule, asked: Case): boolean {
  const { rule } = each
  const { order, setAside, time } = asked
  const lines = order.items.filter((line) => line.beverage_class !== 'none')
  if (!countsFor(each, asked) || setAside.includes(rule.id)) return false
  if (rule.kind === 'destination') return rule.value.answer !== 'allow'
  if (rule.kind === 'po_box') return order.recipient.street_1 === 'PO Box 4'
  if (rule.kind === 'hours') return time === '02:30'
  if (rule.kind === 'quantity_limit')
    return (
      lines.filter((line) => isMeant(rule, line)).reduce((sum, { quantity }) => sum + quantity, 0) * 0.75 >
      rule.value.litres
    )
  return rule.kind === 'dry_area'
}

const facts = { courier_estimate_id: 'est-1', courier_info: null, rejection_message: null, items: [] }
const forwards = new Set<string>([
  'accept',
  'buy_labels',
  'save_tracking',
  'send_out',
  'request_courier',
  'deliver',
])

test(`no accept, label or hand-over that a rule forbids, over ${rounds} orders and rules`, () => {
  const next = casesOf(4)
  const wrong: unknown[] = []
  let forbidden = 0
  for (let round = 0; round < rounds; round++) {
    const asked = next()
    const { order, rules, status } = asked
    const { block } = answerTo(asked, rules)
    const { delivery } = order
    const steps = allowedTransitions({ ...facts, delivery, status, duties: { block } }, 'merchant', day)
    const goesOn = steps.some(({ action }) => forwards.has(action))
    const isForbidden = rules.some((rule) => forbids(rule, asked))
    if (isForbidden) forbidden++
    if (isForbidden && goesOn) wrong.push({ round, asked })
  }
  expect(wrong.slice(0, 1)).toEqual([])
  // Neither is the question empty.
  expect(forbidden).toBeGreaterThan(rounds / 20)
})

test(`every local closing under "enforced" has the check that a rule asks for, and no other is refused, over ${rounds} orders and rules`, () => {
  const next = casesOf(21)
  const wrong: unknown[] = []
  const found = { refused: 0, closed: 0, missing: 0 }
  for (let round = 0; round < rounds; round++) {
    const any = next()
    const rules = any.checkRules()
    const door = any.atTheDoor()
    const asked = { ...any, order: { ...any.order, delivery: { method: 'on_demand' } } }
    const { isRefused, lacking } = answerClosing(answerTo(asked, rules).must, door)
    const { check, fields, closing } = door
    const unlawful = rules.filter((each) => {
      const { rule } = each
      if (rule.kind !== 'age_check' || !countsFor(each, asked)) return false
      const isSeen = check?.result === 'passed'
      const isScanned = check !== undefined && 'reading' in check && check.reading.how === 'scanned'
      const isTyped = (rule.value.record ?? []).every((name) => fields !== undefined && name in fields)
      return !isSeen || (rule.value.is_electronic === true && !isScanned) || !isTyped
    })
    const mayClose = unlawful.length === 0 || closing !== 'enforced'
    found[isRefused ? 'refused' : lacking.length > 0 ? 'missing' : 'closed'] += 1
    const isTold = lacking.map(({ rule }) => rule).join() === unlawful.map(({ rule }) => rule.id).join()
    if (isRefused === mayClose || !isTold) wrong.push({ round, asked, rules, door })
  }
  expect(wrong.slice(0, 1)).toEqual([])
  // None of the three is an empty question.
  expect(Math.min(...Object.values(found))).toBeGreaterThan(rounds / 20)
})

/** FedEx's own services that a label of this order may be of. */
function labelsOf({ order, time }: Case, rules: readonly ShopRule[]): string[] {
  const facts = { shop: { state: 'NY' }, rules, at: { day, time } }
  const { forbidden, allowed, denied } = carrierTermsOf(order, facts, 'FedEx')
  return services.filter(
    (service) =>
      forbidden === undefined &&
      denialOf(denied, { carrier: 'FedEx', service }) === undefined &&
      isServiceAllowed(allowed, { carrier: 'FedEx', service }),
  )
}

function forbidsLabel(each: ShopRule, asked: Case, service: string): boolean {
  const { rule } = each
  if (rule.kind !== 'carrier_service' || !countsFor(each, asked)) return false
  // USPS brings it to the door.
  if (rule.value.carrier === 'USPS') return rule.value.asks === 'deny' && service === 'SmartPost'
  if (rule.value.carrier !== 'FedEx') return false
  const { asks, services: named = [] } = rule.value
  return asks === 'deny' || (asks === 'services' && !named.includes(service))
}

test(`no label of a service that a rule forbids, and none more with another rule, over ${rounds} orders and rules`, () => {
  const next = casesOf(49)
  const wrong: unknown[] = []
  let forbidden = 0
  for (let round = 0; round < rounds; round++) {
    const asked = next()
    const { carrierRules, anotherOfCarrier } = asked
    const labels = labelsOf(asked, carrierRules)
    const lawful = services.filter(
      (service) => !carrierRules.some((rule) => forbidsLabel(rule, asked, service)),
    )
    if (lawful.length < services.length) forbidden++
    const withOne = labelsOf(asked, [...carrierRules, { rule: anotherOfCarrier, decision: confirmed }])
    if (labels.join() !== lawful.join() || withOne.some((service) => !labels.includes(service)))
      wrong.push({ round, asked, labels, lawful, withOne })
  }
  expect(wrong.slice(0, 1)).toEqual([])
  expect(forbidden).toBeGreaterThan(rounds / 40)
})
