import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../test/desk.ts'
import { listen } from '../../test/event-reader.ts'
import { saidBy } from '../../test/refusals.ts'

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

const signIn = async (body: unknown, at = desk) =>
  at.call('POST /a/v2/sessions', { as: applicationCredential, body })
const guess = async (email = person.email, at = desk) => signIn({ email, password: 'not-the-password' }, at)
const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted()
const times = <T>(n: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, index) => work(index)))

test('API-010 AUTH-001 AUTH-003 ENT-001 ENT-002 ENT-003 TEAM-012 GAP-53 signing in returns a token and its user, without the password', async () => {
  const { status, body, text } = await signIn({ email: ` ${person.email.toUpperCase()} `.trim(), password })
  expect(status).toBe(201)
  const role = { name: 'merch.user', label: 'Member' }
  expect(body.user).toMatchObject({
    id: person.id,
    uuid: person.id,
    email: person.email,
    roles: [role],
    userRoles: [role],
    aux_data: { authorized_merchant: shop.key },
  })
  expect(text).not.toContain('argon2')
  expect(Object.keys(body.user)).not.toContain('password')
  expect(
    (await desk.call('GET /c/v2/merchants/{tmk}', { as: `Bearer ${body.token}`, params: { tmk: shop.key } }))
      .status,
  ).toBe(200)
})

test('GAP-39 GAP-40 a wrong password and an unknown e-mail are the same refusal', async () => {
  const answers = [await guess(), await guess('nobody@example.com')]
  for (const answer of answers)
    expect([answer.status, saidBy(answer)]).toEqual([
      401,
      { message: 'The email or password you entered is incorrect.', code: 'bad_credentials' },
    ])
})

test.each([
  [
    'VALID-001',
    { email: '', password: '' },
    { email: 'Please enter your email', password: 'Please enter your password' },
  ],
  ['VALID-002', { email: 'nobody', password: 'x' }, { email: 'Please enter a valid email address' }],
  ['VALID-001', { email: 'a@b.co' }, { password: 'Please enter your password' }],
  ['GAP-39', {}, { email: 'Please enter your email', password: 'Please enter your password' }],
  [
    'GAP-39',
    { email: 'a@b.co', password: 'x', remember: true },
    { remember: 'This field is not known here; please leave it out' },
  ],
  ['GAP-39', { email: ['a@b.co'], password: 'x' }, { email: 'Must be of type string' }],
])('VALID-001 VALID-002 what is missing or wrong is said per field (%s)', async (_id, body, errors) => {
  const answer = await signIn(body)
  expect([answer.status, answer.refusal.code, answer.refusal.errors]).toEqual([
    400,
    'validation_failed',
    errors,
  ])
})

test('a password is the same in any spelling of its accents', async () => {
  const email = 'nfc@example.com'
  const { hashPassword } = await import('./public.ts')
  await desk.owner.query(
    `insert into users (user_id, email, email_key, first_name, last_name, password_hash) values ('u-nfc', $1, $1, 'N', 'F', $2)`,
    [email, await hashPassword('Caf\u00e9-au-lait')],
  )
  expect((await signIn({ email, password: 'Cafe\u0301-au-lait' })).status).toBe(201)
  expect((await signIn({ email, password: 'Cafe-au-lait' })).status).toBe(401)
})

describe('GAP-46 ten failures within 15 minutes block the sign-in', () => {
  test('for the right password too, for one e-mail only, and past a restart', async () => {
    for (let count = 0; count < 10; count++) expect((await guess()).status).toBe(401)
    const closed = await signIn({ email: person.email, password })
    expect([closed.status, closed.refusal.code, closed.refusal.message]).toEqual([
      429,
      'too_many_requests',
      'Too many attempts. Please try again later.',
    ])
    const seconds = Number(closed.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(15 * 60)
    const restarted = await desk.another()
    expect((await signIn({ email: person.email, password }, restarted)).status).toBe(429)
    expect((await signIn({ email: person.email.toUpperCase(), password })).status).toBe(429)
    expect((await signIn({ email: shop.owner.email, password })).status).toBe(201)
    // An open session stays open: a stranger's guesses lock nobody out.
    expect((await desk.call('GET /a/v2/sessions', { as: person })).status).toBe(200)
  })

  test('until the time is over', async () => {
    for (let count = 0; count < 11; count++) await guess()
    await desk.owner.query('update rate_limits set resets_at = now()')
    expect((await signIn({ email: person.email, password })).status).toBe(201)
  })

  test('a success before the tenth clears the count', async () => {
    for (let round = 0; round < 2; round++) {
      await times(9, () => guess())
      expect((await signIn({ email: person.email, password })).status).toBe(201)
    }
  })

  test('thirty guesses at once, at two servers, share the ten', async () => {
    const second = await desk.another()
    const answers = await times(30, (index) => guess(person.email, index % 2 === 0 ? desk : second))
    expect(statusesOf(answers)).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      ...Array.from({ length: 20 }, () => 429),
    ])
  })

  test('an unknown e-mail has the same limit', async () => {
    const answers = await times(12, () => guess('nobody-at-all@example.com'))
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  })
})

describe('sessions', () => {
  test('AUTH-018 GAP-03 a token login renews the token; the older one lives as long as the session', async () => {
    const { status, body } = await desk.call('GET /a/v2/sessions', { as: person })
    expect([status, body.user.id]).toEqual([200, person.id])
    for (const token of [body.token, person.token])
      expect((await desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })).status).toBe(200)
  })

  test('a session is renewed for thirty days at most', async () => {
    const body = async () => (await desk.call('GET /a/v2/sessions', { as: person })).body
    const age = async (days: number, hours: number) =>
      desk.owner.query(
        "update sessions set created_at = now() - make_interval(days => $2, hours => $3), expires_at = now() + interval '1 hour' where user_id = $1",
        [person.id, days, hours],
      )
    const hoursLeft = async () => {
      const { rows } = await desk.owner.query<{ hours: number }>(
        'select round(extract(epoch from expires_at - now()) / 3600)::int as hours from sessions where user_id = $1',
        [person.id],
      )
      return rows[0]?.hours
    }
    await age(20, 0)
    await body()
    expect(await hoursLeft()).toBe(12)
    await age(29, 19)
    const { token } = await body()
    expect(await hoursLeft()).toBe(5)
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number
    }
    expect(Math.round((exp - Date.now() / 1000) / 3600)).toBe(5)
    await age(30, 1)
    await body()
    expect((await desk.call('GET /a/v2/sessions', { as: person })).status).toBe(401)
  })

  test('API-009 GAP-43 signing out ends this session at the next request, and no other', async () => {
    const { body } = await signIn({ email: person.email, password })
    const renewed = await desk.call('GET /a/v2/sessions', { as: person })
    const out = await desk.call('POST /a/v2/logout', { as: person })
    expect([out.status, out.body]).toEqual([200, {}])
    for (const token of [person.token, renewed.body.token]) {
      const answer = await desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })
      expect([answer.status, answer.refusal.code]).toEqual([401, 'unauthorized'])
    }
    expect((await desk.call('POST /a/v2/logout', { as: person })).status).toBe(401)
    expect((await desk.call('GET /a/v2/sessions', { as: `Bearer ${body.token}` })).status).toBe(200)
  })

  test('GAP-43 a sign-out closes the session’s event stream, and leaves a colleague’s open', async () => {
    const mine = await listen(desk, { key: shop.key, as: person })
    const theirs = await listen(desk, { key: shop.key, as: shop.owner })
    await desk.call('POST /a/v2/logout', { as: person })
    await mine.ended
    const order = await desk.order(shop)
    await theirs.next(({ data }) => (data as { id?: string }).id === order.id)
    expect(mine.events.some(({ event }) => event === 'order.created')).toBe(false)
    await theirs.cut()
  })
})
