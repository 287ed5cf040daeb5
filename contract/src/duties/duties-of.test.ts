import { describe, expect, test } from 'vitest'
import { carrierTermsOf } from './carrier-terms.ts'
import { dutiesOf, keepingOf, unknownDestination, type DutyOrder } from './duties-of.ts'
import type { Applies, Decision, DutyKind, DutyRule, ShopRule } from './duty-rules.ts'

const day = '2026-11-23'

function order(changes: Partial<DutyOrder> = {}, recipient: Partial<DutyOrder['recipient']> = {}): DutyOrder {
  return {
    delivery: { method: 'shipped' },
    items: [line()],
    ...changes,
    recipient: {
      street_1: '1450 Wasatch Terrace',
      state: 'UT',
      zipcode: '84103',
      country: 'US',
      ...recipient,
    },
  }
}

function line(changes: Partial<DutyOrder['items'][number]> = {}): DutyOrder['items'][number] {
  return { id: 'a', quantity: 1, product: { container_size: '750 mL' }, beverage_class: 'wine', ...changes }
}

function rule<K extends DutyKind>(
  kind: K,
  value: Extract<DutyRule, { kind: K }>['value'],
  changes: Partial<DutyRule> = {},
): DutyRule {
  return {
    id: `R-${kind.toUpperCase().replaceAll('_', '-')}`,
    country: 'US',
    state: null,
    kind,
    applies: {},
    value,
    words: `Words of ${kind}.`,
    source: 'https://example.com/law',
    sure: 'law',
    read_on: '2026-11-21',
    valid_from: null,
    valid_to: null,
    ...changes,
  } as DutyRule
}

const confirmed: Decision = {
  decision: 'confirmed',
  applies: null,
  value: null,
  reason: null,
  by: 'Ines Albrecht',
  on: '2026-11-22',
}

function signed(rule: DutyRule, changes: Partial<Decision> = {}): ShopRule {
  return { rule, decision: { ...confirmed, ...changes } }
}

interface Ask {
  of?: DutyOrder
  rules: readonly ShopRule[]
  setAside?: string[]
  time?: string
  on?: string
  shop?: string
}

function ask({ of = order(), rules, setAside, time, on = day, shop = 'NY' }: Ask) {
  const at = { day: on, ...(time === undefined ? {} : { time }) }
  const { block, must, tell } = dutiesOf(of, { shop: { state: shop }, rules, setAside, at })
  const ids = (duties: typeof block) => duties.map((duty) => duty.rule)
  return { block: ids(block), must: ids(must), tell: ids(tell) }
}

const nothing = { block: [], must: [], tell: [] }
const deny = rule('destination', { answer: 'deny' }, { state: 'UT' })
const allow = rule('destination', { answer: 'allow' }, { id: 'R-ALLOW', state: 'UT' })

describe('a rule counts once an owner has signed it', () => {
  test('an unsigned one is only told, and is doubtful', () => {
    const answer = dutiesOf(order(), {
      shop: { state: 'NY' },
      rules: [{ rule: deny, decision: null }],
      at: { day },
    })
    expect(answer).toMatchObject({ block: [], must: [], tell: [{ rule: deny.id, is_doubtful: true }] })
  })

  test('a signed one blocks, and names who signed it, when, and its source', () => {
    const { block } = dutiesOf(order(), { shop: { state: 'NY' }, rules: [signed(deny)], at: { day } })
    expect(block[0]).toEqual({
      rule: deny.id,
      kind: 'destination',
      words: deny.words,
      source: deny.source,
      read_on: '2026-11-21',
      confirmed_by: 'Ines Albrecht',
      confirmed_on: '2026-11-22',
      is_doubtful: false,
    })
  })

  test('one that an owner changed says so, with the reason, and tells what holds now', () => {
    const reason = 'Our contract names one service'
    const services = { carrier: 'FedEx', asks: 'services' as const, services: ['2 Day'] }
    const changed = signed(rule('carrier_service', { ...services, services: ['Ground', '2 Day'] }), {
      decision: 'changed',
      value: services,
      reason,
    })
    const facts = { shop: { state: 'NY' }, rules: [changed], at: { day } }
    const words = 'An owner of the shop has decided: by FedEx, only 2 Day.'
    expect(dutiesOf(order(), facts).must[0]).toMatchObject({ words, is_changed: true, reason })
    expect(carrierTermsOf(order(), facts, 'FedEx').allowed).toEqual({ services: ['2 Day'], words })
    const narrowed = signed(rule('adult_signature', {}), { decision: 'changed', applies: {}, reason: null })
    const [duty] = dutiesOf(order(), { ...facts, rules: [narrowed] }).must
    expect(duty).toMatchObject({
      words: 'Words of adult_signature. An owner of the shop has changed this rule.',
      is_changed: true,
    })
    expect(duty).not.toHaveProperty('reason')
  })

  test('one of the terms, which the merchant has agreed to, counts at once', () => {
    const terms = rule('age_check', {}, { sure: 'terms' })
    expect(ask({ rules: [{ rule: terms, decision: null }] })).toEqual({ ...nothing, must: [terms.id] })
  })

  test('one that was read over a year ago, or again since it was signed, counts and is doubtful', () => {
    const doubts = (read_on: string) =>
      dutiesOf(order(), {
        shop: { state: 'NY' },
        rules: [signed({ ...deny, read_on })],
        at: { day },
      }).block.map((duty) => duty.is_doubtful)
    expect(doubts('2025-11-23')).toEqual([false, false])
    expect(doubts('2025-11-22')).toEqual([true, false])
    expect(doubts('2026-11-23')).toEqual([true, false])
  })

  test('an owner sets it aside, or changes its value or its orders', () => {
    expect(ask({ rules: [signed(deny, { decision: 'set_aside' })] })).toEqual(nothing)
    expect(ask({ rules: [signed(deny, { decision: 'changed', value: { answer: 'allow' } })] })).toEqual(
      nothing,
    )
    const ofShop = signed(rule('hours', { from: '02:00', to: '06:00' }), {
      decision: 'changed',
      value: { from: '00:00', to: '06:00' },
    })
    const { tell } = dutiesOf(order(), { shop: { state: 'NY' }, rules: [ofShop], at: { day } })
    expect(tell[0]?.words).toBe('An owner of the shop has decided: no hand-over from 00:00 to 06:00.')
    const toUtah = signed({ ...allow, state: 'UT' }, { decision: 'changed', value: { answer: 'deny' } })
    expect(dutiesOf(order(), { shop: { state: 'NY' }, rules: [toUtah], at: { day } }).block[0]?.words).toBe(
      'An owner of the shop has decided: such bottles do not go to Utah.',
    )
    const beer: Partial<Decision> = { decision: 'changed', applies: { classes: ['beer'] } }
    expect(ask({ rules: [signed(deny, beer), signed(allow)] })).toEqual(nothing)
  })
})

describe('where bottles may go', () => {
  test.each<[string, Partial<DutyOrder['recipient']>, string[]]>([
    ['a denied state', { state: 'Utah' }, [deny.id, unknownDestination]],
    ['a state that no rule names', { state: 'NV' }, [unknownDestination]],
    ['a state that is none', { state: 'Utopia' }, [unknownDestination]],
    ['another country', { country: 'Canada' }, [unknownDestination]],
    ['an allowed state', { state: 'ct', zipcode: '06103' }, []],
    ['an allowed state with the zip code of another', { state: 'ct' }, [unknownDestination]],
    ['an allowed state with a zip code that no state has', { state: 'ct', zipcode: '00901' }, []],
  ])('%s', (_, recipient, block) => {
    const rules = [signed(deny), signed({ ...allow, state: 'CT' })]
    expect(ask({ of: order({}, recipient), rules }).block).toEqual(block)
  })

  test.each<[string, Partial<DutyOrder['recipient']>]>([
    ['a state that is none', { state: 'Utopia' }],
    ['another country', { country: 'Canada' }],
    ['home, by its long name', { country: 'United States' }],
  ])('%s: the rules of every state hold', (_, recipient) => {
    const asks = [rule('po_box', {}), rule('adult_signature', {}), rule('age_check', {})].map((each) =>
      signed(each),
    )
    expect(ask({ of: order({}, { street_1: 'PO Box 12', ...recipient }), rules: asks })).toEqual({
      block: ['R-PO-BOX'],
      must: ['R-ADULT-SIGNATURE', 'R-AGE-CHECK'],
      tell: [],
    })
  })

  test('nothing allows a place that nobody can read, nor one seen from a shop that nobody can place', () => {
    const everywhere = (applies: Applies) => signed({ ...allow, state: null, applies })
    const nowhere = order({}, { state: 'Utopia' })
    for (const applies of [{}, { from: 'other_state' }] as const)
      expect(ask({ of: nowhere, rules: [everywhere(applies)] }).block).toEqual([unknownDestination])
    expect(ask({ rules: [everywhere({ from: 'other_state' })], shop: 'Utopia' }).block).toEqual([
      unknownDestination,
    ])
    const denied = signed({ ...deny, applies: { from: 'same_state' } })
    expect(ask({ rules: [denied], shop: 'Utopia' }).block).toContain(deny.id)
  })

  test('a local order to a state that nobody can read is one of the shop’s own state', () => {
    const local = { delivery: { method: 'on_demand' } }
    const hours = signed(rule('hours', { from: '02:00', to: '06:00' }, { state: 'NY' }))
    for (const state of ['N. Y.', 'New York'])
      expect(ask({ of: order(local, { state }), rules: [hours], time: '02:30' }).block).toEqual(['R-HOURS'])
    expect(ask({ of: order(local, { state: 'CT' }), rules: [hours], time: '02:30' })).toEqual(nothing)
  })

  test('a shop that has signed no destination is asked about none', () => {
    expect(ask({ rules: [{ rule: deny, decision: null }] }).block).toEqual([])
  })

  test('a shop delivers around itself unasked; over a state line it is asked once it has signed any destination', () => {
    const local = (recipient: Partial<DutyOrder['recipient']> = {}) =>
      order({ delivery: { method: 'on_demand' } }, recipient)
    const home = { state: 'NY', zipcode: '10038' }
    const parcels = [signed(parcelOnly(allow))]
    expect(ask({ of: local(home), rules: parcels })).toEqual(nothing)
    expect(ask({ of: local({ state: 'Utopia', zipcode: '10038' }), rules: parcels })).toEqual(nothing)
    expect(ask({ of: local(), rules: parcels, shop: 'Utopia' })).toEqual(nothing)
    expect(ask({ of: local(), rules: [] })).toEqual(nothing)
    expect(ask({ of: local(), rules: parcels }).block).toEqual([unknownDestination])
    // The carrier or the driver goes by the zip code, which is one of Utah.
    expect(ask({ of: local({ state: 'NY' }), rules: parcels }).block).toEqual([unknownDestination])
    expect(ask({ of: local(), rules: [signed(allow)] })).toEqual(nothing)
    expect(ask({ of: local(), rules: parcels, setAside: [unknownDestination] }).block).toEqual([])
  })

  test('a licence that is needed holds the order until an owner says that it is there', () => {
    const licence = { ...deny, value: { answer: 'licence' } } as DutyRule
    expect(ask({ rules: [signed(licence)] }).block).toContain(licence.id)
    expect(ask({ rules: [signed(licence, { decision: 'changed', value: { answer: 'allow' } })] })).toEqual(
      nothing,
    )
  })

  test('a shop ships within its own state', () => {
    const home = { ...allow, state: null, applies: { from: 'same_state' } } as DutyRule
    expect(ask({ rules: [signed(home)] }).block).toEqual([unknownDestination])
    expect(ask({ rules: [signed(home)], shop: 'Utah' }).block).toEqual([])
  })
})

function parcelOnly(rule: DutyRule): DutyRule {
  return { ...rule, applies: { roads: ['parcel'] } }
}

describe('a line that does not say what it is', () => {
  const unknown = order({ items: [line({ beverage_class: null })] })
  const about = (rule: DutyRule, applies: Applies) => signed({ ...rule, applies })

  test('is of every class that is forbidden, and of none that is allowed', () => {
    expect(ask({ of: unknown, rules: [about(deny, { classes: ['spirits'] })] }).block).toContain(deny.id)
    expect(ask({ of: unknown, rules: [about(allow, { classes: ['wine'] })] }).block).toEqual([
      unknownDestination,
    ])
    expect(ask({ rules: [about(deny, { classes: ['spirits'] })] }).block).toEqual([unknownDestination])
    expect(ask({ rules: [about(allow, { classes: ['wine'] })] }).block).toEqual([])
  })

  test('one line that no rule allows holds the whole order', () => {
    const mixed = order({ items: [line(), line({ id: 'b', beverage_class: 'spirits' })] })
    expect(ask({ of: mixed, rules: [about(allow, { classes: ['wine'] })] }).block).toEqual([
      unknownDestination,
    ])
  })

  test('has more alcohol than any limit, and a known strength has what it has', () => {
    const strong = about(deny, { abv_over: 16 })
    expect(ask({ rules: [strong] }).block).toContain(deny.id)
    expect(ask({ of: order({ items: [line({ abv: 16 })] }), rules: [strong] }).block).not.toContain(deny.id)
  })

  test('an order without alcohol is asked nothing; an engraving is no line of its own', () => {
    const glasses = line({ id: 'b', beverage_class: 'none' })
    const engraving = line({ id: 'c', parent_line_item_id: 'b', beverage_class: null })
    expect(ask({ of: order({ items: [glasses, engraving] }), rules: [signed(deny)] })).toEqual(nothing)
  })
})

describe('the other kinds', () => {
  test.each<[DutyRule, keyof typeof nothing]>([
    [rule('dry_area', {}, { applies: { zips: ['841'] } }), 'block'],
    [rule('carrier_service', { carrier: 'USPS', asks: 'deny' }), 'must'],
    [rule('carrier_service', { carrier: 'FedEx', asks: 'agreement' }), 'tell'],
    [rule('adult_signature', {}), 'must'],
    [rule('age_check', {}), 'must'],
    [rule('slip_text', { text: 'x' }), 'must'],
    [rule('hours', { from: '02:00', to: '06:00' }), 'tell'],
  ])('$kind', (asked, weight) => {
    expect(ask({ rules: [signed(asked)] })).toEqual({ ...nothing, [weight]: [asked.id] })
  })

  test('keeping and purging ask nothing of a step', () => {
    expect(
      ask({ rules: [signed(rule('retention', { years: 3 })), signed(rule('purge', { after_days: 0 }))] }),
    ).toEqual(nothing)
  })

  test('of several the longest keeps, the soonest purges, and each purges only the records that it names', () => {
    const facts = {
      shop: { state: 'NY' },
      rules: [
        signed(rule('retention', { years: 2 }, { id: 'K-2' })),
        signed(rule('retention', { years: 3 }, { id: 'K-3' })),
        signed(rule('purge', { after_days: 60 }, { id: 'P-60' })),
        signed(rule('purge', { after_days: 30 }, { id: 'P-30' })),
        signed(rule('purge', { after_days: 7, of: ['courier_proofs'] }, { id: 'P-PROOFS' })),
      ],
      at: { day },
    }
    const keep = { rule: 'K-3', years: 3 }
    expect(keepingOf(order(), facts, 'id_fields')).toEqual({ keep, purge: { rule: 'P-30', afterDays: 30 } })
    expect(keepingOf(order(), facts, 'courier_proofs')).toEqual({
      keep,
      purge: { rule: 'P-PROOFS', afterDays: 7 },
    })
  })

  test('a dry area is by the first digits of its zip codes', () => {
    const dry = signed(rule('dry_area', {}, { applies: { zips: ['84102', '850'] } }))
    expect(ask({ rules: [dry] })).toEqual(nothing)
  })

  test('no hand-over within the hours, which may pass midnight; their end is no part of them', () => {
    const hours = (from: string, to: string) => signed(rule('hours', { from, to }))
    const blocks = (each: ShopRule, time: string) => ask({ rules: [each], time }).block.length > 0
    expect(['01:59', '02:00', '05:59', '06:00'].map((time) => blocks(hours('02:00', '06:00'), time))).toEqual(
      [false, true, true, false],
    )
    expect(['22:59', '23:00', '00:30', '06:00'].map((time) => blocks(hours('23:00', '06:00'), time))).toEqual(
      [false, true, true, false],
    )
  })

  test('a PO box is found in any line of the street', () => {
    const box = signed(rule('po_box', {}))
    for (const recipient of [{ street_2: 'P.O. Box 12' }, { street_1: '12 Main St, PO Box 44' }])
      expect(ask({ of: order({}, recipient), rules: [box] }).block).toEqual(['R-PO-BOX'])
    expect(ask({ rules: [box] })).toEqual(nothing)
  })

  test('75.7 litres are 101 bottles; a bottle of unknown size counts as a large one', () => {
    const report = signed(rule('volume_report', { litres: 75.7 }))
    const asks = (changes: Partial<DutyOrder['items'][number]>) =>
      ask({ of: order({ items: [line(changes)] }), rules: [report] }).must.length > 0
    expect([asks({ quantity: 100 }), asks({ quantity: 101 })]).toEqual([false, true])
    expect([asks({ quantity: 43, product: null }), asks({ quantity: 44, product: null })]).toEqual([
      false,
      true,
    ])
    expect(asks({ quantity: 2, volume_ml: 40_000 })).toBe(true)
    expect([75_699, 75_700].map((volume_ml) => asks({ volume_ml }))).toEqual([false, true])
    const limit = signed(rule('quantity_limit', { litres: 9 }))
    expect(ask({ of: order({ items: [line({ quantity: 12 })] }), rules: [limit] })).toEqual(nothing)
    expect(ask({ of: order({ items: [line({ quantity: 13 })] }), rules: [limit] }).block).toHaveLength(1)
  })

  test('a limit for wine counts the wine, and what may be wine', () => {
    const limit = signed({ ...rule('quantity_limit', { litres: 9 }), applies: { classes: ['wine'] } })
    const held = (...items: DutyOrder['items'][number][]) =>
      ask({ of: order({ items }), rules: [limit] }).block.length > 0
    const wine = (quantity: number) => line({ id: 'w', quantity, beverage_class: 'wine' })
    const other = (beverage_class: 'beer' | null) => line({ id: 'o', quantity: 12, beverage_class })
    expect([held(wine(12), other('beer')), held(wine(13), other('beer'))]).toEqual([false, true])
    expect(held(wine(1), other(null))).toBe(true)
  })

  test('a rule holds on the days between its first and its last', () => {
    const dated = signed({ ...deny, valid_from: '2026-01-01', valid_to: '2026-12-31' })
    const on = (each: string) => ask({ rules: [dated], on: each }).block.length > 0
    expect(['2025-12-31', '2026-01-01', '2026-12-31', '2027-01-01'].map(on)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})

test('an owner lets one order pass one rule; the answer then tells so', () => {
  const setAside = [deny.id]
  const rules = [signed(deny), signed(allow)]
  const { block, tell } = dutiesOf(order(), { shop: { state: 'NY' }, rules, setAside, at: { day } })
  expect(block).toEqual([])
  expect(tell.map(({ words }) => words)).toEqual(['Words of destination. An owner let it pass.'])
  expect(ask({ rules: [signed(deny)], setAside }).block).toEqual([unknownDestination])
})
