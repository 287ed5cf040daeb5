import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, marketplaceCredential, openDesk, type Desk } from '../../test/desk.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { mailedToken } from '../../test/providers/mailbox.ts'
import { anOrder } from '../../test/orders.ts'
import { createMerchant, createUser, setOnboarded, setPassword, type NewMerchant } from './public.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

const password = 'a long enough one'

function aMerchant(key: string): NewMerchant {
  return {
    key,
    name: "Zoë's Cellar",
    email: 'zoe@example.com',
    phone: '(312) 555-0123',
    timezone: 'America/Chicago',
    address: { street_1: '1 Lake St', street_2: null, city: 'Chicago', state: 'IL', zipcode: '60601' },
    owner: { email: `Owner@${key}.example.com`, firstName: 'Zoë', lastName: 'Ek', password },
  }
}

function signIn(email: string, secret = password) {
  return desk.call('POST /a/v2/sessions', { as: applicationCredential, body: { email, password: secret } })
}

test('GAP-42 GAP-153 a new merchant has an owner who signs in, and takes orders once its payments are set up', async () => {
  await createMerchant(desk.app.db, aMerchant('zoe'))
  const { status, body } = await signIn('owner@zoe.example.com')
  expect(status).toBe(201)
  expect(body.user.roles).toEqual([{ name: 'merch.owner', label: 'Owner' }])
  expect(body.user.aux_data.authorized_merchant).toBe('zoe')
  const merchant = await desk.call('GET /c/v2/merchants/{tmk}', {
    as: `Bearer ${body.token}`,
    params: { tmk: 'zoe' },
  })
  expect(merchant.body).toMatchObject({
    name: "Zoë's Cellar",
    timezone: 'America/Chicago',
    paymentSetUp: false,
  })

  const send = () =>
    desk.call('POST /marketplace/v1/orders', { as: marketplaceCredential, body: anOrder('zoe') })
  expect((await send()).refusal.code).toBe('merchant_not_onboarded')
  await setOnboarded(desk.app.db, { merchantKey: 'zoe', isOnboarded: true })
  expect((await send()).status).toBe(201)
})

test('a merchant and its owner are made together or not at all', async () => {
  const { db } = desk.app
  await createMerchant(db, aMerchant('first'))
  await expect(createMerchant(db, aMerchant('first'))).rejects.toMatchObject({ code: 'validation_failed' })
  const sameOwner = { ...aMerchant('second'), owner: { ...aMerchant('first').owner } }
  await expect(createMerchant(db, sameOwner)).rejects.toMatchObject({ code: 'email_exists' })
  const { rows } = await desk.owner.query("select 1 from merchants where merchant_id = 'second'")
  expect(rows).toEqual([])
})

test('every wrong field is named', async () => {
  const wrong: NewMerchant = {
    ...aMerchant('not a key'),
    timezone: 'Mars/Olympus',
    email: 'no',
    phone: '123',
    owner: { email: '', firstName: ' ', lastName: 'x', password: 'short' },
  }
  await expect(createMerchant(desk.app.db, wrong)).rejects.toMatchObject({
    details: {
      errors: {
        key: expect.any(String),
        timezone: expect.any(String),
        email: expect.any(String),
        phone: expect.any(String),
        "owner's email": expect.any(String),
        "owner's first name": expect.any(String),
        "owner's password": expect.any(String),
      },
    },
  })
})

test('users are a merchant’s staff with a role, or belong to none', async () => {
  const { db } = desk.app
  await createMerchant(db, aMerchant('staffed'))
  const user = { email: 'm@staffed.example.com', firstName: 'M', lastName: 'N', password }
  await createUser(db, { ...user, merchantKey: 'staffed', role: 'merch.manager' })
  expect((await signIn('m@staffed.example.com')).body.user.roles[0]?.label).toBe('Manager')
  await createUser(db, { ...user, email: 'alone@example.com' })
  expect((await signIn('alone@example.com')).body.user.aux_data.authorized_merchant).toBeNull()

  const again = { ...user, email: 'again@example.com' }
  for (const refused of [
    { ...again, role: 'merch.owner' },
    { ...again, merchantKey: 'staffed' },
    { ...again, merchantKey: 'staffed', role: 'admin' },
    { ...again, merchantKey: 'no-such', role: 'merch.user' },
    { ...again, email: 'M@STAFFED.example.com' },
  ])
    await expect(createUser(db, refused)).rejects.toThrow()
})

test('another password ends every session of the old one, and every mailed link', async () => {
  const { db } = desk.app
  await createUser(db, { email: 'p@example.com', firstName: 'P', lastName: 'Q', password })
  const { token } = (await signIn('p@example.com')).body
  const resume = () => desk.call('GET /a/v2/sessions', { as: `Bearer ${token}` })
  expect((await resume()).status).toBe(200)
  await desk.call('POST /a/v2/accounts/password_token', {
    as: applicationCredential,
    body: { email: 'p@example.com' },
  })
  const reset_token = await mailedToken(desk, 'p@example.com')
  expect(await setPassword(db, { email: 'P@example.com', password: 'quite another one' })).toEqual({
    endedSessions: 1,
  })
  expect((await resume()).status).toBe(401)
  const followed = await desk.call('POST /a/v2/accounts/password', {
    as: applicationCredential,
    body: { reset_token, new_password: 'by the earlier link' },
  })
  expect([followed.status, followed.refusal.code]).toEqual([400, 'bad_reset_token'])
  expect((await signIn('p@example.com')).status).toBe(401)
  expect((await signIn('p@example.com', 'quite another one')).status).toBe(201)
  await expect(setPassword(db, { email: 'p@example.com', password: 'short' })).rejects.toThrow()
  await expect(setPassword(db, { email: 'who@example.com', password })).rejects.toThrow()
})

test('another password wins over a sign-in under way with the old one', async () => {
  const { db } = desk.app
  const email = 'late@example.com'
  const userId = await createUser(db, { email, firstName: 'L', lastName: 'M', password })
  await signIn(email, 'not the password')
  // The server counts a try after it has read the record and before it hashes the password.
  const held = await holdRows(desk, `select 1 from rate_limits where limit_key like 'sign-in%' for update`)
  const late = signIn(email)
  await held.waiting(1)
  await setPassword(db, { email, password: 'quite another one' })
  await held.release()
  const answer = await late
  expect([answer.status, answer.refusal.code]).toEqual([401, 'bad_credentials'])
  const { rows } = await desk.owner.query('select 1 from sessions where user_id = $1', [userId])
  expect(rows).toEqual([])
})
