import { describe, expect, test } from 'vitest'
import { engravingProblem, engravingsOf, isAddition, isOneText } from './engravings.ts'
import { ownLines } from './order-lines.ts'
import type { LineItem } from './orders.ts'

function line(id: string, changes: Partial<LineItem> = {}): LineItem {
  const { quantity = 1, price = 12.5 } = changes
  return {
    id,
    name: `Bottle ${id}`,
    description: null,
    quantity,
    price,
    subtotal: price * quantity,
    discount: 0,
    image_spec: null,
    product: null,
    offering: null,
    aux_data: null,
    parent_line_item_id: null,
    ...changes,
  }
}

const texts = (...engraving_message: string[]) => ({
  aux_data: {
    engraving_message,
    preorder_type: null,
    preorder_available_date: null,
    preorder_balance_due_excl_taxes_fees: null,
  },
})
const engraving = (messages: string[], changes: Partial<LineItem> = {}) =>
  line('e', { name: 'engraving', parent_line_item_id: 'a', ...texts(...messages), ...changes })
const engravings = (...lines: LineItem[]) => engravingsOf({ item: line('a'), engravings: lines })

describe('grouping lines', () => {
  const shape = (...items: LineItem[]) =>
    ownLines({ items }).map(({ item, engravings: own }) => [item.id, own.map(({ id }) => id)])

  test('a line with a parent belongs to it, regardless of its name and place', () => {
    const child = (id: string, parent_line_item_id: string, name: string) =>
      line(id, { parent_line_item_id, name })
    expect(
      shape(
        child('x', 'b', 'Monogram'),
        line('a'),
        child('y', 'a', 'engraving'),
        line('b'),
        child('z', 'a', 'Bottle z'),
      ),
    ).toEqual([
      ['a', ['y', 'z']],
      ['b', ['x']],
    ])
  })

  test('a line whose parent is no own line is an own line itself, so that none is lost', () => {
    const items = [
      line('a'),
      line('b', { parent_line_item_id: 'gone' }),
      line('c', { parent_line_item_id: 'a' }),
      line('d', { parent_line_item_id: 'c' }),
      line('f', { parent_line_item_id: 'f' }),
      line('g', { parent_line_item_id: '' }),
    ]
    expect(shape(...items)).toEqual([
      ['a', ['c']],
      ['b', []],
      ['d', []],
      ['f', []],
      ['g', []],
    ])
  })
})

describe('engravings', () => {
  test('identical texts are one group with its quantity and fee', () => {
    const found = engravings(
      engraving(['To Dee\nwith love'], { quantity: 2 }),
      engraving(['To Dee\nwith love']),
      engraving(['Cheers']),
    )
    expect(found.map(({ quantity, subtotal, texts: all }) => ({ quantity, subtotal, texts: all }))).toEqual([
      { quantity: 3, subtotal: 37.5, texts: [{ lines: ['To Dee', 'with love'], quantity: 3, fee: 37.5 }] },
      { quantity: 1, subtotal: 12.5, texts: [{ lines: ['Cheers'], quantity: 1, fee: 12.5 }] },
    ])
    expect(found.every(isOneText)).toBe(true)
  })

  test('lines with another price or name stay apart', () => {
    const found = engravings(
      engraving(['A']),
      engraving(['A'], { price: 20 }),
      engraving(['A'], { name: 'Monogram' }),
    )
    expect(found.map(({ name, price, subtotal }) => [name, price, subtotal])).toEqual([
      ['Engraving', 12.5, 12.5],
      ['Engraving', 20, 20],
      ['Monogram', 12.5, 12.5],
    ])
  })

  test('each of several messages is for one piece, and the line keeps its own quantity and subtotal', () => {
    const [found] = engravings(engraving(['A', 'A', 'B'], { quantity: 3, price: 10 }))
    expect(found).toMatchObject({
      quantity: 3,
      price: 10,
      subtotal: 30,
      texts: [
        { lines: ['A'], quantity: 2, fee: 20 },
        { lines: ['B'], quantity: 1, fee: 10 },
      ],
    })
    expect(found && isOneText(found)).toBe(false)
  })

  test('one message is on every piece; the fee is to the cent', () => {
    const [found] = engravings(engraving(['A'], { quantity: 3, price: 33.33, subtotal: 99.99 }))
    expect(found?.texts).toEqual([{ lines: ['A'], quantity: 3, fee: 99.99 }])
  })

  test('a discount shows in the line, not in the texts', () => {
    const [found] = engravings(engraving(['A'], { quantity: 2, price: 15, discount: 5, subtotal: 25 }))
    expect(found).toMatchObject({ subtotal: 25, discount: 5, texts: [{ fee: 30 }] })
    expect(found && isOneText(found)).toBe(false)
  })

  test('an engraving without a text, or with too few, still adds up to its quantity', () => {
    const [none] = engravings(engraving([], { quantity: 2, price: 5 }))
    expect(none?.texts).toEqual([{ lines: [], quantity: 2, fee: 10 }])
    const [few] = engravings(engraving(['A', 'B'], { quantity: 4, price: 15 }))
    expect(few?.texts).toEqual([
      { lines: ['A'], quantity: 1, fee: 15 },
      { lines: ['B'], quantity: 1, fee: 15 },
      { lines: [], quantity: 2, fee: 30 },
    ])
  })

  test('VIEW-021 VIEW-023 the same text with other line endings is one text', () => {
    const [found] = engravings(engraving(['A\r\nB', 'A\nB', 'A\rB', 'A'], { quantity: 4 }))
    expect(found?.texts.map(({ lines, quantity }) => [lines, quantity])).toEqual([
      [['A', 'B'], 3],
      [['A'], 1],
    ])
  })

  test('a text on the bottle itself is an engraving without a fee', () => {
    const bottle = line('a', { quantity: 3, ...texts('A\nB', 'C') })
    expect(engravingsOf({ item: bottle, engravings: [] })).toMatchObject([
      {
        name: 'Engraving',
        quantity: 2,
        price: null,
        subtotal: null,
        texts: [
          { lines: ['A', 'B'], quantity: 1, fee: null },
          { lines: ['C'], quantity: 1, fee: null },
        ],
      },
    ])
    expect(engravingsOf({ item: line('a', texts(' ')), engravings: [] })).toEqual([])
  })

  test('gift wrap is an addition, and an engraving without a text is not', () => {
    const [wrap, blank] = engravings(engraving([], { name: 'Gift wrap' }), engraving([]))
    expect([wrap && isAddition(wrap), blank && isAddition(blank)]).toEqual([true, false])
  })
})

test.each<[string, number, string[], boolean]>([
  ['engraving', 1, ['A'], true],
  ['engraving', 4, ['A'], true],
  ['engraving', 3, ['A', 'B', 'A'], true],
  ['engraving', 3, ['A', '', 'B'], true],
  ['engraving', 4, ['A', 'B'], false],
  ['engraving', 2, ['A', 'B', 'C'], false],
  ['Engraving', 1, [], false],
  ['engraving', 1, [' '], false],
  ['Monogram', 3, ['A', 'B'], false],
  ['Monogram', 1, ['  '], false],
  ['Gift wrap', 3, [], true],
])('%s of %i pieces with the messages %j', (...[name, quantity, messages, fits]) => {
  expect(engravingProblem(line('e', { name, quantity, ...texts(...messages) })) === undefined).toBe(fits)
})
