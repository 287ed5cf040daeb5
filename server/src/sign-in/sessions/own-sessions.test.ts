import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { textOf } from '../../../test/refusals.ts'

let desk: Desk
let shop: Shop
let person: Person
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
beforeEach(async () => {
  person = await desk.addPerson(shop.key, 'merch.user')
})
afterAll(async () => desk.stop())

async function signIn(userAgent = ''): Promise<string> {
  const { body } = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: person.email, password },
    headers: { 'user-agent': userAgent },
  })
  return `Bearer ${body.token}`
}
const list = async (as: Person | string = person) =>
  desk.call('GET /a/v2/users/{id}/sessions', { as, params: { id: person.id } })
const end = async (session: string, as: Person | string = person, id = person.id) =>
  desk.call('DELETE /a/v2/users/{id}/sessions/{session}', { as, params: { id, session } })
const isSignedIn = async (as: Person | string) =>
  (await desk.call('GET /a/v2/sessions', { as })).status === 200

const agents: [string, string][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
]

test('a person sees their sessions, in words, with the present one marked', async () => {
  const tokens: string[] = []
  for (const [agent] of agents) tokens.push(await signIn(agent))
  await desk.owner.query(
    `update sessions set created_at = now() - interval '2 hours', last_seen_at = now() - interval '1 hour' where user_id = $1 and device = 'Firefox on Linux'`,
    [person.id],
  )
  const { status, body, text } = await list(tokens[0])
  expect(status).toBe(200)
  expect(body.items.map(({ device, is_current }) => [device, is_current])).toEqual([
    ['Chrome on Android', false],
    ['Safari on iPhone', false],
    ['Edge on Windows', true],
    // The fixture's own sign-in names no browser.
    [null, false],
    ['Firefox on Linux', false],
  ])
  const oldest = body.items.at(-1)
  expect(Date.parse(oldest?.last_seen_at ?? '') - Date.parse(oldest?.created_at ?? '')).toBe(3_600_000)
  for (const token of tokens) expect(text).not.toContain(token.split('.')[2])
  expect(text).not.toContain('eyJ')
  // A token login counts as a use of the session.
  await desk.call('GET /a/v2/sessions', { as: tokens[3] })
  const again = (await list(tokens[0])).body.items.at(-1)
  expect(Date.now() - Date.parse(again?.last_seen_at ?? '')).toBeLessThan(100_000)
})

test('a hand-over is a session with its device too', async () => {
  const { body } = await desk.call('POST /marketplace/v1/handover', {
    as: marketplaceCredential,
    body: { user: person.id, merchant: shop.key },
  })
  const jwt = new URL(body.url).searchParams.get('jwt') ?? ''
  await desk.call('GET /a/v2/sessions', {
    as: `Bearer ${jwt}`,
    headers: { 'user-agent': agents[0]?.[0] ?? '' },
  })
  expect((await list()).body.items.map(({ device }) => device)).toEqual(['Edge on Windows', null])
})

test('G20 an ended session is refused at its next request and on its open dashboard, and leaves the list', async () => {
  const lost = await signIn(agents[1]?.[0])
  const stream = await listen(desk, { key: shop.key, as: { ...person, token: lost.slice(7) } })
  const found = (await list()).body.items.find(({ device }) => device === 'Safari on iPhone')
  const answer = await end(found?.id ?? '')
  expect([answer.status, answer.body]).toEqual([200, {}])
  expect([await isSignedIn(lost), await isSignedIn(person)]).toEqual([false, true])
  expect((await list()).body.items.map(({ is_current }) => is_current)).toEqual([true])
  expect((await end(found?.id ?? '')).status).toBe(404)
  await stream.ended
})

test('all but this one end together, and nobody else’s', async () => {
  const others = [await signIn(), await signIn()]
  const answer = await desk.call('DELETE /a/v2/users/{id}/sessions', {
    as: person,
    params: { id: person.id },
  })
  expect([answer.status, answer.body]).toEqual([200, { ended: 2 }])
  for (const other of others) expect(await isSignedIn(other)).toBe(false)
  expect([await isSignedIn(person), await isSignedIn(shop.member)]).toEqual([true, true])
})

test('ending the others also ends an unused link of the marketplace', async () => {
  const { body } = await desk.call('POST /marketplace/v1/handover', {
    as: marketplaceCredential,
    body: { user: person.id, merchant: shop.key },
  })
  const token = new URL(body.url).searchParams.get('jwt') ?? ''
  await desk.call('DELETE /a/v2/users/{id}/sessions', { as: person, params: { id: person.id } })
  const followed = await desk.call('POST /a/v2/sessions/handover', { body: { token, merchant: shop.key } })
  expect([followed.status, followed.refusal.code]).toEqual([400, 'bad_handover'])
})

test('G15 nobody sees or ends another person’s, which are 404s', async () => {
  const mine = (await list()).body.items[0]?.id ?? ''
  for (const as of [shop.owner, shop.member]) {
    expect((await list(as)).status).toBe(403)
    expect((await end(mine, as)).status).toBe(403)
    const theirs = await end(mine, as, as.id)
    const none = await end('no-such-session', as, as.id)
    expect([theirs.status, textOf(theirs)]).toEqual([none.status, textOf(none)])
    expect(theirs.status).toBe(404)
  }
  expect(await isSignedIn(person)).toBe(true)
})
