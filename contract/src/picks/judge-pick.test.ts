import { describe, expect, test } from 'vitest'
import { orderStatuses } from '../orders/order-statuses.ts'
import { isPickable, judgePick } from './judge-pick.ts'

/** The same picks in every run. */
function createRandom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduceRight(
    (total, digit, at) => total + Number(digit) * ((digits.length - 1 - at) % 2 === 0 ? 3 : 1),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const digitsOf = (random: (below: number) => number, count: number) =>
  Array.from({ length: count }, (_, at) => String(at === 0 ? 1 + random(9) : random(10))).join('')

describe('10,000 picks', () => {
  test('with 5 % wrong bottles: each wrong one is caught, each right one counts, once', () => {
    const random = createRandom(20_261_124)
    const shelf = Array.from({ length: 400 }, () =>
      withCheckDigit(digitsOf(random, [10, 11, 12, 13][random(4)] ?? 11)),
    )
    const tally = { right: 0, caught: 0, wrong: 0, passed: 0, doubled: 0 }
    for (let pick = 0; pick < 10_000; pick++) {
      const gtin = shelf[random(shelf.length)] ?? ''
      const isWrong = random(20) === 0
      const others = shelf.filter((each) => each !== gtin)
      const scanned = isWrong ? (others[random(others.length)] ?? '') : gtin
      // A scanner sends the number in any of its lengths.
      const code = scanned.padStart(Math.min(14, scanned.length + random(4)), '0')
      const quantity = 1 + random(12)
      const picked = random(quantity)
      const result = judgePick({ gtin, quantity, picked }, code)
      if (isWrong) tally[result === 'wrong' ? 'caught' : 'passed'] += 1
      else tally[result === 'right' ? 'right' : 'wrong'] += 1
      if (judgePick({ gtin, quantity, picked: quantity }, scanned) === 'right') tally.doubled += 1
    }
    expect(tally).toMatchObject({ wrong: 0, passed: 0, doubled: 0 })
    expect(tally.right + tally.caught).toBe(10_000)
    expect(tally.caught).toBeGreaterThan(400)
  })
})

const bottle = { gtin: '36000291452', quantity: 2, picked: 0 }

test.each([
  ['the right one', bottle, '036000291452', 'right'],
  ['its case code with leading zeros', bottle, '00036000291452', 'right'],
  ['another one', bottle, '4006381333931', 'wrong'],
  ['another one on a full line', { ...bottle, picked: 2 }, '4006381333931', 'wrong'],
  ['one too many', { ...bottle, picked: 2 }, '036000291452', 'too_many'],
  ['the label of a parcel', bottle, '1Z999AA10123456784', 'unreadable'],
  ['a misread digit', bottle, '036000291453', 'unreadable'],
  ['a bottle without a code in the stock list', { ...bottle, gtin: null }, '036000291452', 'no_code'],
  ['by hand', { ...bottle, gtin: null }, null, 'right'],
  ['by hand, one too many', { ...bottle, picked: 2 }, null, 'too_many'],
] as const)('%s is %4$s', (...[, wanted, code, result]) => expect(judgePick(wanted, code)).toBe(result))

test('bottles are picked from the arrival to the hand-over', () => {
  expect(orderStatuses.filter(isPickable)).toEqual([
    'SUBMITTED',
    'MERCHANT_ACCEPTED',
    'PAYMENT_SUBMITTED',
    'PAYMENT_APPROVED',
  ])
})
