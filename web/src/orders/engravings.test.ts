import { expect, test } from 'vitest'
import { engravingsOf } from './engravings.ts'
import type { Order } from './queries.ts'

function line(engraving_message: string[], quantity: number, price = 12.5) {
  return { quantity, price, aux_data: { engraving_message } } as Order['items'][number]
}

test('identical texts are one group with its quantity and fee', () => {
  expect(
    engravingsOf([line(['To Dee\nwith love'], 2), line(['To Dee\nwith love'], 1), line(['Cheers'], 1)]),
  ).toEqual([
    { lines: ['To Dee', 'with love'], quantity: 3, price: 12.5, fee: 37.5 },
    { lines: ['Cheers'], quantity: 1, price: 12.5, fee: 12.5 },
  ])
})

test('several messages of one line are one piece each', () => {
  expect(engravingsOf([line(['A', 'A', 'B'], 3, 10)])).toEqual([
    { lines: ['A'], quantity: 2, price: 10, fee: 20 },
    { lines: ['B'], quantity: 1, price: 10, fee: 10 },
  ])
})

test('an engraving without a text keeps its fee', () => {
  expect(engravingsOf([line([], 2, 5)])).toEqual([{ lines: [], quantity: 2, price: 5, fee: 10 }])
})
