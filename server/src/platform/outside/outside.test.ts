import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHealthBook, type HealthBook } from '../../../test/database/health-book.ts'
import { startLoopback, type Loopback } from '../../../test/processes/loopback.ts'
import { createCircuit } from './circuit.ts'
import { listProviderHealth } from './health.ts'
import { createOutside, type Outside } from './outside.ts'
import { ProviderError } from './provider-error.ts'

let book: HealthBook
let provider: Loopback
let outside: Outside
beforeAll(async () => {
  book = await openHealthBook((error) => expect.fail(String(error)))
})
afterAll(() => book.close())
beforeEach(async () => {
  await book.empty()
  provider = await startLoopback(() => ({ json: { ok: true }, headers: { 'x-request-id': 'r-1' } }))
  outside = createOutside({
    provider: 'Acme Post',
    health: book.health,
    timeoutMs: 2_000,
    firstWaitMs: 5,
    codeOf: (answer) => (answer as { error?: { code?: string } } | undefined)?.error?.code,
  })
})
afterEach(async () => {
  await provider.stop()
  // A note of one test must not appear in the next test's record.
  await book.health.settled()
})

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ProviderError)
  return error as ProviderError
}

const get = () => outside.call({ method: 'GET', url: provider.url })
const post = (extra: { isIdempotent?: boolean; timeoutMs?: number } = {}) =>
  outside.call({
    method: 'POST',
    url: `${provider.url}/labels?secret=1`,
    json: { street: '1 Pier' },
    ...extra,
  })

async function recorded() {
  await book.health.settled()
  return (await listProviderHealth(book.db)).map((row) => [
    row.provider,
    row.last_success_at !== null,
    row.last_failure_kind,
    row.last_failure_reason,
    row.last_failure_request_id,
    row.failures_in_a_row,
  ])
}

test('an answer has its request id, and the success is on record', async () => {
  const answer = await post()
  expect([answer.status, answer.requestId, answer.json]).toEqual([200, 'r-1', { ok: true }])
  expect(provider.requests.map(({ method, json }) => [method, json])).toEqual([
    ['POST', { street: '1 Pier' }],
  ])
  expect(await recorded()).toEqual([['Acme Post', true, null, null, null, 0]])
})

test('a harmless call is repeated after a bad gateway, a broken connection and a full queue', async () => {
  provider.next({ status: 502, text: '<html>Bad gateway</html>' }, 'drop')
  await expect(get()).resolves.toMatchObject({ status: 200 })
  provider.next({ status: 429, headers: { 'retry-after': '1' } })
  const since = Date.now()
  await expect(get()).resolves.toMatchObject({ status: 200 })
  expect(Date.now() - since).toBeGreaterThan(950)
  expect(provider.requests).toHaveLength(5)
})

test('a call that could act twice is sent once, and says that its effect is unknown', async () => {
  for (const [answer, kind] of [
    [{ status: 502, text: '<html>Bad gateway</html>' }, 'unavailable'],
    [{ text: '{"half":' }, 'malformed'],
    ['drop', 'broken_off'],
  ] as const) {
    provider.next(answer)
    const error = await failureOf(post())
    expect([error.kind, error.isEffectUnknown]).toEqual([kind, true])
  }
  expect(provider.requests).toHaveLength(3)
  provider.next('hang')
  const error = await failureOf(post({ timeoutMs: 1_500 }))
  expect([error.kind, error.isEffectUnknown]).toEqual(['no_answer', true])
  expect(error.advice).toContain('before you repeat it')
  expect(provider.requests).toHaveLength(4)
})

test('a full queue had no effect, so even a purchase is tried again', async () => {
  provider.next({ status: 429 })
  await expect(post()).resolves.toMatchObject({ status: 200 })
  expect(provider.requests).toHaveLength(2)
})

test('a longer wait than anybody has time for is left to the caller', async () => {
  provider.next({ status: 429, headers: { 'retry-after': '3600' } })
  const error = await failureOf(get())
  expect([error.kind, error.retryAfterMs, error.isEffectUnknown]).toEqual(['too_many', 3_600_000, false])
  expect((await failureOf(get())).kind).toBe('circuit_open')
  expect(provider.requests).toHaveLength(1)
})

test('a refusal is not repeated, keeps the provider’s code, and logs nothing of the request', async () => {
  const body = { error: { code: 'ADDRESS.BAD', message: '1 Pier is unknown' } }
  provider.next({ status: 422, json: body, headers: { 'x-request-id': 'r-9' } })
  const error = await failureOf(post())
  expect([error.kind, error.status, error.code, error.requestId]).toEqual([
    'rejected',
    422,
    'ADDRESS.BAD',
    'r-9',
  ])
  expect(error.answer).toEqual(body)
  expect(`${error.message} ${JSON.stringify(error)} ${error.reason}`).not.toMatch(/Pier|secret/)
  expect(await recorded()).toEqual([['Acme Post', true, null, null, null, 0]])
})

test.each([
  ['E.ADDRESS-1:not_found', 'E.ADDRESS-1:not_found'],
  ['1 Pier is unknown', undefined],
  ['ana@example.com', undefined],
  ['un\0known', undefined],
  ['x'.repeat(81), undefined],
  ['', undefined],
  [null, undefined],
])('what a provider calls its code is kept if it has the form of one: %j', async (said, kept) => {
  provider.next({ status: 422, json: { error: { code: said } } })
  const error = await failureOf(post())
  expect([error.code, error.reason]).toEqual([
    kept,
    `the request was refused (422${kept === undefined ? '' : `, ${kept}`})`,
  ])
})

test('without an answer: three tries, no harm, and a record in words', async () => {
  await provider.stop()
  const error = await failureOf(post())
  expect([error.kind, error.isEffectUnknown]).toEqual(['refused_connection', false])
  expect(error.advice).toContain('Nothing was done')
  expect(await recorded()).toEqual([['Acme Post', false, 'refused_connection', 'no connection', null, 3]])
  provider = await startLoopback(() => ({ json: {} }))
  await get()
  expect(await recorded()).toEqual([['Acme Post', true, 'refused_connection', 'no connection', null, 0]])
})

test('a refused credential is on record with the provider’s id of the call', async () => {
  provider.next({ status: 401, json: {}, headers: { 'x-request-id': 'r-7' } })
  expect((await failureOf(get())).advice).toContain('Settings')
  expect(await recorded()).toEqual([
    ['Acme Post', false, 'unauthorized', 'the credential was refused (401)', 'r-7', 1],
  ])
})

test('a redirect is not followed, so the credential reaches no other host', async () => {
  const elsewhere = await startLoopback(() => ({ json: {} }))
  provider.next({ status: 302, headers: { location: elsewhere.url } })
  expect((await failureOf(post())).kind).toBe('malformed')
  expect(elsewhere.requests).toEqual([])
  await elsewhere.stop()
})

test('after five failures no call waits for the provider any more', async () => {
  for (let times = 0; times < 5; times++) {
    provider.next({ status: 500 })
    expect((await failureOf(post())).kind).toBe('unavailable')
  }
  const error = await failureOf(post())
  expect([error.kind, error.isEffectUnknown]).toEqual(['circuit_open', false])
  expect(provider.requests).toHaveLength(5)
})

test('the circuit lets one call try after half a minute, and all of them after its success', () => {
  let now = 0
  const circuit = createCircuit({ readingMs: () => now })
  for (let times = 0; times < 5; times++) {
    expect(circuit.tryPass()).toBe(0)
    circuit.failed()
  }
  expect(circuit.tryPass()).toBe(30_000)
  now = 30_000
  expect([circuit.tryPass(), circuit.tryPass()]).toEqual([0, 30_000])
  circuit.failed()
  now = 60_000
  expect(circuit.tryPass()).toBe(0)
  circuit.succeeded()
  expect([circuit.tryPass(), circuit.tryPass()]).toEqual([0, 0])
})

test('a library’s own call has the same circuit and the same record', async () => {
  await expect(
    outside.watch(
      async () => 7,
      () => undefined,
    ),
  ).resolves.toBe(7)
  const gone = () => Promise.reject(new Error('socket hang up'))
  const error = await failureOf(outside.watch(gone, () => ({ provider: 'Acme Post', kind: 'broken_off' })))
  expect(error.isEffectUnknown).toBe(true)
  await expect(outside.watch(gone, () => undefined)).rejects.toThrow('socket hang up')
  expect(await recorded()).toEqual([['Acme Post', true, 'broken_off', 'the connection broke off', null, 1]])
})
