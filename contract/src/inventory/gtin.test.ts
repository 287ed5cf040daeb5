import { describe, expect, test } from 'vitest'
import { formatGtin, gtinsOfScan, readGtin } from './gtin.ts'

describe('the number in a barcode', () => {
  test.each([
    ['036000291452', '36000291452'],
    ['0036000291452', '36000291452'],
    ['00036000291452', '36000291452'],
    // A spreadsheet strips the zeros.
    ['36000291452', '36000291452'],
    ['0 36000 29145 2', '36000291452'],
    ['0-36000-29145-2', '36000291452'],
    ['4006381333931', '4006381333931'],
    ['10036000291459', '10036000291459'],
    ['96385074', '96385074'],
  ])('%s is read as %s', (text, key) => expect(readGtin(text)).toBe(key))

  test.each([
    '036000291453',
    '1234567',
    '123456789012345',
    '3.60003E+11',
    'ABC-0750',
    '',
    '00000000',
    '０36000291452',
    '036000291452x',
  ])('%j is none', (text) => expect(readGtin(text)).toBeUndefined())

  test('it is shown in the length in which it is printed', () => {
    for (const printed of ['036000291452', '4006381333931', '10036000291459', '96385074'])
      expect(formatGtin(readGtin(printed) ?? '')).toBe(printed)
  })

  test('one wrong digit is always noticed', () => {
    for (const code of ['036000291452', '4006381333931', '10036000291459'])
      for (let at = 0; at < code.length; at++)
        for (let by = 1; by < 10; by++) {
          const wrong = `${code.slice(0, at)}${(Number(code[at]) + by) % 10}${code.slice(at + 1)}`
          expect([wrong, readGtin(wrong)]).toEqual([wrong, undefined])
        }
  })

  test.each([
    ['04252614', '42100005264'],
    ['06543217', '65100004327'],
  ])('the compressed %s of a small bottle means %s too', (scan, key) =>
    expect(gtinsOfScan(scan)).toContain(key),
  )

  test('a scan of another kind of barcode means no number', () => {
    for (const scan of ['1Z999AA10123456784', 'https://example.com', '1000123', ''])
      expect(gtinsOfScan(scan)).toEqual([])
  })
})
