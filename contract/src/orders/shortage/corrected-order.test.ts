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

/** Sums for the lines, with the discount where `place` says. */
function anOrder(items: LineItem[], place: DiscountPlace = 'lines', taxCents = 0): Priced {
  const discount = items.reduce((sum, item) => sum + toCents(item.discount), 0)
  const subtotal = linesOf({ items }) - (place === 'subtotal' ? discount : 0)
  const total = subtotal + taxCents + 799 - (place === 'total' ? discount : 0)
  const fees = { delivery_fee: 7.99, shipping: 0, tip: 0 }
  return {
    items,
    transaction: {
      subtotal: toDollars(subtotal),
      tax: toDollars(taxCents),
      ...fees,
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
    const before = anOrder([line, aLine({ id: 'rye', price: 20 })], 'lines', 790)
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

function randomOrder(roll: (sides: number) => number): Priced {
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
  return anOrder(items, place, roll(5000))
}

/** Undefined when all is well: one expectation for each of the corrections would take minutes. */
function faultIn(before: Priced, after: Priced, isNotDearer: boolean): string | undefined {
  const { place, cents } = discountOf(after)
  const subtotal = linesOf(after) - (place === 'subtotal' ? cents : 0)
  if (subtotal !== toCents(after.transaction.subtotal)) return 'the subtotal is not the sum of the lines'
  if (subtotal + feesOf(after) - (place === 'total' ? cents : 0) !== toCents(after.transaction.total))
    return 'the total is not the sum of its parts'
  if (place === 'nowhere' && cents > 0) return 'a discount is taken nowhere'
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
  return undefined
}

const piecesOf = ({ items }: Priced) =>
  items.reduce((sum, item) => sum + (item.parent_line_item_id ? 0 : item.quantity), 0)
const messagesOf = ({ items }: Priced) =>
  items.reduce((sum, item) => sum + (item.parent_line_item_id ? item.quantity : 0), 0)

/** A million take a quarter of a minute; `SUBSTITUTIONS` asks for more or fewer. */
const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }
const rounds = Number(process?.env['SUBSTITUTIONS'] ?? 1_000_000)

test('part reports and substitutions by the million conserve every cent, piece and message', () => {
  const roll = dice(20_261_124)
  let order = randomOrder(roll)
  let left = 0
  for (let round = 0; round < rounds; round += 1) {
    if (left === 0 || order.items.length === 0) {
      order = randomOrder(roll)
      left = 1 + roll(6)
    }
    left -= 1
    const own = order.items.filter((each) => !each.parent_line_item_id)
    const item = own[roll(own.length)]
    if (item === undefined) continue
    const missing = 1 + roll(item.quantity)
    const [isSubstitute, isDearer] = [roll(2) === 0, roll(4) === 0]
    const priceCents = isDearer ? toCents(item.price) + roll(3000) : 1 + roll(toCents(item.price))
    const correction = isSubstitute ? { missing, replacement: bottle(`s${round}`, priceCents) } : { missing }
    const after = correct(order, item.id, correction)
    const fault =
      faultIn(order, after, !isSubstitute || !isDearer) ??
      (piecesOf(after) === piecesOf(order) - (isSubstitute ? 0 : missing) ? undefined : 'a piece is lost') ??
      (isSubstitute && messagesOf(after) !== messagesOf(order) ? 'a message is lost' : undefined)
    if (fault !== undefined)
      throw new Error(`${fault}: ${JSON.stringify({ order, item: item.id, correction, after })}`)
    order = after
  }
})
