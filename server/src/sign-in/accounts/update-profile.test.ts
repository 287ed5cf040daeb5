import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  applicationCredential,
  openDesk,
  password,
  type Desk,
  type Person,
  type Shop,
} from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { saidBy } from '../../../test/refusals.ts'

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

const save = async (body: object, as = person) =>
  desk.call('POST /a/v2/users/{id}', { as, params: { id: as.id }, body })
const read = async () =>
  (await desk.call('GET /a/v2/users/{id}', { as: person, params: { id: person.id } })).body
const signIn = async (email: string, secret: string) =>
  (await desk.call('POST /a/v2/sessions', { as: applicationCredential, body: { email, password: secret } }))
    .status
const isSignedIn = async (token: string) =>
  (await desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })).status === 200
const wrong = { password: 'Your current password is incorrect' }

test('API-005 API-006 ENT-001 GAP-53 GAP-160 names and phone are saved without the password, and read back', async () => {
  const changes = { first_name: ' Ada ', last_name: 'Cole-Smith', phone_number: '(212) 555-0123' }
  const { status, body } = await save(changes)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    ...changes,
    first_name: 'Ada',
    phone: '(212) 555-0123',
    email: person.email,
    id: person.id,
    uuid: person.id,
  })
  expect(await read()).toEqual(body)
})

test('API-006 PROF-008 VALID-011 what is left out or empty stays as it is; a first name or an e-mail cannot be empty (PROF-002)', async () => {
  await save({ phone_number: '2125550123' })
  const before = await read()
  expect((await save({})).status).toBe(200)
  expect((await save({ last_name: '', phone_number: '', password: '', new_password: '' })).status).toBe(200)
  expect(await read()).toEqual(before)
  const answer = await save({ first_name: '', last_name: ' ', email: '' })
  expect([answer.status, answer.refusal.errors]).toEqual([
    400,
    {
      first_name: 'Please enter your first name',
      last_name: 'Please enter your last name',
      email: 'Please enter your email',
    },
  ])
  expect((await save({ phone_number: null })).body.phone_number).toBeNull()
  expect(await read()).toEqual({ ...before, phone: null, phone_number: null })
})

test.each([
  ['VALID-002', { email: 'ada@' }, { email: 'Please enter a valid email address' }],
  [
    'VALID-004 PROF-003',
    { new_password: '123456789' },
    { new_password: 'Your password must have at least 10 characters' },
  ],
  ['VALID-010', { phone_number: '12345' }, { phone_number: 'Please enter a valid phone number' }],
  ['VALID-010', { phone_number: '112-555-0123' }, { phone_number: 'Please enter a valid phone number' }],
  ['VALID-010', { phone_number: '+212 555 01234' }, { phone_number: 'Please enter a valid phone number' }],
  ['VALID-010', { phone_number: '+2125550123' }, { phone_number: 'Please enter a valid phone number' }],
  ['VALID-010', { phone_number: '+44 20 7946 0958' }, { phone_number: 'Please enter a valid phone number' }],
])('%s what is wrong is said at its field: %j', async (_id, changes, errors) => {
  const answer = await save({ password, ...changes })
  expect([answer.status, answer.refusal.code, answer.refusal.errors]).toEqual([
    400,
    'validation_failed',
    errors,
  ])
})

test.each([{ roles: ['merch.owner'] }, { id: 'x' }, { birthday: '1980-01-01' }, { date_created: 'x' }])(
  'nothing else can be saved: %j',
  async (changes) => {
    const before = await read()
    expect((await save(changes)).status).toBe(400)
    expect(await read()).toEqual(before)
  },
)

describe('GAP-40 GAP-160 the current password', () => {
  test('a wrong or missing one is named at its field and signs nobody out', async () => {
    for (const changes of [
      { new_password: 'another password' },
      { email: `new-${person.email}` },
      { password: 'not the password', new_password: 'another password' },
      { password: 'not the password', email: `new-${person.email}`, first_name: 'Eve' },
    ]) {
      const answer = await save(changes)
      expect([answer.status, answer.refusal.code, answer.refusal.errors]).toEqual([
        400,
        'validation_failed',
        wrong,
      ])
    }
    expect(await isSignedIn(person.token)).toBe(true)
    expect(await signIn(person.email, password)).toBe(201)
    expect((await read()).first_name).not.toBe('Eve')
  })

  test('is not required when only the e-mail’s case changes', async () => {
    const { status, body } = await save({ email: person.email.toUpperCase() })
    expect([status, body.email]).toEqual([200, person.email.toUpperCase()])
    expect(await signIn(person.email, password)).toBe(201)
  })

  test('GAP-46 cannot be guessed with a stolen session', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 13 }, () => save({ password: 'a guess', new_password: 'another password' })),
    )
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(400), 429, 429, 429])
    expect((await save({ password, new_password: 'another password' })).status).toBe(429)
    expect(await signIn(person.email, password)).toBe(201)
  })
})

test('API-006 the changed e-mail signs in from then on, and the session lives on', async () => {
  const email = `New-${person.email}`
  const { status, body } = await save({ email, password })
  expect([status, body.email]).toEqual([200, email])
  expect([await signIn(email.toLowerCase(), password), await signIn(person.email, password)]).toEqual([
    201, 401,
  ])
  expect(await isSignedIn(person.token)).toBe(true)
})

test('an e-mail that is taken is a 409, and no part of the save is stored', async () => {
  const before = await read()
  const answer = await save({ email: shop.owner.email.toUpperCase(), first_name: 'Eve', password })
  expect([answer.status, saidBy(answer)]).toEqual([
    409,
    {
      message: 'The email entered already exists',
      code: 'email_exists',
      errors: { email: 'The email entered already exists' },
    },
  ])
  expect(await read()).toEqual(before)
})

test('API-006 G20 GAP-43 a new password ends every session and open dashboard of that person, and no other', async () => {
  const { body } = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: person.email, password },
  })
  const mine = await listen(desk, { key: shop.key, as: person })
  const theirs = await listen(desk, { key: shop.key, as: shop.owner })
  expect((await save({ password, new_password: 'another password' })).status).toBe(200)
  expect([await isSignedIn(person.token), await isSignedIn(body.token)]).toEqual([false, false])
  expect([await signIn(person.email, password), await signIn(person.email, 'another password')]).toEqual([
    401, 201,
  ])
  await mine.ended
  const order = await desk.order(shop)
  await theirs.next(({ data }) => (data as { id?: string }).id === order.id)
  await theirs.cut()
})

test('API-012 GAP-08 the merchant for which a person may act', async () => {
  const answer = await desk.call('GET /a/v2/users/{id}/merchant', { as: person, params: { id: person.id } })
  expect(answer.body).toEqual({
    authorized_merchant: shop.key,
    merchant: { id: shop.key, name: `Shop ${shop.key}` },
  })
})

test('somebody else’s profile cannot be saved, with any role', async () => {
  for (const as of [shop.owner, shop.manager, person]) {
    const answer = await desk.call('POST /a/v2/users/{id}', {
      as,
      params: { id: shop.member.id },
      body: { first_name: 'Eve' },
    })
    expect([answer.status, answer.refusal.code]).toEqual([403, 'forbidden'])
  }
})
