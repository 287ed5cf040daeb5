import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { holdRows } from '../../test/database/held-rows.ts'
import { anOrder } from '../../test/orders.ts'

let desk: Desk
let shop: Shop
let other: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
  other = await desk.openShop()
})
afterAll(() => desk.stop())

const address = { region: 'NY', postal_code: '10001', street_address: '1 Pier', locality: 'New York' }
const form = {
  individual: {
    first_name: 'Zoë',
    last_name: 'Ek',
    phone: '(212) 555-0123',
    date_of_birth: '1980-02-29',
    email: 'zoe@example.com',
    address,
  },
  funding: { descriptor: 'ZOES CELLAR', routing_number: '021000021', account_number: '000123456789' },
  business: { legal_name: 'Zoë Ek LLC', dba_name: 'Zoë’s Cellar', tax_id: '12-3456789', address },
}

const save = (body: unknown, as = shop.owner, tmk = shop.key) =>
  desk.call('POST /c/v2/merchants/{tmk}/payments', { as, params: { tmk }, body })
const read = (as = shop.owner, tmk = shop.key) =>
  desk.call('GET /c/v2/merchants/{tmk}/payments', { as, params: { tmk } })

test('API-021 GAP-149 ENT-051 before the first save the record is empty, and the older call finds none', async () => {
  const { status, body } = await read()
  expect(status).toBe(200)
  expect(body.tos_accepted).toBe(false)
  expect(body.individual.first_name).toBeNull()
  const legacy = await desk.call('GET /m/v2/payments/submerchant/{tmk}', {
    as: shop.owner,
    params: { tmk: shop.key },
  })
  expect(legacy.status).toBe(404)
})

test('API-022 API-053 BILL-002 BILL-013 BILL-014 ENT-052 ENT-053 ENT-054 GAP-10 GAP-150 the terms come first, then the form; the account number stays masked', async () => {
  const early = await save(form)
  expect([early.status, early.refusal.code]).toEqual([409, 'tos_required'])
  expect((await read()).body.individual.first_name).toBeNull()

  expect((await save({ tos_accepted: true })).body.tos_accepted).toBe(true)
  expect((await save({ tos_accepted: false })).body.tos_accepted).toBe(true)

  const saved = (await save(form)).body
  expect(saved.individual).toEqual(form.individual)
  expect(saved.business).toEqual({ ...form.business, tax_id: '123456789' })
  expect(saved.funding).toEqual({
    descriptor: 'ZOES CELLAR',
    routing_number: '021000021',
    account_number: '*****6789',
    account_number_last_4: '6789',
  })
  const legacy = await desk.call('GET /m/v2/payments/submerchant/{tmk}', {
    as: shop.owner,
    params: { tmk: shop.key },
  })
  expect(legacy.body).toMatchObject({
    tos_accepted: true,
    funding: { descriptor: 'ZOES CELLAR', account_number_last_4: '6789' },
  })

  // A masked or missing number keeps the stored one; another number replaces it.
  const { account_number: _left, ...funding } = form.funding
  expect((await save({ ...form, funding })).body.funding.account_number_last_4).toBe('6789')
  const masked = { ...funding, account_number: '*****6789' }
  expect((await save({ ...form, funding: masked })).body.funding.account_number_last_4).toBe('6789')
  const another = { ...funding, account_number: '99887766' }
  expect((await save({ ...form, funding: another })).body.funding.account_number).toBe('*****7766')
})

test('tax and account number are encrypted in the database, and only the server can open a shop’s secret', async () => {
  const { rows } = await desk.owner.query<{ row: string }>(
    `select row_to_json(b)::text as row from billing_records b union all
     select row_to_json(s)::text from merchant_secrets s where merchant_id = $1`,
    [shop.key],
  )
  expect(rows.length).toBe(3)
  const stored = rows.map(({ row }) => row).join()
  for (const secret of ['123456789', '12-3456789', '99887766', '000123456789'])
    expect(stored).not.toContain(secret)
})

test('BILL-008 BILL-009 BILL-010 BILL-011 BILL-012 VALID-002 a missing or wrong field is named by its path', async () => {
  const empty = await save({ individual: {} })
  expect(empty.status).toBe(400)
  expect(Object.keys(empty.refusal.errors)).toHaveLength(18)
  expect(empty.refusal.errors).toMatchObject({
    'individual.first_name': 'Please enter your first name',
    'business.tax_id': 'Please enter your EIN',
    'funding.routing_number': 'Please enter your routing number',
  })
  const wrong = await save({
    individual: {
      ...form.individual,
      phone: '123',
      email: 'zoe@',
      date_of_birth: '1981-02-29',
      address: { ...address, region: 'Ontario', postal_code: 'K1A' },
    },
    funding: { descriptor: 'x'.repeat(23), routing_number: '02100002', account_number: '12 34' },
    business: { ...form.business, tax_id: '12-345678' },
  })
  expect(wrong.refusal.errors).toEqual({
    'individual.phone': 'Please enter a valid phone number',
    'individual.email': 'Please enter a valid email address',
    'individual.date_of_birth': 'You must choose a valid birth date',
    'individual.address.region': 'Please choose a state',
    'individual.address.postal_code': 'Please enter a valid zip',
    'funding.descriptor': 'Please use at most 22 characters',
    'funding.routing_number': 'Please enter a valid routing number',
    'funding.account_number': 'Please enter a valid account number',
    'business.tax_id': 'Please enter a valid EIN',
  })
  for (const routing_number of ['12345678', '0210000211', '02100002a'])
    expect((await save({ ...form, funding: { ...form.funding, routing_number } })).refusal.errors).toEqual({
      'funding.routing_number': 'Please enter a valid routing number',
    })
  const doubtful = { ...form, funding: { ...form.funding, routing_number: '123456789' } }
  expect((await save(doubtful)).status).toBe(200)
})

test('GAP-163 billing is only for the merchant’s owners', async () => {
  for (const [as, tmk] of [
    [shop.manager, shop.key],
    [shop.member, shop.key],
    [other.owner, shop.key],
  ] as const) {
    expect((await read(as, tmk)).status).toBe(403)
    expect((await save({ tos_accepted: true }, as, tmk)).status).toBe(403)
    expect((await desk.call('GET /v1/merchant/{tmk}/stripe', { as, params: { tmk } })).status).toBe(403)
  }
  expect((await read(other.owner, other.key)).body.business.tax_id).toBeNull()
})

test('API-019 API-020 BILL-004 BILL-005 BILL-006 ENT-006 ENT-055 GAP-152 GAP-153 the sandbox’s decision leads on, and opens or closes the way for orders', async () => {
  const { rows } = await desk.owner.query(
    `update merchants set merchant_account_id = null, payment_set_up = false where merchant_id = $1 returning 1`,
    [other.key],
  )
  expect(rows).toHaveLength(1)
  const params = { tmk: other.key }
  const ask = async () => (await desk.call('GET /v1/merchant/{tmk}/stripe', { as: other.owner, params })).body
  const account = () => desk.call('GET /c/v2/merchants/{tmk}/payments/stripe', { as: other.member, params })
  const order = async () =>
    (
      await desk.call('POST /marketplace/v1/orders', {
        as: marketplaceCredential,
        body: anOrder(other.key),
      })
    ).status
  const isSetUp = async () =>
    (await desk.call('GET /c/v2/merchants/{tmk}', { as: other.member, params })).body.paymentSetUp
  const decide = async (address: string, outcome: string) => {
    const token = address.split('/').at(-1) ?? ''
    const page = await desk.call('GET /demo/payments/{token}', { params: { token } })
    expect(page.text).toContain('Payments sandbox')
    const done = await desk.send('GET', `/demo/payments/${token}/${outcome}`)
    expect([done.status, done.headers.get('location')]).toEqual([303, `${desk.url}/settings/billing`])
    expect((await desk.send('GET', `/demo/payments/${token}/active`)).status).toBe(404)
  }

  expect((await account()).refusal.code).toBe('not_onboarded')
  const first = await ask()
  expect(first.login_link).toBeNull()
  expect(first.onboarding_data?.url).toContain('/demo/payments/')
  expect((await account()).body.merchant_account_id).toBe(`acct_sandbox_${other.key}`)
  expect([await isSetUp(), await order()]).toEqual([false, 409])

  await decide(first.onboarding_data?.url ?? '', 'pending')
  expect([await isSetUp(), await order()]).toEqual([false, 409])
  const pending = await ask()
  expect([pending.onboarding_data, pending.login_link !== null]).toEqual([null, true])

  // Another person's screen requests its own link meanwhile.
  await ask()
  await decide(pending.login_link ?? '', 'active')
  expect([await isSetUp(), await order()]).toEqual([true, 201])
  const active = await ask()

  await decide(active.login_link ?? '', 'restricted')
  expect([await isSetUp(), await order()]).toEqual([false, 409])
  const restricted = await ask()
  expect([restricted.login_link, restricted.onboarding_data !== null]).toEqual([null, true])

  await decide(restricted.onboarding_data?.url ?? '', 'rejected')
  expect(await ask()).toEqual({ onboarding_data: null, login_link: null })
})

test('when two screens open payments at once, both continue with the stored account', async () => {
  const store = await desk.openShop()
  const params = { tmk: store.key }
  await desk.owner.query(
    'update merchants set merchant_account_id = null, payment_set_up = false where merchant_id = $1',
    [store.key],
  )
  const held = await holdRows(desk, 'select 1 from merchants where merchant_id = $1 for no key update', [
    store.key,
  ])
  const late = desk.call('GET /v1/merchant/{tmk}/stripe', { as: store.owner, params })
  await held.waiting(1)
  await held.query('update merchants set merchant_account_id = $2 where merchant_id = $1', [
    store.key,
    `acct_first_${store.key}`,
  ])
  await held.release()
  const token = (await late).body.onboarding_data?.url.split('/').at(-1)
  const { rows } = await desk.owner.query(
    'select account_id from sandbox_payment_accounts where link_token = $1',
    [token],
  )
  expect(rows).toEqual([{ account_id: `acct_first_${store.key}` }])
})
