import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

let desk: Desk
let shop: Shop
let other: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
})
afterAll(async () => desk.stop())

const invitation = (changes: Record<string, unknown> = {}) => ({
  email: `new-${randomUUID()}@example.com`,
  first_name: 'Ada',
  last_name: 'Cole',
  roles: ['merch.manager'],
  ...changes,
})
const invite = async (body: unknown, as: Person = shop.owner, tmk = shop.key) =>
  desk.call('POST /c/v2/merchants/{tmk}/users', { as, params: { tmk }, body })
const join = async (token: string) =>
  desk.call('POST /a/v2/accounts/invitation/acceptance', { body: { token } })
const signIn = async (email: string, secret: string) =>
  desk.call('POST /a/v2/sessions', { as: applicationCredential, body: { email, password: secret } })

test('GAP-05 TEAM-001 a new person joins, gets a mail, sets a password with it once, and works for the merchant', async () => {
  const wanted = invitation()
  const { status, body } = await invite(wanted)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    email: wanted.email,
    first_name: 'Ada',
    last_name: 'Cole',
    last_login: null,
    roles: [{ name: 'merch.manager', label: 'Manager' }],
    aux_data: { authorized_merchant: shop.key },
  })
  expect((await signIn(wanted.email, '')).status).toBe(400)
  expect((await signIn(wanted.email, password)).status).toBe(401)

  const mails = await mailsTo(desk, wanted.email)
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatchObject({ subject: `Shop ${shop.key} invites you` })
  const token = await mailedToken(desk, wanted.email)
  const { rows } = await desk.owner.query(
    'select extract(epoch from expires_at - created_at)::int / 86400 as days from one_time_tokens where user_id = $1',
    [body.id],
  )
  expect(rows).toEqual([{ days: 7 }])
  const set = async () =>
    desk.call('POST /a/v2/accounts/password', {
      as: applicationCredential,
      body: { new_password: 'chosen by Ada', reset_token: token },
    })
  expect([(await set()).status, (await set()).status]).toEqual([200, 400])
  const session = await signIn(wanted.email, 'chosen by Ada')
  const team = await desk.call('GET /c/v2/merchants/{tmk}/users', {
    as: `Bearer ${session.body.token}`,
    params: { tmk: shop.key },
  })
  expect(team.status).toBe(200)
})

test('GAP-51 a person who signed up with an address of somebody else loses the account to its mailbox when it is invited', async () => {
  const email = `victim-${randomUUID()}@example.com`
  const account = {
    first_name: 'Mallory',
    last_name: 'X',
    email,
    password: 'known to mallory',
    birthday: '1990-01-02',
  }
  await desk.call('POST /a/v2/users', { as: applicationCredential, body: account })
  const stolen = await signIn(email, 'known to mallory')
  expect(stolen.body.user.aux_data.authorized_merchant).toBeNull()
  await desk.call('POST /a/v2/accounts/password_token', { as: applicationCredential, body: { email } })
  const earlier = await mailedToken(desk, email)

  const { status, body } = await invite(invitation({ email, roles: ['merch.owner'] }))
  expect([status, body.id, body.first_name, body.birthday]).toEqual([201, stolen.body.user.id, 'Ada', null])
  const asMallory = await desk.call('GET /a/v2/sessions', { as: `Bearer ${stolen.body.token}` })
  expect([asMallory.status, (await signIn(email, 'known to mallory')).status]).toEqual([401, 401])
  const set = async (reset_token: string) =>
    desk.call('POST /a/v2/accounts/password', {
      as: applicationCredential,
      body: { new_password: 'chosen by Ada', reset_token },
    })
  expect((await set(earlier)).status).toBe(400)
  expect((await set(await mailedToken(desk, email))).status).toBe(200)
  const session = await signIn(email, 'chosen by Ada')
  expect(session.body.user.aux_data.authorized_merchant).toBe(shop.key)
})

test('GAP-51 GAP-41 a person who signed up and has followed a mailed link since keeps the account when invited, until the e-mail changes', async () => {
  const email = `proven-${randomUUID()}@example.com`
  const account = { first_name: 'Pia', last_name: 'P', email, password, birthday: '1990-01-02' }
  await desk.call('POST /a/v2/users', { as: applicationCredential, body: account })
  await desk.call('POST /a/v2/accounts/password_token', { as: applicationCredential, body: { email } })
  await desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { new_password: password, reset_token: await mailedToken(desk, email) },
  })
  const session = await signIn(email, password)
  expect((await invite(invitation({ email }))).status).toBe(201)
  expect((await join(await mailedToken(desk, email))).status).toBe(200)
  const look = await desk.call('GET /a/v2/sessions', { as: `Bearer ${session.body.token}` })
  expect([look.status, look.body.user.aux_data.authorized_merchant]).toEqual([200, shop.key])

  const { user, token } = session.body
  const as = `Bearer ${token}`
  await desk.call('POST /a/v2/users/{id}', {
    as,
    params: { id: user.id },
    body: { email: `someone-elses-${email}`, password },
  })
  await desk.call('POST /a/v2/users/{id}/data', {
    as: shop.owner,
    params: { id: user.id },
    body: { authorized_merchant: null },
  })
  expect((await invite(invitation({ email: `someone-elses-${email}` }))).status).toBe(201)
  expect((await signIn(`someone-elses-${email}`, password)).status).toBe(401)
})

test('GAP-05 a person whose access was revoked can be invited back', async () => {
  const person = await desk.addPerson(shop.key, 'merch.owner')
  await desk.call('POST /a/v2/users/{id}/data', {
    as: shop.owner,
    params: { id: person.id },
    body: { authorized_merchant: null },
  })
  expect((await invite(invitation({ email: person.email, roles: ['merch.user'] }))).status).toBe(201)
  expect((await join(await mailedToken(desk, person.email))).status).toBe(200)
  const { body } = await desk.call('GET /a/v2/users/{id}/roles', {
    as: shop.owner,
    params: { id: person.id },
  })
  expect(body.roles.map(({ name }) => name)).toEqual(['merch.user'])
})

describe('GAP-05 a person of a merchant', () => {
  test('is a 409, the same for this merchant as for another, and no mail leaves', async () => {
    for (const email of [shop.member.email, other.member.email.toUpperCase()]) {
      const answer = await invite(invitation({ email }))
      expect([answer.status, saidBy(answer)]).toEqual([
        409,
        {
          message: 'The email entered already exists',
          code: 'email_exists',
          errors: { email: 'The email entered already exists' },
        },
      ])
    }
    expect(await mailsTo(desk, other.member.email)).toEqual([])
    expect(await mailsTo(desk, shop.member.email)).toEqual([])
  })

  test('of two merchants that invite somebody new at once, one gets them, with one mail', async () => {
    for (let round = 0; round < 10; round++) {
      const { email } = invitation()
      const answers = await Promise.all([
        invite(invitation({ email }), shop.owner, shop.key),
        invite(invitation({ email }), other.owner, other.key),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
      expect(await mailsTo(desk, email)).toHaveLength(1)
    }
  })
})

test.each([
  [
    'VALID-001 VALID-013',
    { email: '', first_name: '', last_name: ' ' },
    {
      email: 'Please enter your email',
      first_name: 'Please enter your first name',
      last_name: 'Please enter your last name',
    },
  ],
  ['VALID-002', { email: 'nobody' }, { email: 'Please enter a valid email address' }],
  ['TEAM-005', { roles: [] }, { roles: 'Must have at least 1 entries' }],
  [
    'GAP-165',
    { roles: ['app.admin'] },
    { 'roles.0': 'Must be one of: merch.user, merch.manager, merch.owner' },
  ],
])('%s what is wrong is said at its field: %j', async (_id, changes, errors) => {
  const answer = await invite(invitation(changes))
  expect([answer.status, answer.refusal.errors]).toEqual([400, errors])
})

test('GAP-163 only owners invite, and only into their own merchant', async () => {
  for (const as of [shop.member, shop.manager, other.owner]) {
    const wanted = invitation()
    expect((await invite(wanted, as)).status).toBe(403)
    expect(await mailsTo(desk, wanted.email)).toEqual([])
  }
})

test('G25 a name with a line break cannot add a header or a link to the mail', async () => {
  const wanted = invitation({ first_name: 'Ada\r\nBcc: eve@example.com', last_name: '<a href=x>' })
  expect((await invite(wanted)).status).toBe(201)
  const [mail] = await mailsTo(desk, wanted.email)
  expect(mail?.subject).not.toContain('\n')
  expect(mail?.html).not.toContain('<a href=x>')
})
