import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketplaceCredential, openDesk, type Desk, type Shop } from '../../test/desk.ts'
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

const details = {
  name: '  Zoë’s Cellar ',
  email: 'zoe@example.com',
  primary_phone: '(212) 555-0123',
  address: {
    street_1: '1 Pier',
    street_2: 'N/A',
    street_3: null,
    city: 'New York',
    state: 'NY',
    zipcode: '10001-1234',
  },
}

function save(body: object, as = shop.manager, tmk = shop.key) {
  return desk.call('POST /c/v2/merchants/{tmk}', { as, params: { tmk }, body })
}
function saveContacts(body: object, as = shop.manager, tmk = shop.key) {
  return desk.call('POST /c/v2/merchants/{tmk}/data', { as, params: { tmk }, body })
}
function saveHours(regular_hours: object[], as = shop.manager, tmk = shop.key) {
  return desk.call('PUT /c/v2/merchants/{tmk}/hours', { as, params: { tmk }, body: { regular_hours } })
}
const readHours = (as = shop.member) =>
  desk.call('GET /c/v2/merchants/{tmk}/hours', { as, params: { tmk: shop.key } })

test('API-016 API-017 API-054 ENT-005 ENT-008 GAP-70 a manager saves the store’s details, and everybody of the shop reads them', async () => {
  const saved = await save(details)
  expect(saved.status).toBe(200)
  expect(saved.body).toMatchObject({ ...details, name: 'Zoë’s Cellar', paymentSetUp: true })
  for (const line of ['GET /c/v2/merchants/{tmk}', 'GET /m/v2/merchants/{tmk}'] as const) {
    const read = await desk.call(line, { as: shop.member, params: { tmk: shop.key } })
    expect(read.body).toEqual(saved.body)
  }
})

test('API-018 ENT-009 COMP-004 VALID-003 a separate call saves the contacts, and the second ones are optional', async () => {
  const contacts = {
    primary_contact_name: 'Zoë Ek',
    secondary_contact_name: 'Tom',
    secondary_email: 'tom@example.com',
    secondary_phone_number: '212 555 0124',
  }
  expect((await saveContacts(contacts)).body.aux_data).toEqual(contacts)
  const fewer = await saveContacts({ primary_contact_name: 'Zoë Ek', secondary_email: '' })
  expect(fewer.body.aux_data).toEqual({
    primary_contact_name: 'Zoë Ek',
    secondary_contact_name: null,
    secondary_email: null,
    secondary_phone_number: null,
  })
  const wrong = await saveContacts({ ...contacts, secondary_email: 'tom', secondary_phone_number: '123' })
  expect(wrong.refusal.errors).toEqual({
    secondary_email: 'Please enter a valid email address',
    secondary_phone_number: 'Please enter a valid phone number',
  })
})

test('COMP-002 COMP-003 VALID-001 VALID-012 a missing or malformed field is named, and nothing is saved', async () => {
  const empty = await save({
    name: ' ',
    email: '',
    primary_phone: '',
    address: { street_1: '', street_2: '', city: '', state: '', zipcode: '' },
  })
  expect(empty.status).toBe(400)
  expect(empty.refusal.errors).toEqual({
    name: 'Please enter your name',
    email: 'Please enter your email',
    primary_phone: 'Please enter your primary phone',
    'address.street_1': 'Please enter your street 1',
    'address.street_2': 'Please enter your street 2',
    'address.city': 'Please enter your city',
    'address.state': 'Please enter your state',
    'address.zipcode': 'Please enter your zipcode',
  })
  const wrong = await save({
    ...details,
    name: 'Never',
    email: 'no',
    primary_phone: '555',
    address: { ...details.address, zipcode: '1234' },
  })
  expect(wrong.refusal.errors).toEqual({
    email: 'Please enter a valid email address',
    primary_phone: 'Please enter a valid phone number',
    'address.zipcode': 'Please enter a valid zip',
  })
  const { body } = await desk.call('GET /c/v2/merchants/{tmk}', {
    as: shop.member,
    params: { tmk: shop.key },
  })
  expect(body.name).toBe('Zoë’s Cellar')
})

test('API-023 ENT-056 COMP-009 GAP-158 hours keep the week’s sequence; a day that is left out is closed', async () => {
  expect((await readHours()).body).toEqual({ regular_hours: [] })
  const monday = { weekday: 'monday', time_open: '09:00', time_close: '17:30' }
  const sunday = { weekday: 'sunday', time_open: '00:00', time_close: '23:59' }
  expect((await saveHours([sunday, monday])).body).toEqual({ regular_hours: [monday, sunday] })
  expect((await readHours()).body).toEqual({ regular_hours: [monday, sunday] })

  const backwards = await saveHours([{ ...monday, time_close: '09:00' }])
  expect(backwards.refusal.errors).toEqual({ monday: 'Must close later than it opens' })
  expect((await saveHours([monday, monday])).refusal.errors).toEqual({ monday: 'Must be named once' })
  for (const bad of ['24:00', '9:00', '09:60'])
    expect((await saveHours([{ ...monday, time_open: bad }])).status).toBe(400)
  expect((await readHours()).body).toEqual({ regular_hours: [monday, sunday] })
})

test('GAP-163 members and other merchants can change none of it', async () => {
  for (const [as, tmk] of [
    [shop.member, shop.key],
    [other.owner, shop.key],
  ] as const) {
    expect((await save(details, as, tmk)).status).toBe(403)
    expect((await saveContacts({ primary_contact_name: 'X' }, as, tmk)).status).toBe(403)
    expect((await saveHours([], as, tmk)).status).toBe(403)
  }
})

test('DELIV-009 a closed weekday is no business day for parcels, and the two hours on demand stay', async () => {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  const time = { time_open: '09:00', time_close: '17:00' }
  await saveHours(days.filter((day) => day !== 'monday').map((weekday) => ({ weekday, ...time })))
  const due = async (method: string, date_submitted: string) => {
    const { body } = await desk.call('POST /marketplace/v1/orders', {
      as: marketplaceCredential,
      body: anOrder(shop.key, { delivery: { method }, date_submitted }),
    })
    const { rows } = await desk.owner.query<{ deadline_at: Date }>(
      'select deadline_at from orders where order_id = $1',
      [body.id],
    )
    return rows[0]?.deadline_at.toISOString()
  }
  expect(await due('shipped', '2026-11-13T18:00:00.000Z')).toBe('2026-11-17T18:00:00.000Z')
  expect(await due('on_demand', '2026-11-16T03:00:00.000Z')).toBe('2026-11-16T05:00:00.000Z')
})
