import { expect, test } from 'vitest'
import type { LineItem } from '../orders.ts'
import { agreedOrder, isBinding, silentChoice, substitutesOf } from './agreed-order.ts'
import type { Substitute, SubstituteOffer } from './substitute-fields.ts'

const line = { description: null, image_spec: null, product: null, offering: null }
const bottle = (offering_id: string, price: number): Substitute => ({
  offering_id,
  price,
  difference: price - 10,
  line: { ...line, name: offering_id },
})
const item = (id: string, quantity: number): LineItem => ({
  ...line,
  id,
  name: id,
  quantity,
  price: 10,
  subtotal: 10 * quantity,
  discount: 0,
  aux_data: null,
  parent_line_item_id: null,
})
const fees = { delivery_fee: 5, shipping: 0, tip: 0 }
const order = {
  items: [item('gin', 3), item('rye', 2)],
  transaction: { subtotal: 50, tax: 5, ...fees, total: 60 },
  rejection_message: JSON.stringify({
    outOfStock: { gin: { checked: true, missing: 1, of: 3 }, rye: { checked: true } },
  }),
}
const offer = (changes: Partial<SubstituteOffer> = {}): SubstituteOffer => ({
  id: 'offer',
  line_id: 'rye',
  name: 'rye',
  missing: 2,
  offered: [bottle('dear', 12), bottle('cheap', 9)],
  by: 'text',
  until: '2026-11-24T20:00:00Z',
  silence: 'refund',
  state: 'chosen',
  choice: 'dear',
  ended_at: null,
  ...changes,
})
const linesOf = (offers: SubstituteOffer[]) =>
  agreedOrder(order, offers).items.map(({ id, quantity, subtotal }) => [id, quantity, subtotal])

test('a chosen bottle takes the place of all missing pieces of its line; the others leave the order', () => {
  expect(linesOf([offer()])).toEqual([
    ['gin', 2, 20],
    ['s-offer', 2, 24],
  ])
  const { agreed } = substitutesOf(order, [offer()])
  expect(agreed?.transaction).toEqual({ subtotal: 44, tax: 4.4, ...fees, total: 53.4 })
  expect(agreed?.refund).toBe(6.6)
})

test('what was not chosen is not in the order: open, declined, withdrawn, unreached, or about other pieces', () => {
  const without = [['gin', 2, 20]]
  for (const state of ['offered', 'withdrawn', 'unreached'] as const)
    expect(linesOf([offer({ state })])).toEqual(without)
  expect(linesOf([offer({ state: 'declined', choice: null })])).toEqual(without)
  expect(linesOf([offer({ missing: 1 })])).toEqual(without)
  expect(substitutesOf(order, [offer({ state: 'offered' })])).not.toHaveProperty('agreed')
})

test('silence takes the first bottle that costs nothing more, where the shop has set so', () => {
  const choiceOf = (silence: SubstituteOffer['silence'], ...prices: number[]) =>
    silentChoice({ silence, offered: prices.map((price) => bottle(String(price), price)) })
  expect(choiceOf('take_first', 10, 8)).toBe('10')
  expect(choiceOf('take_first', 10.01, 8)).toBe('8')
  expect(choiceOf('take_first', 10.01)).toBeNull()
  expect(choiceOf('refund', 8)).toBeNull()
  expect(choiceOf('reject', 8)).toBeNull()
})

test('the pieces of a line are bound from the offer on, until it ended without an answer', () => {
  const binding = (['offered', 'chosen', 'declined', 'silent', 'withdrawn', 'unreached'] as const).filter(
    (state) => isBinding({ state }),
  )
  expect(binding).toEqual(['offered', 'chosen', 'declined', 'silent'])
})
