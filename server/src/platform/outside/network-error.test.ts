import { expect, test } from 'vitest'
import { causeOf, wasNeverSent } from './network-error.ts'

const failure = (code: string, syscall?: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, syscall }) })

test.each([
  ['ECONNREFUSED', 'connect', true],
  ['ENOTFOUND', 'getaddrinfo', true],
  ['EHOSTUNREACH', 'connect', true],
  ['EHOSTUNREACH', 'read', false],
  ['ENETUNREACH', 'write', false],
  ['ECONNRESET', 'read', false],
  ['UND_ERR_CONNECT_TIMEOUT', undefined, true],
  ['CERT_HAS_EXPIRED', undefined, true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', undefined, true],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', undefined, false],
  ['UND_ERR_SOCKET', undefined, false],
])('%s at %s: the request was certainly not sent: %s', (code, syscall, isCertain) => {
  expect(wasNeverSent(causeOf(failure(code, syscall)))).toBe(isCertain)
})

test('of several addresses the first failure counts, and an error without a code says nothing', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  expect(wasNeverSent(causeOf(new TypeError('x', { cause: new AggregateError([refused]) })))).toBe(true)
  expect(wasNeverSent(causeOf(new Error('The answer is larger than 10 bytes')))).toBe(false)
})
