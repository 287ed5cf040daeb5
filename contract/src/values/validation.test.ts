import { describe, expect, test } from 'vitest'
import {
  birthDate,
  email,
  firstProblem,
  isWebAddress,
  password,
  phone,
  required,
  trackingProblems,
  zip,
  priceProblem,
  readPrice,
  rejectReasonProblem,
} from './validation.ts'

const nowMs = Date.parse('2026-11-20T18:00:00Z')
const rowsOf = (...texts: string[]) => texts.map((text) => [text] as const)

describe('VALID-001 required', () => {
  test.each(rowsOf('', ' ', '\t\n', '\u00a0'))('%j is empty', (value) => {
    expect(required('first_name')(value)).toBe('Please enter your first name')
  })
  test('any character counts as a value, and every underscore becomes a space', () => {
    expect(required('x')('0')).toBeUndefined()
    expect(required('primary_contact_name')('')).toBe('Please enter your primary contact name')
  })
})

describe('VALID-002 VALID-003 e-mail', () => {
  test.each(
    rowsOf(
      'a@b.co',
      'first.last+tag@sub.example.com',
      "o'brien@example.ie",
      'UPPER@EXAMPLE.COM',
      'ü@example.de',
      '',
    ),
  )('%j passes', (value) => expect(email(value)).toBeUndefined())
  test.each(
    rowsOf(
      'a',
      'a@b',
      '@b.co',
      'a@',
      'a b@c.de',
      'a@b..co',
      'a@-b.co',
      'a@b-.co',
      'a@b.co ',
      'a@b@c.de',
      'a,b@c.de',
      `${'a'.repeat(250)}@b.co`,
    ),
  )('%j does not', (value) => expect(email(value)).toBe('Please enter a valid email address'))
})

test('VALID-004 a password has at least 10 characters as people count them', () => {
  expect(password('123456789')).toBe('Your password must have at least 10 characters')
  expect(password('1234567890')).toBeUndefined()
  expect(password('🍷'.repeat(9))).toBe('Your password must have at least 10 characters')
  expect(password('🍷'.repeat(10))).toBeUndefined()
})

describe('birth date', () => {
  const rule = birthDate(nowMs)
  test.each(rowsOf('2026-11-20', '2026-11-21', '2030-01-01'))('VALID-006 %s is too recent', (day) => {
    expect(rule(day)).toBe('You must chose a valid birth date')
  })
  test('VALID-006 more than one day in the past is accepted', () => {
    expect(rule('2026-11-19')).toBeUndefined()
    expect(rule('1906-01-01')).toBeUndefined()
  })
  test.each(rowsOf('2025-02-29', '1990-04-31', '1990-13-01', '1990-00-10', '1990-1-1', 'yesterday', ''))(
    'VALID-007 GAP-181 %j is no real date',
    (day) => expect(rule(day)).toBe('You must choose a valid birth date'),
  )
  test('VALID-007 the leap day of a leap year is a real date', () => {
    expect(rule('2024-02-29')).toBeUndefined()
    expect(rule('1900-02-29')).toBe('You must choose a valid birth date')
  })
})

describe('VALID-010 VALID-011 phone', () => {
  test.each(
    rowsOf(
      '',
      '2125550123',
      '212-555-0123',
      '(212) 555-0123',
      '+1 212 555 0123',
      '1.212.555.0123',
      '+12125550123',
    ),
  )('%j passes', (value) => expect(phone(value)).toBeUndefined())
  test.each(
    rowsOf(
      '1125550123',
      '2121550123',
      '0125550123',
      '212555012',
      '21255501234',
      '+442071838750',
      '212555O123',
      'abc',
      ' ',
    ),
  )('%j does not', (value) => expect(phone(value)).toBe('Please enter a valid phone number'))
})

describe('VALID-012 ZIP', () => {
  test.each(rowsOf('10001', '10001-1234', '00501'))('%s passes', (value) =>
    expect(zip(value)).toBeUndefined(),
  )
  test.each(
    rowsOf('', '1000', '100011', '10001-', '10001-123', '10001 1234', 'ABCDE', '10001\n', '１０００１'),
  )('%j does not', (value) => expect(zip(value)).toBe('Please enter a valid zip'))
})

test('VALID-013 a field shows the message of the first broken rule', () => {
  const rules = [required('email'), email]
  expect(firstProblem('', rules)).toBe('Please enter your email')
  expect(firstProblem('x', rules)).toBe('Please enter a valid email address')
  expect(firstProblem('a@b.co', rules)).toBeUndefined()
})

describe('decisions', () => {
  test('ACT-007 ACT-008 only the reason other needs a text, of at most 500 characters', () => {
    expect(rejectReasonProblem('other', ' \n')).toBe('Please insert a reason')
    expect(rejectReasonProblem('other', 'Flood')).toBeUndefined()
    expect(rejectReasonProblem('other', 'x'.repeat(501))).toContain('500')
    expect(rejectReasonProblem('bad_weather', '')).toBeUndefined()
  })
  test.each([
    ['12', 12],
    ['12.5', 12.5],
    [' $ 12.50 ', 12.5],
    ['$1,012.50', 1012.5],
    ['.99', 0.99],
    ['0', 0],
  ])('ACT-017 %j is the price after the $', (typed, price) => expect(readPrice(typed)).toBe(price))
  test.each(rowsOf('', '$', '.', '-3', '1.234', '1,2', 'twelve', '1e3', '１２', 'Infinity'))(
    'ACT-017 %j is no price',
    (typed) => expect(readPrice(typed)).toBeUndefined(),
  )
  test.each([0, -1, 0.004, Number.NaN, Number.POSITIVE_INFINITY, '12', undefined, null, 1_000_000.01])(
    'T07 %j is no price that a line could have',
    (price) => expect(priceProblem(price)).toMatch(/^Please enter a price/),
  )
  test('T07 a cent and a million are prices', () => {
    for (const price of [0.01, 12.345, 1_000_000]) expect(priceProblem(price)).toBeUndefined()
  })
})

describe('tracking', () => {
  const fill = '* Please fill in all the fields'
  test('SHIP-015 SHIP-017 a known carrier needs its number, and nothing else', () => {
    expect(trackingProblems({ tracking_provider: 'FedEx', tracking_id: '7946 1234' })).toEqual({})
    expect(trackingProblems({ tracking_provider: 'UPS', tracking_id: ' \t' })).toEqual({ tracking_id: fill })
    expect(trackingProblems({ tracking_provider: '', tracking_id: '' })).toEqual({
      tracking_provider: fill,
      tracking_id: fill,
    })
  })
  test('SHIP-013 the carriers are FedEx, UPS, GSO and OTHER, spelled so', () => {
    const problem = (tracking_provider: string) =>
      trackingProblems({
        tracking_provider,
        tracking_id: '1',
        tracking_url: 'https://x.example/1',
        other_tracking_provider: 'X',
      })
    for (const carrier of ['FedEx', 'UPS', 'GSO', 'OTHER']) expect(problem(carrier)).toEqual({})
    for (const carrier of ['fedex', 'DHL', 'constructor'])
      expect(problem(carrier)).toEqual({ tracking_provider: fill })
  })
  test('SHIP-016 a number has at most 30 characters, not counting spaces', () => {
    expect(
      trackingProblems({ tracking_provider: 'UPS', tracking_id: `${'1'.repeat(15)} ${'1'.repeat(15)}` }),
    ).toEqual({})
    expect(trackingProblems({ tracking_provider: 'UPS', tracking_id: '1'.repeat(31) })).toHaveProperty(
      'tracking_id',
    )
  })
  test('SHIP-018 SHIP-019 another carrier needs its name, number and address', () => {
    expect(trackingProblems({ tracking_provider: 'OTHER', tracking_id: '' })).toEqual({
      tracking_id: fill,
      other_tracking_provider: fill,
      tracking_url: fill,
    })
  })
  test.each(
    rowsOf(
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://x.example',
      '//x.example',
      'x.example',
      'https://',
      'https://a b',
    ),
  )('GAP-61 %s is no address to link to', (url) => expect(isWebAddress(url)).toBe(false))
  test('GAP-61 http and https addresses are web addresses', () => {
    expect(isWebAddress('http://x.example')).toBe(true)
    expect(isWebAddress('HTTPS://x.example/t?id=1#a')).toBe(true)
  })
})
