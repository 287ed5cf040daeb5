import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationCredential, marketplaceCredential, openDesk, type Desk } from '../../test/desk.ts'
import { anOrder } from '../../test/orders.ts'
import { createMerchant, setOnboarded, type NewMerchant } from './public.ts'

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
