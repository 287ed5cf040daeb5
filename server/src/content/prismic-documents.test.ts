import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type TurnableDesk } from '../../test/desk.ts'
import { startLoopback, type Loopback } from '../../test/processes/loopback.ts'
import { publishDocument, withdrawDocument } from './public.ts'

const ref = { id: 'master', ref: 'ref-1', label: 'Master', isMasterRef: true }
let documents: Record<string, Record<string, unknown>>
let prismic: Loopback
let desk: TurnableDesk

function answer(path: string, query: URLSearchParams) {
  if (path === '/api/v2') return { json: { refs: [ref], types: {}, languages: [], tags: [], forms: {} } }
  const type = /at\(document\.type, "(\w+)"\)/.exec(query.getAll('q').join())?.[1] ?? ''
  const data = documents[type]
  const results =
    data === undefined
      ? []
      : [
          {
            id: '1',
            uid: null,
            type,
            lang: 'en-us',
            tags: [],
            data,
            first_publication_date: null,
            last_publication_date: null,
          },
        ]
  return {
    json: {
      page: 1,
      results_per_page: 1,
      results_size: results.length,
      total_results_size: results.length,
      total_pages: 1,
      next_page: null,
      prev_page: null,
      results,
    },
  }
}

beforeAll(async () => {
  prismic = await startLoopback(({ path, query }) => answer(path, query), {
    onHang: () => desk.clock.turn(2_000),
  })
})
afterAll(() => prismic.stop())
beforeEach(async () => {
  documents = {}
  prismic.requests.length = 0
  // A new server has no copies yet.
  desk = await openTurnableDesk({
    PRISMIC_REPOSITORY: `${prismic.url}/api/v2`,
    PRISMIC_ACCESS_TOKEN: 'token',
  })
})
afterEach(() => desk.stop())

const read = (name: 'welcome_message' | 'merchant_dashboard_news' = 'welcome_message') =>
  desk.call('GET /v1/documents/{name}', { params: { name } })

test('API-055 CONT-002 CONT-003 the banner shows a document of Prismic, plain or rich', async () => {
  const rich = (text: string) => [{ type: 'paragraph', text, spans: [] }]
  documents['welcome_message'] = {
    notification_text: rich('Open on Sunday'),
    message: [...rich('First'), ...rich('Second <b>')],
    modal_title: 'Hours',
    notification_color: '#7b1e3a',
  }
  expect((await read()).body).toEqual({
    name: 'welcome_message',
    data: {
      notification_text: 'Open on Sunday',
      message: 'First\nSecond <b>',
      modal_title: 'Hours',
      notification_color: '#7b1e3a',
    },
  })
  expect(prismic.requests[0]?.query.get('access_token')).toBe('token')
  expect((await read('merchant_dashboard_news')).status).toBe(404)
})

test('it is read once a minute, for any number of readers', async () => {
  documents['welcome_message'] = { notification_text: 'Hello', notification_color: 'red; background: url(x)' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => read()))
  for (const { body } of answers)
    expect(body.data).toEqual({
      notification_text: 'Hello',
      message: null,
      modal_title: null,
      notification_color: null,
    })
  const searches = prismic.requests.filter(({ path }) => path.endsWith('/search'))
  expect(searches).toHaveLength(1)
})

test('a document published here goes before it', async () => {
  documents['welcome_message'] = { notification_text: 'Of Prismic' }
  await desk.app.db.system((statements) =>
    publishDocument(statements, { name: 'welcome_message', text: 'Of the shop' }),
  )
  expect((await read()).body.data.notification_text).toBe('Of the shop')
  await desk.app.db.system((statements) => withdrawDocument(statements, 'welcome_message'))
  expect((await read()).body.data.notification_text).toBe('Of Prismic')
})

const whyFailing = async () => {
  const { rows } = await desk.owner.query<{ why: string }>(
    `select provider || ': ' || last_failure_reason as why from provider_health where last_failure_at is not null`,
  )
  return rows.map(({ why }) => why)
}

test.each([
  ['a bad gateway', { status: 502, text: '<html>' }, 'an error of its own (502)'],
  ['half an answer', { text: '{"refs":' }, 'an answer that cannot be read'],
  ['a cut line', 'drop', 'the connection broke off'],
  ['a refused token', { status: 403, json: { error: 'Access denied' } }, 'the credential was refused (403)'],
  ['no answer', 'hang', 'no answer in time'],
  ['too many requests', { status: 429, headers: { 'retry-after': '3600' } }, 'too many requests (429)'],
] as const)('with %s there is no banner, soon, and the trouble is on record', async (_name, trouble, why) => {
  prismic.next(trouble)
  expect((await read()).status).toBe(404)
  await expect.poll(whyFailing).toEqual([`Prismic: ${why}`])
  expect(prismic.requests).toHaveLength(1)
})

test('without an answer there is no banner, without a long wait, and the failure is on record', async () => {
  const gone = await startLoopback(() => 'drop')
  await gone.stop()
  const server = await desk.another({ PRISMIC_REPOSITORY: `${gone.url}/api/v2` })
  const answer = await server.call('GET /v1/documents/{name}', { params: { name: 'welcome_message' } })
  expect(answer.status).toBe(404)
  await expect.poll(whyFailing).toEqual(['Prismic: no connection'])
})

test('with references but no document there is no banner, and no further request', async () => {
  prismic.next(answer('/api/v2', new URLSearchParams()), 'hang')
  expect((await read()).status).toBe(404)
  expect(prismic.requests).toHaveLength(2)
})
