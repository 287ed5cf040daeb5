import { expect, test } from 'vitest'
import { codeOf, counterAt, counterOf, otpauthUrl, toBase32 } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, SHA1; the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code of the RFC is %s', (seconds, code) => {
  expect(codeOf(secret, counterAt(seconds * 1000))).toBe(code)
})

test('a code is valid one step before and after its time, and no more', () => {
  const at = 1_234_567_890_000
  const offsets = [-60, -30, 0, 30, 60].map((seconds) => counterOf(secret, '005924', at + seconds * 1000))
  expect(offsets).toEqual([undefined, counterAt(at), counterAt(at), counterAt(at), undefined])
})

test('the address for authenticator apps has the secret in Base32, and the account’s name', () => {
  expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  expect(toBase32(Buffer.from('f'))).toBe('MY')
  expect(otpauthUrl(secret, { issuer: 'A & B', account: 'ada@example.com' })).toBe(
    'otpauth://totp/A%20%26%20B:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20%26%20B&algorithm=SHA1&digits=6&period=30',
  )
})
