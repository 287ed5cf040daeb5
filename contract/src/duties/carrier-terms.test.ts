import { expect, test } from 'vitest'
import { carrierTermsOf, denialOf, isServiceAllowed } from './carrier-terms.ts'
import type { DutyOrder } from './duties-of.ts'
import type { Applies, Decision, DutyRule, ShopRule } from './duty-rules.ts'

const day = '2026-11-23'
const signed: Decision = {
  decision: 'confirmed',
  applies: null,
  value: null,
  reason: null,
  by: 'Ines',
  on: day,
}

function rule(
  value: object,
  { applies = {}, id = 'R-1' }: { applies?: Applies; id?: string } = {},
): DutyRule {
  return {
    id,
    country: 'US',
    state: null,
    kind: 'carrier_service',
    applies,
    value,
    words: `Words of ${id}.`,
    source: 'https://example.com',
    sure: 'carrier',
    read_on: day,
    valid_from: null,
    valid_to: null,
  } as DutyRule
}

const order: DutyOrder = {
  delivery: { method: 'shipped' },
  recipient: { street_1: '1 Pier', state: 'NY', zipcode: '10005' },
  items: [{ id: 'l-1', quantity: 1, beverage_class: 'wine' }],
}

function terms(rules: readonly DutyRule[], { decision = signed as Decision | null, carrier = 'FedEx' } = {}) {
  const shopRules: ShopRule[] = rules.map((each) => ({ rule: each, decision }))
  return carrierTermsOf(order, { shop: { state: 'NY' }, rules: shopRules, at: { day } }, carrier)
}
const only = (services: readonly string[]) => ({ carrier: 'FedEx', asks: 'services', services })

test('a list counts once it is signed, and for its own carrier alone', () => {
  const list = rule(only(['Ground']))
  expect(terms([list])).toEqual({ allowed: { services: ['Ground'], words: 'Words of R-1.' } })
  expect(terms([list], { decision: null })).toEqual({})
  expect(terms([list], { carrier: 'UPS' })).toEqual({})
})

test('of several lists a service has to be on each; a list about other bottles is none of them', () => {
  const others = rule(only(['Freight']), { id: 'R-3', applies: { classes: ['spirits'] } })
  const both = [rule(only(['Ground', '2 Day'])), rule(only(['FEDEX_2_DAY']), { id: 'R-2' }), others]
  expect(terms(both).allowed).toEqual({ services: ['2 Day'], words: 'Words of R-1. Words of R-2.' })
})

test('a denial forbids the carrier whatever a list says, and a list without services allows none', () => {
  expect(terms([rule(only(['Ground'])), rule({ carrier: 'fedex', asks: 'deny' }, { id: 'R-2' })])).toEqual({
    forbidden: 'Words of R-2.',
    denied: [{ carrier: 'fedex', words: 'Words of R-2.' }],
    allowed: { services: ['Ground'], words: 'Words of R-1.' },
  })
  expect(terms([rule({ carrier: 'FedEx', asks: 'services' })]).allowed?.services).toEqual([])
})

test.each([
  ['FEDEX_2_DAY', '2 Day', true],
  ['FEDEX_2_DAY_AM', '2 Day', false],
  ['FEDEX_2_DAY_AM', '2 Day A.M.', true],
  ['GROUND_HOME_DELIVERY', 'Ground', false],
  ['SMART_POST', 'Ground', false],
])('%s of a provider is "%s" of a rule: %s', (service, name, isAllowed) => {
  expect(isServiceAllowed({ services: [name], words: '' }, { carrier: 'FedEx', service })).toBe(isAllowed)
})

const usps = { carrier: 'USPS', asks: 'deny' }

test('the denial of another carrier forbids none of the own services, and is told with them', () => {
  expect(terms([rule(usps)])).toEqual({ denied: [{ carrier: 'USPS', words: 'Words of R-1.' }] })
  expect(terms([rule(usps)], { decision: null })).toEqual({})
})

test.each([
  ['USPS', 'Priority', true],
  ['USPSShip', 'GroundAdvantage', true],
  ['UPSSurePost', 'SurePostOver1Lb', true],
  ['UPS', 'SurePost - SurePostUnder1Lb', true],
  ['UPSDAP', 'UPSGroundsaverGreaterThan1lb', true],
  ['UPS', 'ups_ground_saver', true],
  ['UPSMailInnovations', 'First', true],
  ['FedExSmartPost', 'SMART_POST', true],
  ['FedEx', 'fedex_ground_economy', true],
  ['UPSDAP', 'Ground', false],
  ['UPS', 'NextDayAirSaver', false],
  ['FedExDefault', 'FEDEX_GROUND', false],
  ['GSO', 'CPS', false],
])('where USPS is forbidden, so is %s %s: %s', (carrier, service, isDenied) => {
  const { denied } = terms([rule(usps)])
  expect(denialOf(denied, { carrier, service }) !== undefined).toBe(isDenied)
  expect(denialOf([{ carrier: 'GLS', words: '' }], { carrier, service })).toBeUndefined()
})
