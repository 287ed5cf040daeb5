import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Desk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { startLoopback, type Loopback, type LoopbackAnswer } from '../../test/processes/loopback.ts'

let sentry: Loopback
let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
  shop = await desk.openShop()
})
afterAll(() => desk.stop())

let server: Desk
/** The answer to the error that a test causes. A busy machine may cause others, as while a server starts. */
let trouble: LoopbackAnswer | undefined
const caused = 'GET /v1/documents/{name}'
const dsnOf = ({ url }: Loopback) => `${url.replace('//', '//publickey@')}/7`
beforeEach(async () => {
  await desk.owner.query('delete from provider_health')
  trouble = undefined
  sentry = await startLoopback(
    ({ text }) => (text.includes(caused) ? trouble : undefined) ?? { json: { id: '1' } },
    { onHang: () => desk.clock.turn(5_000) },
  )
  server = await desk.another({ SENTRY_DSN: dsnOf(sentry) })
})
afterEach(async () => {
  // A server of an earlier test would note its own failures in the same record.
  await server.stop()
  await sentry.stop()
})

/** Causes an error that nobody foresaw. */
async function fail(): Promise<void> {
  await desk.owner.query('alter table documents rename to documents_away')
  try {
    const answer = await server.send('GET', '/v1/documents/welcome_message', { as: shop.member })
    expect(answer.status).toBe(500)
  } finally {
    await desk.owner.query('alter table documents_away rename to documents')
  }
}

async function whatOwnersRead() {
  const { body } = await server.call('GET /c/v2/merchants/{tmk}/outside_services', {
    as: shop.owner,
    params: { tmk: shop.key },
  })
  const row = body.services.find(({ use }) => use === 'errors')
  return [row?.provider, row?.last_failure_reason, row?.failures_in_a_row]
}

test('GAP-163 owners read that an error has arrived at Sentry', async () => {
  await fail()
  await expect.poll(whatOwnersRead).toEqual(['Sentry', null, 0])
  expect(sentry.about(caused)).toHaveLength(1)
})

test.each([
  ['a bad gateway', { status: 502, text: '<html>' }, 'an error of its own (502)'],
  ['a refused key', { status: 403, json: {} }, 'the credential was refused (403)'],
  ['too many requests', { status: 429, headers: { 'retry-after': '60' } }, 'too many requests (429)'],
  ['a cut line', 'drop', 'the connection broke off'],
  ['silence', 'hang', 'no answer in time'],
] as const)(
  'GAP-163 after %s owners read why, and the error was reported once',
  async (_name, answer, why) => {
    trouble = answer
    await fail()
    await expect.poll(whatOwnersRead).toEqual(['Sentry', why, 1])
    expect(sentry.about(caused)).toHaveLength(1)
  },
)

test('without an answer from Sentry, calls answer as usual, and the dashboard’s report is accepted', async () => {
  await sentry.stop()
  await fail()
  await expect.poll(whatOwnersRead).toEqual(['Sentry', 'no connection', 3])
  const envelope = `${JSON.stringify({ dsn: dsnOf(sentry) })}\n{"type":"event"}\n{"message":"x"}`
  const answer = await server.call('POST /insights/v1/envelopes', { body: { envelope } })
  expect(answer.status).toBe(202)
})

test('the dashboard gets its answer when Sentry gives none', async () => {
  sentry.next('hang')
  const envelope = '{"event_id":"1"}\n{"type":"event"}\n{"message":"x"}'
  const answer = await server.call('POST /insights/v1/envelopes', { body: { envelope } })
  expect(answer.status).toBe(202)
  // The call does not wait for the write of what owners read.
  await expect.poll(whatOwnersRead).toEqual(['Sentry', 'no answer in time', 1])
})
