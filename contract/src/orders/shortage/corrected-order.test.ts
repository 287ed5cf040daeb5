import { describe, expect, test } from 'vitest'
import { toCents, toDollars } from '../../values/money.ts'
import { correctOrder, refundOf, type Correction, type Priced } from './corrected-order.ts'
import { discountOf, feesOf, linesOf, type DiscountPlace } from '../discounts.ts'
import { engravingProblem } from '../engravings.ts'
import type { LineItem } from '../orders.ts'

const plain = {
  description: null,
  image_spec: null,
  product: null,
  offering: null,
  parent_line_item_id: null,
}

function aLine(changes: Partial<LineItem> & { id: string }): LineItem {
  const { price = 10, quantity = 1, discount = 0 } = changes
  return {
    ...plain,
    name: changes.id,
    price,
    quantity,
    discount,
    subtotal: price * quantity,
    aux_data: null,
    ...changes,
  }
}

const words = (...engraving_message: string[]) => ({
  engraving_message,
  preorder_type: null,
  preorder_available_date: null,
  preorder_balance_due_excl_taxes_fees: null,
})

interface Fees {
  readonly tax?: number
  readonly delivery?: number
  readonly shipping?: number
  readonly tip?: number
}

/** Sums for the lines, with the discount where `place` says, and fees in cents. */
function anOrder(items: LineItem[], place: DiscountPlace = 'lines', fees: Fees = {}): Priced {
  const { tax = 0, delivery = 799, shipping = 0, tip = 0 } = fees
  const discount = items.reduce((sum, item) => sum + toCents(item.discount), 0)
  const subtotal = linesOf({ items }) - (place === 'subtotal' ? discount : 0)
  const total = subtotal + tax + delivery + shipping + tip - (place === 'total' ? discount : 0)
  return {
    items,
    transaction: {
      subtotal: toDollars(subtotal),
      tax: toDollars(tax),
      delivery_fee: toDollars(delivery),
      shipping: toDollars(shipping),
      tip: toDollars(tip),
      total: toDollars(total),
    },
  }
}

const bottle = (id: string, priceCents: number) => ({
  id,
  priceCents,
  line: { ...plain, name: 'Other bottle' },
})
const correct = (order: Priced, id: string, correction: Correction) =>
  correctOrder(order, new Map([[id, correction]]))

describe('a part of a line', () => {
  test('the sums follow the pieces, and each discount is taken once', () => {
    const line = aLine({ id: 'gin', quantity: 6, price: 10, discount: 1, subtotal: 59 })
    const before = anOrder([line, aLine({ id: 'rye', price: 20 })], 'lines', { tax: 790 })
    const after = correct(before, 'gin', { missing: 4 })
    // A third of the discount is 33 cents and a part; the customer gets the odd cent.
    expect(after.items[0]).toMatchObject({ quantity: 2, price: 10, discount: 0.34, subtotal: 19.66 })
    expect(after.transaction).toMatchObject({ subtotal: 39.66, tax: 3.96, delivery_fee: 7.99, total: 51.61 })
    expect(refundOf(before, after)).toBe(toCents(before.transaction.total) - 5161)
  })

  test('each message goes with its bottle, and the engraved bottles stay first', () => {
    const gin = aLine({ id: 'gin', quantity: 6 })
    const engraving = (id: string, ...texts: string[]) =>
      aLine({
        id,
        name: 'Engraving',
        quantity: texts.length,
        price: 5,
        parent_line_item_id: 'gin',
        aux_data: words(...texts),
      })
    const wrap = aLine({ id: 'wrap', name: 'Gift wrap', quantity: 6, price: 2, parent_line_item_id: 'gin' })
    const order = anOrder([gin, engraving('e1', 'Ann', 'Bob'), engraving('e2', 'Cy', 'Di', 'Ed'), wrap])
    const two = correct(order, 'gin', { missing: 2 })
    expect(two.items.map(({ id, quantity }) => [id, quantity])).toEqual([
      ['gin', 4],
      ['e1', 2],
      ['e2', 2],
      ['wrap', 4],
    ])
    expect(two.items[2]?.aux_data?.engraving_message).toEqual(['Cy', 'Di'])
    const five = correct(order, 'gin', { missing: 5, replacement: bottle('sub', 900) })
    expect(five.items.map(({ id, quantity, parent_line_item_id: parent }) => [id, quantity, parent])).toEqual(
      [
        ['gin', 1, null],
        ['e1', 1, 'gin'],
        ['wrap', 1, 'gin'],
        ['sub', 5, null],
        ['sub-1', 1, 'sub'],
        ['sub-2', 3, 'sub'],
        ['sub-3', 5, 'sub'],
      ],
    )
    expect(five.items[4]?.aux_data?.engraving_message).toEqual(['Bob'])
  })

  test('a line without any piece left goes with its engravings', () => {
    const order = anOrder([
      aLine({ id: 'gin', quantity: 2 }),
      aLine({ id: 'e', name: 'Engraving', parent_line_item_id: 'gin', aux_data: words('Ann') }),
      aLine({ id: 'rye' }),
    ])
    expect(correct(order, 'gin', { missing: 2 }).items.map(({ id }) => id)).toEqual(['rye'])
  })

  test('a presale keeps the balance of the pieces that come, and the other bottle has none', () => {
    const aux_data = {
      ...words(),
      preorder_type: 'preorder',
      preorder_available_date: '2026-12-24',
      preorder_balance_due_excl_taxes_fees: 30,
    }
    const after = correct(anOrder([aLine({ id: 'gin', quantity: 3, aux_data })]), 'gin', {
      missing: 1,
      replacement: bottle('sub', 1000),
    })
    expect(after.items.map((item) => item.aux_data?.preorder_balance_due_excl_taxes_fees)).toEqual([
      20,
      undefined,
    ])
  })
})

/** Numbers in a row that look random and are the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * sides)
  }
}

const places = ['lines', 'subtotal', 'total'] as const

function randomOrder(roll: (sides: number) => number): { order: Priced; place: DiscountPlace } {
  const place = places[roll(3)] ?? 'lines'
  const priced = (changes: Partial<LineItem> & { id: string }): LineItem => {
    const [quantity, price] = [changes.quantity ?? 1 + roll(12), 1 + roll(20_000)]
    const discount = roll(3) === 0 ? roll(price * quantity) : 0
    const subtotal = price * quantity - (place === 'lines' ? discount : 0)
    return aLine({
      ...changes,
      quantity,
      price: toDollars(price),
      discount: toDollars(discount),
      subtotal: toDollars(subtotal),
    })
  }
  const items: LineItem[] = []
  for (let line = 0; line <= roll(2); line += 1) {
    const own = priced({ id: `line-${line}` })
    items.push(own)
    for (let part = 0; part < roll(2); part += 1) {
      const count = 1 + roll(own.quantity)
      const texts = roll(2) === 0 ? ['Same'] : Array.from({ length: count }, (_, at) => `Text ${at}`)
      items.push(
        priced({
          id: `part-${line}-${part}`,
          name: 'Engraving',
          quantity: count,
          parent_line_item_id: own.id,
          aux_data: words(...texts),
        }),
      )
    }
  }
  const fees = { tax: roll(5000), delivery: roll(2000), shipping: roll(2000), tip: roll(2000) }
  return { order: anOrder(items, place, fees), place }
}

interface Step {
  readonly before: Priced
  readonly after: Priced
  readonly item: LineItem
  readonly correction: Correction
  /** Where the order's discounts were taken from the start. */
  readonly place: DiscountPlace
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)
const discountsOf = (items: readonly LineItem[]) => sumOf(items.map(({ discount }) => toCents(discount)))
const shareUp = (cents: number, pieces: number, all: number) => Math.ceil((cents * pieces) / all)

/** From prices and pieces alone: what the lines cost more after a correction, and the discounts that it must leave. */
function expectedOf({ before, item, correction: { missing, replacement } }: Step) {
  const there = item.quantity - missing
  const parts = before.items.filter(({ parent_line_item_id: parent }) => parent === item.id)
  let room = there
  const kept = parts.map(({ quantity, discount }) => {
    const stays = Math.min(quantity, room)
    room -= stays
    return { stays, discount: shareUp(toCents(discount), stays, quantity) }
  })
  const keptOfLine = shareUp(toCents(item.discount), there, item.quantity)
  const movedOfLine = toCents(item.discount) - keptOfLine
  const price = replacement?.priceCents ?? 0
  const taken = Math.min(movedOfLine, price * missing)
  const partsGone = parts.map((part, at) => toCents(part.price) * (part.quantity - (kept[at]?.stays ?? 0)))
  const partsKept = sumOf(kept.map(({ discount }) => discount))
  const left = keptOfLine + (replacement ? taken + discountsOf(parts) : partsKept)
  return {
    more: missing * (price - toCents(item.price)) - (replacement ? 0 : sumOf(partsGone)),
    keptOfLine,
    taken,
    discounts: discountsOf(before.items) - toCents(item.discount) - discountsOf(parts) + left,
  }
}

function faultInDiscounts(step: Step, expected: ReturnType<typeof expectedOf>): string | undefined {
  const { after, item, correction } = step
  const discountOn = (id: string | undefined) => discountsOf(after.items.filter((each) => each.id === id))
  if (discountOn(item.id) !== expected.keptOfLine) return 'the pieces that are there have another discount'
  if (correction.replacement && discountOn(correction.replacement.id) !== expected.taken)
    return 'the substitute has another discount than the pieces it is for'
  if (discountsOf(after.items) !== expected.discounts) return 'the discounts are not those from before'
  return undefined
}

/** From the sums before, and from the change that prices and pieces make: no sum after the correction is trusted. */
function faultInSums(step: Step): string | undefined {
  const { before, after, item, correction, place } = step
  const expected = expectedOf(step)
  const gone = discountsOf(before.items) - expected.discounts
  const [goneAbove, goneBelow] = place === 'total' ? [0, gone] : [gone, 0]
  const [was, now] = [before.transaction, after.transaction]
  const [taxed, subtotal] = [toCents(was.subtotal), toCents(now.subtotal)]
  if (subtotal !== taxed + expected.more + goneAbove)
    return 'the subtotal is not changed by prices and pieces'
  for (const fee of ['tip', 'delivery_fee', 'shipping'] as const)
    if (now[fee] !== was[fee]) return `another ${fee}`
  const [taxWas, tax] = [toCents(was.tax), toCents(now.tax)]
  const exact = taxed === 0 ? taxWas * subtotal : taxWas * subtotal - tax * taxed
  if (taxed === 0 || subtotal === taxed ? tax !== taxWas : exact < 0 || exact >= taxed) return 'another tax'
  const change = subtotal - taxed + tax - taxWas + goneBelow
  if (toCents(now.total) !== toCents(was.total) + change) return 'the total has changed by another sum'
  if (correction.replacement?.priceCents === toCents(item.price) && now.total !== was.total)
    return 'the same price costs another sum'
  return faultInDiscounts(step, expected)
}

/** Undefined when all is well: one expectation for each of the corrections would take minutes. */
function faultIn(step: Step, isNotDearer: boolean): string | undefined {
  const { before, after } = step
  const { place, cents } = discountOf(after)
  const subtotal = linesOf(after) - (place === 'subtotal' ? cents : 0)
  if (subtotal !== toCents(after.transaction.subtotal)) return 'the subtotal is not the sum of the lines'
  if (subtotal + feesOf(after) - (place === 'total' ? cents : 0) !== toCents(after.transaction.total))
    return 'the total is not the sum of its parts'
  if (cents > 0 && place !== step.place) return 'the discounts are taken in another place'
  const refund = refundOf(before, after)
  if (isNotDearer && refund < 0) return 'the customer pays more'
  for (const item of after.items) {
    const { quantity, price, discount } = item
    if (!Number.isInteger(quantity) || quantity < 1) return 'a line without pieces'
    const gross = toCents(price) * quantity
    if (toCents(discount) < 0 || toCents(discount) > gross) return 'a discount above its pieces'
    if (toCents(item.subtotal) !== gross - (place === 'lines' ? toCents(discount) : 0))
      return 'a line adds up to another sum'
    if (item.parent_line_item_id && engravingProblem(item) !== undefined)
      return 'messages do not fit their bottles'
  }
  return faultInSums(step)
}

const piecesOf = ({ items }: Priced) =>
  items.reduce((sum, item) => sum + (item.parent_line_item_id ? 0 : item.quantity), 0)
const messagesOf = ({ items }: Priced) =>
  items.reduce((sum, item) => sum + (item.parent_line_item_id ? item.quantity : 0), 0)

/** These take some seconds. The long form is `SUBSTITUTIONS=1000000`. */
const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
const wanted = Number(process?.env['SUBSTITUTIONS'] ?? 350_000)

test(`${wanted} substitutions, and about as many part reports, conserve every cent, piece and message`, () => {
  const roll = dice(20_261_124)
  let { order, place } = randomOrder(roll)
  let left = 0
  const counted = { substitutions: 0, samePrice: 0 }
  while (counted.substitutions < wanted) {
    if (left === 0 || order.items.length === 0) {
      ;({ order, place } = randomOrder(roll))
      left = 1 + roll(6)
    }
    left -= 1
    const own = order.items.filter((each) => !each.parent_line_item_id)
    const item = own[roll(own.length)]
    if (item === undefined) throw new Error('an order without a line of its own')
    const missing = 1 + roll(item.quantity)
    const isSubstitute = roll(2) === 0
    const ordered = toCents(item.price)
    const priceCents = [ordered + roll(3000), ordered][roll(4)] ?? 1 + roll(ordered)
    const replacement = bottle(`s${counted.substitutions}`, priceCents)
    const correction = isSubstitute ? { missing, replacement } : { missing }
    const after = correct(order, item.id, correction)
    const fault =
      faultIn({ before: order, after, item, correction, place }, !isSubstitute || priceCents <= ordered) ??
      (piecesOf(after) === piecesOf(order) - (isSubstitute ? 0 : missing) ? undefined : 'a piece is lost') ??
      (isSubstitute && messagesOf(after) !== messagesOf(order) ? 'a message is lost' : undefined)
    if (fault !== undefined)
      throw new Error(`${fault}: ${JSON.stringify({ order, item: item.id, correction, after })}`)
    if (isSubstitute) counted.substitutions += 1
    if (isSubstitute && priceCents === ordered) counted.samePrice += 1
    order = after
  }
  expect(counted.substitutions).toBe(wanted)
  expect(counted.samePrice).toBeGreaterThan(wanted / 5)
})
