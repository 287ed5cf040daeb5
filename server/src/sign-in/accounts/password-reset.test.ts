import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { mailedToken, mailsTo } from '../../../test/providers/mailbox.ts'
import { saidBy } from '../../../test/refusals.ts'

const newPassword = 'another password'
const failed = {
  message: 'There was a problem trying to update your password. Please try again',
  code: 'bad_reset_token',
}

let desk: Desk
let shop: Shop
let person: Person
beforeAll(async () => {
  desk = await openDesk({ TRUST_PROXY: '1' })
  shop = await desk.openShop()
})
beforeEach(async () => {
  await desk.owner.query('delete from rate_limits')
  person = await desk.addPerson(shop.key, 'merch.user')
})
afterAll(async () => desk.stop())

interface Asking {
  from?: string
  at?: Desk
}
const ask = async (email: string, { from = '192.0.2.1', at = desk }: Asking = {}) =>
  at.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email },
    headers: { 'x-forwarded-for': from },
  })
const reset = async (reset_token: string, new_password = newPassword) =>
  desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password, reset_token },
  })
const signIn = async (secret: string) =>
  (
    await desk.call('POST /a/v2/sessions', {
      as: applicationCredential,
      body: { email: person.email, password: secret },
    })
  ).status
const signInFrom = async (network: string) => {
  const { status } = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: person.email, password },
    headers: { 'x-forwarded-for': network },
  })
  expect(status).toBe(201)
}
async function freshToken(): Promise<string> {
  await ask(person.email)
  return mailedToken(desk, person.email)
}
const isSignedIn = async (someone: Person) =>
  (await desk.call('GET /a/v2/sessions', { as: someone })).status === 200

describe('requesting a link', () => {
  test('API-007 AUTH-009 mails a link to the page that sets a password, after one request', async () => {
    const { status, body } = await ask(` ${person.email.toUpperCase()}`)
    expect([status, body]).toEqual([200, {}])
    const mails = await mailsTo(desk, person.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toBe('Set a new password')
    expect(mails[0]?.links).toEqual([
      expect.stringMatching(new RegExp(`^${desk.url}/forgot/password-reset/[\\w-]{32}$`)),
    ])
  })

  test('ERR-004 GAP-45 an unknown e-mail is a 404 in the specification’s words', async () => {
    const answer = await ask('nobody@example.com')
    expect([answer.status, saidBy(answer)]).toEqual([
      404,
      {
        message: 'The email entered does not exists. Please review and try again.',
        code: 'email_unknown',
      },
    ])
    expect(await mailsTo(desk, 'nobody@example.com')).toEqual([])
  })

  test.each([
    ['VALID-001', '', 'Please enter your email'],
    ['VALID-002', 'nobody', 'Please enter a valid email address'],
  ])('%s what is wrong is said at the field', async (_id, email, message) => {
    const answer = await ask(email)
    expect([answer.status, answer.refusal.errors]).toEqual([400, { email: message }])
  })
})

describe('GAP-45 budgets per hour', () => {
  const many = async (count: number, one: (index: number) => Promise<{ status: number }>) =>
    (await Promise.all(Array.from({ length: count }, (_, index) => one(index))))
      .map(({ status }) => status)
      .toSorted()
  const statuses = (counts: Record<number, number>) =>
    Object.entries(counts).flatMap(([status, count]) => Array.from({ length: count }, () => Number(status)))

  test('five for an address from a network, at whichever server, known or not', async () => {
    const second = await desk.another()
    for (const email of [person.email, 'nobody@example.com']) {
      const answer = await many(9, (index) =>
        ask(index % 2 === 0 ? email : email.toUpperCase(), { at: index % 3 === 0 ? second : desk }),
      )
      expect(answer).toEqual(statuses({ [email === person.email ? 200 : 404]: 5, 429: 4 }))
    }
    const refused = await ask(person.email, { at: await desk.another() })
    expect([refused.status, refused.refusal.message]).toEqual([
      429,
      'Too many attempts. Please try again later.',
    ])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3000)
    expect(seconds).toBeLessThanOrEqual(3600)
    expect(await mailsTo(desk, person.email)).toHaveLength(5)
  })

  test('twenty from a network, at two servers together; known addresses are refused too', async () => {
    const second = await desk.another()
    const answers = await many(23, (index) =>
      ask(`nobody-${index}@example.com`, { at: index % 2 === 0 ? desk : second }),
    )
    expect(answers).toEqual(statuses({ 404: 20, 429: 3 }))
    expect((await ask(person.email)).status).toBe(429)
    expect((await ask(person.email, { from: '192.0.2.2' })).status).toBe(200)
  })

  test('the /64 of an IPv6 address counts as one network', async () => {
    await many(20, (index) => ask(`nobody-${index}@example.com`, { from: `2001:db8:0:7::${index}` }))
    expect((await ask(person.email, { from: '2001:db8:0:7:ffff:1:2:3' })).status).toBe(429)
    expect((await ask(person.email, { from: '2001:db8:0:8::1' })).status).toBe(200)
  })

  test('SEC-11 what strangers ask for closes nobody else’s way, and ends nobody else’s link', async () => {
    const [known, phone] = ['203.0.113.1', '203.0.113.77']
    await signInFrom(known)
    await ask(person.email, { from: known })
    const waiting = await mailedToken(desk, person.email)
    expect(await many(6, () => ask(person.email, { from: '198.51.100.1' }))).toEqual(
      statuses({ 200: 5, 429: 1 }),
    )
    expect((await ask(person.email, { from: phone })).status).toBe(200)
    expect((await reset(waiting)).status).toBe(200)
  })

  test('SEC-11 strangers from many networks fill no mailbox, and keep nobody from a link', async () => {
    const known = '203.0.113.1'
    await signInFrom(known)
    const answers = await many(30, (index) => ask(person.email, { from: `198.51.100.${index}` }))
    expect(answers).toEqual(statuses({ 200: 30 }))
    const mails = await mailsTo(desk, person.email)
    expect(mails).toHaveLength(20)
    // The first of those links lives as long as any, for anybody who has the mailbox.
    expect((await ask(person.email, { from: '203.0.113.77' })).status).toBe(200)
    expect(await mailsTo(desk, person.email)).toHaveLength(20)
    expect((await ask(person.email, { from: known })).status).toBe(200)
    expect(await mailsTo(desk, person.email)).toHaveLength(21)
    const oldest = mails.at(-1)?.links[0]?.split('/').at(-1) ?? ''
    expect((await reset(oldest)).status).toBe(200)
  })

  test('SEC-11 a stranger’s request leaves an invitation’s link good', async () => {
    const email = `invited-${person.id}@example.com`
    const invited = await desk.call('POST /c/v2/merchants/{tmk}/users', {
      as: shop.owner,
      params: { tmk: shop.key },
      body: { email, first_name: 'A', last_name: 'B', roles: ['merch.user'] },
    })
    expect(invited.status).toBe(201)
    const invitation = await mailedToken(desk, email)
    expect((await ask(email, { from: '198.51.100.1' })).status).toBe(200)
    expect((await reset(invitation)).status).toBe(200)
  })

  test('an hour later there is a new one', async () => {
    await many(6, () => ask(person.email))
    await desk.owner.query('update rate_limits set resets_at = now()')
    expect((await ask(person.email)).status).toBe(200)
  })
})

describe('setting a password with the link', () => {
  test('API-008 AUTH-013 GAP-44 works once, and then only the new password is right', async () => {
    const token = await freshToken()
    const answer = await reset(token)
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect([await signIn(newPassword), await signIn(password)]).toEqual([201, 401])
    const again = await reset(token, 'a third password')
    expect([again.status, saidBy(again)]).toEqual([400, failed])
    expect(await signIn('a third password')).toBe(401)
  })

  test('GAP-44 of ten at once, one sets it', async () => {
    const token = await freshToken()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reset(token, `a password ${index}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await signIn(`a password ${winner}`)).toBe(201)
  })

  test('G20 GAP-43 signs the person out everywhere, and nobody else', async () => {
    await reset(await freshToken())
    expect([await isSignedIn(person), await isSignedIn(shop.member)]).toEqual([false, true])
  })

  test('GAP-44 fails after 60 minutes', async () => {
    const token = await freshToken()
    const age = async (minutes: number) =>
      desk.owner.query(
        `update one_time_tokens set expires_at = expires_at - make_interval(mins => $2) where user_id = $1`,
        [person.id, minutes],
      )
    const { rows } = await desk.owner.query(
      'select extract(epoch from expires_at - created_at)::int as seconds from one_time_tokens where user_id = $1',
      [person.id],
    )
    expect(rows).toEqual([{ seconds: 3600 }])
    await age(60)
    expect(saidBy(await reset(token))).toEqual(failed)
    await age(-1)
    expect((await reset(token)).status).toBe(200)
  })

  test('AUTH-012 GAP-44 fails once another link was sent, even with several requests at once', async () => {
    const first = await freshToken()
    const second = await freshToken()
    expect(saidBy(await reset(first))).toEqual(failed)
    await Promise.all([1, 2, 3].map(() => ask(person.email)))
    const { rows } = await desk.owner.query(
      'select count(*)::int as open from one_time_tokens where user_id = $1 and used_at is null',
      [person.id],
    )
    expect(rows).toEqual([{ open: 1 }])
    expect((await reset(second)).status).toBe(400)
    expect(await isSignedIn(person)).toBe(true)
  })

  test('ERR-005 ERR-006 an invented link, or one of another kind, is refused in the specification’s words', async () => {
    const handOver = await desk.call('POST /marketplace/v1/handover', {
      as: `Basic ${Buffer.from(desk.config.marketplaceCredential).toString('base64')}`,
      body: { user: person.id, merchant: shop.key },
    })
    const jwt = new URL(handOver.body.url).searchParams.get('jwt') ?? ''
    for (const token of ['', 'x', 'null', person.token, person.id, jwt, `${await freshToken()}x`]) {
      const answer = await reset(token)
      expect([answer.status, saidBy(answer)]).toEqual([400, failed])
    }
    expect(await signIn(password)).toBe(201)
  })

  test.each([
    ['VALID-001', '', 'Please enter your new password'],
    ['VALID-004', '123456789', 'Your password must have at least 10 characters'],
  ])(
    '%s an invalid password is named at the field, and the link still works',
    async (...[, bad, message]) => {
      const token = await freshToken()
      const answer = await reset(token, bad)
      expect([answer.status, answer.refusal.errors]).toEqual([400, { new_password: message }])
      expect((await reset(token)).status).toBe(200)
    },
  )

  test('a link waiting in the old mailbox ends with the e-mail, and with the password', async () => {
    const someone = person
    const save = async (body: object) =>
      desk.call('POST /a/v2/users/{id}', {
        as: someone,
        params: { id: someone.id },
        body: { password, ...body },
      })
    const first = await freshToken()
    await save({ email: `new-${someone.email}` })
    expect(saidBy(await reset(first))).toEqual(failed)
    person = { ...someone, email: `new-${someone.email}` }
    const second = await freshToken()
    await save({ new_password: 'from the profile' })
    expect(saidBy(await reset(second))).toEqual(failed)
  })
})

describe('SEC-14 whoever’s password is changed is told by mail', () => {
  const told = async (email: string) => (await mailsTo(desk, email)).map(({ subject }) => subject)

  test('by a mailed link', async () => {
    await reset(await freshToken())
    expect(await told(person.email)).toEqual(['Your password was changed', 'Set a new password'])
  })

  test('in the profile, and of a new e-mail the old address is told', async () => {
    const save = async (body: object) =>
      desk.call('POST /a/v2/users/{id}', { as: person, params: { id: person.id }, body })
    await save({ first_name: 'Ada', phone_number: '+12125550142' })
    expect(await told(person.email)).toEqual([])
    const next = `new-${person.email}`
    expect((await save({ email: next, password })).status).toBe(200)
    expect([await told(person.email), await told(next)]).toEqual([['Your e-mail was changed'], []])
    expect((await save({ password, new_password: newPassword })).status).toBe(200)
    expect(await told(next)).toEqual(['Your password was changed'])
  })

  test('but not of the first one, which an invitation’s link sets', async () => {
    const email = `first-${person.id}@example.com`
    await desk.call('POST /c/v2/merchants/{tmk}/users', {
      as: shop.owner,
      params: { tmk: shop.key },
      body: { email, first_name: 'A', last_name: 'B', roles: ['merch.user'] },
    })
    await reset(await mailedToken(desk, email))
    expect(await told(email)).toHaveLength(1)
  })
})

test('SEC-11 after a new password by mail, guesses from elsewhere do not close the network that set it', async () => {
  const phone = '203.0.113.77'
  const tryFrom = async (from: string, secret: string) =>
    (
      await desk.call('POST /a/v2/sessions', {
        as: applicationCredential,
        body: { email: person.email, password: secret },
        headers: { 'x-forwarded-for': from },
      })
    ).status
  await ask(person.email, { from: phone })
  const set = await desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password: newPassword, reset_token: await mailedToken(desk, person.email) },
    headers: { 'x-forwarded-for': phone },
  })
  expect(set.status).toBe(200)
  const guessed = []
  for (let index = 0; index < 11; index++) guessed.push(await tryFrom(`198.51.100.${index}`, 'a guess'))
  expect(guessed).toEqual([...Array<number>(10).fill(401), 429])
  expect([await tryFrom('192.0.2.200', newPassword), await tryFrom(phone, newPassword)]).toEqual([429, 201])
})

test('G21 what is stored does not hold the link: the token only hashed, the mail sealed', async () => {
  const token = await freshToken()
  const { rows } = await desk.owner.query('select token_hash from one_time_tokens where user_id = $1', [
    person.id,
  ])
  expect(rows).toEqual([{ token_hash: createHash('sha256').update(token).digest('base64url') }])
  const { rows: tables } = await desk.owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of tables) {
    const { rows: found } = await desk.owner.query(
      `select 1 from ${name} t where t::text like '%' || $1 || '%'`,
      [token],
    )
    expect([name, found]).toEqual([name, []])
  }
})
