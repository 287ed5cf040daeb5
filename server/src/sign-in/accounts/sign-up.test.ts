import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationCredential, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { saidBy } from '../../../test/refusals.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const account = (changes: Record<string, unknown> = {}) => ({
  first_name: ' Ada ',
  last_name: 'Cole',
  email: `ada-${randomUUID()}@example.com`,
  password: 'ten letters',
  birthday: '2000-02-29',
  ...changes,
})
const signUp = async (body: unknown) => desk.call('POST /a/v2/users', { as: applicationCredential, body })
const signIn = async (email: string, password: string) =>
  desk.call('POST /a/v2/sessions', { as: applicationCredential, body: { email, password } })

test('API-004 GAP-31 GAP-41 GAP-47 GAP-51 ENT-001 ENT-002 ENT-003 GAP-53 an account can sign in at once, and belongs to no merchant', async () => {
  const wanted = account()
  const { status, body, text } = await signUp(wanted)
  expect(status).toBe(201)
  expect(body).toEqual({
    id: body.uuid,
    uuid: body.id,
    first_name: 'Ada',
    last_name: 'Cole',
    email: wanted.email,
    phone: null,
    phone_number: null,
    birthday: '2000-02-29',
    date_created: body.date_created,
    last_login: null,
    roles: [],
    userRoles: [],
    aux_data: { authorized_merchant: null },
  })
  expect(text).not.toContain(wanted.password)
  const { rows } = await desk.owner.query('select * from users where user_id = $1', [body.id])
  expect(rows[0]).toMatchObject({ terms_accepted_at: rows[0].created_at, merchant_id: null })
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$/)

  const session = await signIn(wanted.email, wanted.password)
  expect([session.status, session.body.user.aux_data.authorized_merchant]).toEqual([201, null])
  const as = `Bearer ${session.body.token}`
  const merchantless = [
    await desk.call('GET /c/v2/merchants/{tmk}', { as, params: { tmk: shop.key } }),
    await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', { as, params: { tmk: shop.key } }),
    await desk.call('GET /c/v2/offerings', { as }),
    await desk.call('POST /c/v2/merchants/{tmk}/users', { as, params: { tmk: shop.key }, body: {} }),
  ]
  for (const answer of merchantless) expect([answer.status, answer.refusal.code]).toEqual([403, 'forbidden'])
  const own = await desk.call('GET /a/v2/users/{id}/merchant', { as, params: { id: body.id } })
  expect(own.body).toEqual({ authorized_merchant: null, merchant: null })
})

test('a sign-up cannot make itself staff', async () => {
  for (const more of [
    { roles: ['merch.owner'] },
    { merchant_id: shop.key },
    { aux_data: { authorized_merchant: shop.key } },
  ]) {
    const answer = await signUp(account(more))
    expect([answer.status, Object.keys(answer.refusal.errors)]).toEqual([400, Object.keys(more)])
  }
})

describe('each field shows its own fault', () => {
  test.each([
    ['VALID-001', { first_name: '' }, { first_name: 'Please enter your first name' }],
    ['VALID-001', { last_name: ' \t ' }, { last_name: 'Please enter your last name' }],
    ['VALID-001', { email: '' }, { email: 'Please enter your email' }],
    ['VALID-001', { password: '' }, { password: 'Please enter your password' }],
    ['VALID-001 GAP-49', { birthday: '' }, { birthday: 'Please enter your birth date' }],
    ['VALID-001 GAP-49', { birthday: undefined }, { birthday: 'Please enter your birth date' }],
    ['VALID-001', { first_name: undefined }, { first_name: 'Please enter your first name' }],
    ['VALID-002', { email: 'ada@example' }, { email: 'Please enter a valid email address' }],
    ['VALID-002', { email: 'ada example@x.co' }, { email: 'Please enter a valid email address' }],
    ['VALID-002', { email: 'a@x.co\r\nBcc: b@x.co' }, { email: 'Please enter a valid email address' }],
    ['VALID-004', { password: '123456789' }, { password: 'Your password must have at least 10 characters' }],
    ['VALID-004', { password: '😀😀😀😀😀' }, { password: 'Your password must have at least 10 characters' }],
    ['VALID-006', { birthday: daysAgo(-1) }, { birthday: 'You must chose a valid birth date' }],
    ['VALID-006', { birthday: daysAgo(-400) }, { birthday: 'You must chose a valid birth date' }],
    ['VALID-007', { birthday: '2001-02-29' }, { birthday: 'You must choose a valid birth date' }],
    ['VALID-007', { birthday: '2000-13-01' }, { birthday: 'You must choose a valid birth date' }],
    ['VALID-007', { birthday: '29.2.2000' }, { birthday: 'You must choose a valid birth date' }],
  ])('%s %j', async (_id, change, errors) => {
    const answer = await signUp(account(change))
    expect([answer.status, answer.refusal.code, answer.refusal.errors]).toEqual([
      400,
      'validation_failed',
      errors,
    ])
  })

  test('VALID-006 two days ago is a valid birth date, and the legal age does not matter here (GAP-48)', async () => {
    expect((await signUp(account({ birthday: daysAgo(2) }))).status).toBe(201)
  })

  test('VALID-013 every wrong field is reported at once, each with its first problem', async () => {
    const answer = await signUp({ first_name: '', last_name: '', email: '', password: '', birthday: '' })
    expect(answer.refusal.errors).toEqual({
      first_name: 'Please enter your first name',
      last_name: 'Please enter your last name',
      email: 'Please enter your email',
      password: 'Please enter your password',
      birthday: 'Please enter your birth date',
    })
  })
})

test('ERR-003 AUTH-008 an e-mail that is taken, in any spelling, is a 409, even for two at once', async () => {
  const first = account()
  expect((await signUp(first)).status).toBe(201)
  for (const email of [first.email, first.email.toUpperCase(), ` ${first.email} `, shop.member.email]) {
    const answer = await signUp(account({ email }))
    expect([answer.status, saidBy(answer)]).toEqual([
      409,
      { message: 'The email entered already exists', code: 'email_exists' },
    ])
  }
  const same = account()
  const answers = await Promise.all(Array.from({ length: 6 }, () => signUp(same)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
})
