import { expect, test } from 'vitest'
import { counterOf, newSecret, otpauthUrl, secretOf } from './totp.ts'

const secret = secretOf(Buffer.from('12345678901234567890'))

// RFC 6238, appendix B, SHA1; the last six of its eight digits.
test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('at second %i the code of the RFC is %s', (seconds, code, counter) => {
  expect(counterOf(secret, code, seconds * 1000)).toBe(counter)
})

test('a code is valid one step before and after its time, and no more', () => {
  const at = 1_234_567_890_000
  const counters = [-60, -30, 0, 30, 60].map((seconds) => counterOf(secret, '005924', at + seconds * 1000))
  const counter = 41_152_263
  expect(counters).toEqual([undefined, counter, counter, counter, undefined])
})

test('the address for authenticator apps has the secret in Base32, and the account’s name', () => {
  expect(secretOf(Buffer.from('foobar')).base32).toBe('MZXW6YTBOI')
  expect(otpauthUrl(secret, { issuer: 'A & B', account: 'ada@example.com' })).toBe(
    'otpauth://totp/A%20%26%20B:ada%40example.com?issuer=A%20%26%20B&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  )
})

test('a new secret has 160 bits, and each is another', () => {
  expect(newSecret().bytes).toHaveLength(20)
  expect(newSecret().base32).not.toBe(newSecret().base32)
})
