import { createHash } from 'node:crypto'
import { endpoints } from '@cellarhand/contract/endpoints'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  applicationCredential,
  marketplaceCredential,
  openDesk,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
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

const handOver = async (user: string, merchant = shop.key) =>
  desk.call('POST /marketplace/v1/handover', { as: marketplaceCredential, body: { user, merchant } })
async function freshToken(): Promise<string> {
  const { body } = await handOver(person.id)
  return new URL(body.url).searchParams.get('jwt') ?? ''
}
const tokenLogin = async (token: string, at = desk, browser = 'a browser') =>
  at.call('GET /a/v2/sessions', { as: `Bearer ${token}`, headers: { 'user-agent': browser } })

test('GAP-38 the link carries an opaque token and the merchant, and becomes a separate session, once', async () => {
  const { status, body } = await handOver(person.email.toUpperCase())
  expect(status).toBe(201)
  const url = new URL(body.url)
  expect([url.origin, url.pathname, [...url.searchParams.keys()]]).toEqual([desk.url, '/', ['jwt', 'tmk']])
  expect(url.searchParams.get('tmk')).toBe(shop.key)
  const token = url.searchParams.get('jwt') ?? ''
  expect(token).toMatch(/^[\w-]{32}$/)

  const session = await tokenLogin(token)
  expect([session.status, session.body.user.id]).toEqual([200, person.id])
  expect(session.body.token).not.toBe(token)
  const look = await desk.call('GET /c/v2/merchants/{tmk}', {
    as: `Bearer ${session.body.token}`,
    params: { tmk: shop.key },
  })
  expect(look.status).toBe(200)
  expect((await tokenLogin(token, desk, 'another')).status).toBe(401)
  await desk.call('POST /a/v2/logout', { as: `Bearer ${session.body.token}` })
  expect((await tokenLogin(token)).status).toBe(401)
  expect([(await tokenLogin(session.body.token)).status, (await tokenLogin(person.token)).status]).toEqual([
    401, 200,
  ])
})

test('GAP-38 of twenty that use one link at once, at two servers, one gets in', async () => {
  const token = await freshToken()
  const second = await desk.another()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      tokenLogin(token, index % 2 === 0 ? desk : second, `browser ${index}`),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(401)])
})

test('GAP-38 a token login that a proxy repeats, even at another server, finds the same session while the link lives', async () => {
  const token = await freshToken()
  const second = await desk.another()
  const answers = [
    ...(await Promise.all([tokenLogin(token), tokenLogin(token, second)])),
    await tokenLogin(token),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => decodeJwt(body.token).jti)).size).toBe(1)
  expect(await sessionsOf(person)).toBe(2)
  await desk.owner.query(
    `update one_time_tokens set expires_at = expires_at - interval '61 s' where user_id = $1`,
    [person.id],
  )
  expect((await tokenLogin(token)).status).toBe(401)
})

test('GAP-38 it lives for 60 seconds, and until the next one', async () => {
  const token = await freshToken()
  const { rows } = await desk.owner.query(
    `select extract(epoch from expires_at - created_at)::int as seconds, token_hash from one_time_tokens where user_id = $1`,
    [person.id],
  )
  expect(rows).toEqual([{ seconds: 60, token_hash: createHash('sha256').update(token).digest('base64url') }])
  await desk.owner.query(
    `update one_time_tokens set expires_at = expires_at - interval '61 s' where user_id = $1`,
    [person.id],
  )
  expect((await tokenLogin(token)).status).toBe(401)
  const earlier = await freshToken()
  const later = await freshToken()
  expect([(await tokenLogin(earlier)).status, (await tokenLogin(later)).status]).toEqual([401, 200])
})

test('GAP-38 G19 every other call of the contract refuses it, without spending it', async () => {
  const token = await freshToken()
  for (const { call } of endpoints.filter(
    ({ call: line, access }) =>
      line !== 'GET /a/v2/sessions' && !['public', 'provider', 'signed-link'].includes(access),
  )) {
    const [method = '', path = ''] = call.split(' ')
    const address = path
      .replace('{tmk}', shop.key)
      .replace('{id}', path.startsWith('/a/') ? person.id : '1')
      .replaceAll(/\{\w+\}/g, 'x')
    const answer = await desk.send(method, address, {
      as: `Bearer ${token}`,
      ...(method === 'GET' ? {} : { body: {} }),
    })
    expect([call, answer.status]).toEqual([call, 401])
  }
  for (const as of [`Basic ${token}`, token])
    expect((await desk.call('GET /a/v2/sessions', { as })).status).toBe(401)
  expect((await desk.send('GET', `/a/v2/sessions?jwt=${token}`)).status).toBe(401)
  const head = await fetch(new URL('/a/v2/sessions', desk.url), {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(head.status).toBe(401)
  expect((await tokenLogin(token)).status).toBe(200)
})

test('GAP-38 AUTH-018 a session’s own token keeps working at the token login', async () => {
  expect((await tokenLogin(person.token)).status).toBe(200)
  expect((await tokenLogin(person.token)).status).toBe(200)
})

test('a link that sets a password signs nobody in', async () => {
  await desk.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email: person.email },
  })
  const { body } = await desk.call('GET /demo/outbox.json')
  const token = body.items[0]?.links[0]?.split('/').at(-1) ?? ''
  expect(token).toMatch(/^[\w-]{32}$/)
  expect((await tokenLogin(token)).status).toBe(401)
})

test('GAP-38 only for a user of that merchant; another merchant’s user looks like an unknown one', async () => {
  const other = await desk.openShop()
  const nobody = await desk.addPerson(null, undefined)
  const answers = [
    await handOver('nobody'),
    await handOver(other.member.id),
    await handOver(person.id, other.key),
    await handOver(person.id, 'no-such-shop'),
    await handOver(nobody.id),
  ]
  expect(new Set(answers.map((answer) => `${answer.status} ${textOf(answer)}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(404)
})

test('a link of a person whose access was revoked meanwhile leads nowhere', async () => {
  const token = await freshToken()
  await desk.call('POST /a/v2/users/{id}/data', {
    as: shop.owner,
    params: { id: person.id },
    body: { authorized_merchant: null },
  })
  expect((await tokenLogin(token)).status).toBe(401)
})

const redeem = async (token: string, { merchant = shop.key, attempt = '', at = desk } = {}) =>
  at.call('POST /a/v2/sessions/handover', {
    body: { token, merchant, ...(attempt !== '' && { attempt }) },
  })
const look = async (token: string) =>
  (
    await desk.call('GET /c/v2/merchants/{tmk}', {
      as: `Bearer ${token}`,
      params: { tmk: shop.key },
    })
  ).status
const sessionsOf = async ({ id }: Person) =>
  (
    await desk.owner.query<{ n: number }>(
      'select count(*)::int as n from sessions where user_id = $1 and ended_at is null',
      [id],
    )
  ).rows[0]?.n

test('GAP-38 the call that redeems a link returns a session of its user once, and then says that it was used', async () => {
  const token = await freshToken()
  const session = await redeem(token)
  expect([session.status, session.body.user.id]).toEqual([200, person.id])
  expect(await look(session.body.token)).toBe(200)
  const again = await redeem(token)
  expect([again.status, again.refusal.code]).toEqual([400, 'handover_used'])
  expect(again.refusal.message).toBe('This sign-in link was used already. Each link works once.')
  expect([await look(session.body.token), await look(person.token)]).toEqual([200, 200])
  expect((await tokenLogin(token)).status).toBe(401)
})

test('GAP-38 the call that redeems a link says so too after the token login has used it', async () => {
  const token = await freshToken()
  expect((await tokenLogin(token)).status).toBe(200)
  expect((await redeem(token)).refusal.code).toBe('handover_used')
})

test('GAP-38 the call that redeems a link refuses the token of a session, other links and everything else', async () => {
  await desk.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email: person.email },
  })
  const { body } = await desk.call('GET /demo/outbox.json')
  const mailed = body.items[0]?.links[0]?.split('/').at(-1) ?? ''
  const before = await sessionsOf(person)
  for (const token of [person.token, shop.owner.token, mailed, '', 'x', `${await freshToken()}x`, person.id])
    expect([token, (await redeem(token)).refusal.code]).toEqual([token, 'bad_handover'])
  expect(await sessionsOf(person)).toBe(before)
})

test('GAP-38 a link with another merchant’s key is refused, and not spent', async () => {
  const token = await freshToken()
  const other = await desk.openShop()
  for (const merchant of [other.key, 'no-such-shop', '', shop.key.toUpperCase()])
    expect([merchant, (await redeem(token, { merchant })).refusal.code]).toEqual([merchant, 'bad_handover'])
  expect((await redeem(token)).status).toBe(200)
})

test('GAP-38 an expired link gets another answer than one that a newer link replaced', async () => {
  const earlier = await freshToken()
  const token = await freshToken()
  await desk.owner.query(
    `update one_time_tokens set expires_at = expires_at - interval '61 s' where user_id = $1`,
    [person.id],
  )
  expect((await redeem(token)).refusal.code).toBe('handover_expired')
  expect((await redeem(earlier)).refusal.code).toBe('bad_handover')
})

test('GAP-38 of twenty that redeem one link at once, at two servers, one gets in', async () => {
  const token = await freshToken()
  const second = await desk.another()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => redeem(token, { at: index % 2 === 0 ? desk : second })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(400)])
  const refused = answers.filter(({ status }) => status === 400)
  expect(new Set(refused.map(({ refusal }) => refusal.code))).toEqual(new Set(['handover_used']))
  expect(await sessionsOf(person)).toBe(2)
})

test('GAP-38 the browser whose answer was lost gets the same session again, and no other browser does', async () => {
  const token = await freshToken()
  const attempt = 'a-text-that-only-this-browser-knows'
  const answers = await Promise.all([redeem(token, { attempt }), redeem(token, { attempt })])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const ids = answers.map(({ body }) => decodeJwt(body.token).jti)
  expect(new Set(ids).size).toBe(1)
  expect(await sessionsOf(person)).toBe(2)
  expect(await look(answers[1]?.body.token ?? '')).toBe(200)
  for (const other of ['another-text-of-another-browser', ''])
    expect([other, (await redeem(token, { attempt: other })).refusal.code]).toEqual([other, 'handover_used'])

  await desk.call('POST /a/v2/logout', { as: `Bearer ${answers[0]?.body.token ?? ''}` })
  expect((await redeem(token, { attempt })).refusal.code).toBe('handover_used')
})

test('GAP-38 that answer is repeated only while the link lives', async () => {
  const token = await freshToken()
  const attempt = 'a-text-that-only-this-browser-knows'
  expect((await redeem(token, { attempt })).status).toBe(200)
  await desk.owner.query(
    `update one_time_tokens set expires_at = expires_at - interval '61 s' where user_id = $1`,
    [person.id],
  )
  expect((await redeem(token, { attempt })).refusal.code).toBe('handover_used')
})

test('a guessable attempt is refused at the field, and spends nothing', async () => {
  const token = await freshToken()
  const answer = await redeem(token, { attempt: 'short' })
  expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, ['attempt']])
  expect((await redeem(token)).status).toBe(200)
})

test('a link opens nothing once access was revoked, even when both come at once', async () => {
  const revoke = async () =>
    desk.call('POST /a/v2/users/{id}/data', {
      as: shop.owner,
      params: { id: person.id },
      body: { authorized_merchant: null },
    })
  const token = await freshToken()
  await revoke()
  expect((await redeem(token)).refusal.code).toBe('bad_handover')
  for (let round = 0; round < 8; round++) {
    person = await desk.addPerson(shop.key, 'merch.user')
    const next = await freshToken()
    const [opened] = await Promise.all([redeem(next), revoke()])
    expect([400, 200]).toContain(opened.status)
    expect([round, await sessionsOf(person)]).toEqual([round, 0])
  }
})
