import { expect, test } from 'vitest'
import { formatPhone, isValidUsPhone, usDigits } from './phone.ts'

test.each([
  ['2125550123', '+1 (212) 555-0123'],
  ['+12125550123', '+1 (212) 555-0123'],
  ['1 (212) 555.0123', '+1 (212) 555-0123'],
  ['+44 20 7183 8750', '+44 20 7183 8750'],
  ['+212 555 0123', '+212 555 0123'],
  ['+2125550123', '+2125550123'],
  ['555-0123', '555-0123'],
  ['', ''],
])('VIEW-033 %j is shown as %j', (given, shown) => {
  expect(formatPhone(given)).toBe(shown)
})

test('VALID-010 only ten digits, with or without the country code, are a US number', () => {
  expect(usDigits('22125550123')).toBeUndefined()
  expect(usDigits('12125550123')).toBe('2125550123')
  expect(isValidUsPhone('+12125550123')).toBe(true)
  expect(isValidUsPhone('212;5550123')).toBe(false)
})

test.each([
  '+2125550123',
  '+21 25550123',
  ' +2125550123',
  '(+212) 555-0123',
  '21255501+23',
  '+',
  '++12125550123',
])(
  'VALID-010 %j is a number of another country, or of none: with a plus it is +1 and ten digits',
  (phone) => {
    expect(usDigits(phone)).toBeUndefined()
    expect(isValidUsPhone(phone)).toBe(false)
  },
)
