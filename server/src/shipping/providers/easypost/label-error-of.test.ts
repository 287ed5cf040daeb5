import { expect, test } from 'vitest'
import { refusalOf } from './label-error-of.ts'

test.each([
  ['Box 12', 'po_box'],
  ['12 Box Hill Road is unknown', undefined],
])('words of a carrier that name a box as a street does are about one: %s', (message, code) => {
  const words = [{ message, carrier: 'UPS' }]
  expect(refusalOf({ codes: [], fields: [], words }).code).toBe(code)
})
