import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type Person, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { dutiesAt } from '../../../test/duties-desk.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { silentCheckStreet } from './courier-sentinels.ts'

let desk: TurnableDesk
beforeAll(async () => {
  desk = await openTurnableDesk({ COURIER_SANDBOX_PACE: '1000' })
})
afterAll(async () => desk.stop())
const { decide } = dutiesAt(() => desk)

const agreement = 'Alcohol addendum of 2026-10-01, section 4'

const rely = async (shop: Shop, wish: object = {}, { as = shop.owner as Person, service = 'sandbox' } = {}) =>
  desk.call('PUT /m/v2/merchant/{tmk}/courier_checks/{service}', {
    as,
    params: { tmk: shop.key, service },
    body: { is_relied_on: true, reason: agreement, ...wish },
  })
const list = async (shop: Shop, as: Person = shop.member) =>
  (await desk.call('GET /m/v2/merchant/{tmk}/courier_checks', { as, params: { tmk: shop.key } })).body
const read = async (shop: Shop, id: string) =>
  (await desk.call('GET /m/v2/orders/{id}', { as: shop.owner, params: { id } })).body

/** Brought by a courier whose service says nothing of the ID check, and its proof has come. */
async function brought(shop: Shop, state = 'NY'): Promise<string> {
  const order = await orderIn(desk, shop, {
    status: 'MERCHANT_ACCEPTED',
    method: 'on_demand',
    courier_estimate_id: 'est-1',
    recipient: {
      first_name: 'Dee',
      last_name: 'Nakamura',
      street_1: silentCheckStreet,
      city: 'Town',
      state,
      zipcode: '23219',
    },
  })
  const asked = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
  expect(asked.status).toBe(200)
  await desk.later(async () => expect((await read(shop, order.id)).status).toBe('CLOSED'))
  await desk.turn(31_000)
  await desk.later(async () => expect((await read(shop, order.id)).history[0]?.action).toBe('courier_proof'))
  return order.id
}

/** The hour is over in which the service may still tell the result. */
async function anHourLater(id: string): Promise<void> {
  await desk.turn(3_600_000)
  await desk.later(async () => {
    const { rows } = await desk.owner.query<{ due_at: Date | null; is_late: boolean }>(
      "select due_at, missed_at is not null or delivered_at + interval '1 hour' <= now() as is_late from courier_proofs where order_id = $1",
      [id],
    )
    expect(rows).toEqual([{ due_at: null, is_late: true }])
  })
}

test('without an owner’s word a delivery whose ID check the service does not tell needs a look after an hour', async () => {
  const shop = await desk.openShop()
  const id = await brought(shop)
  await anHourLater(id)
  const { duties } = await read(shop, id)
  expect(duties).toMatchObject({ missing: [{ rule: 'TERMS-AGE' }], note: 'No ID check' })
  expect(duties).not.toHaveProperty('relied_on')
})

test('an owner relies on the service by its agreement: the order says so, claims no check, and needs no look', async () => {
  const shop = await desk.openShop()
  const saved = await rely(shop)
  expect(saved.status).toBe(200)
  const [service] = saved.body.services
  expect(service).toMatchObject({ service: 'Sandbox Courier', slug: 'sandbox', reliance: { agreement } })
  const { by, on } = service?.reliance ?? { by: '', on: '' }
  expect(await list(shop)).toEqual(saved.body)
  const id = await brought(shop)
  const told = await read(shop, id)
  expect(told.duties?.relied_on).toEqual({ service: 'Sandbox Courier', by, on })
  expect(told.history[0]?.details).toMatchObject({
    id_check: `left to Sandbox Courier under its agreement, which ${by} confirmed on ${on}; Sandbox Courier sends no result`,
  })
  await anHourLater(id)
  const { age_check: check, duties } = await read(shop, id)
  expect([check, duties?.missing, duties?.note]).toEqual([undefined, undefined, undefined])

  // A delivery under the agreement stays as it is; the next delivery needs a look again.
  expect((await rely(shop, { is_relied_on: false, reason: 'The addendum has ended' })).status).toBe(200)
  expect((await list(shop)).services[0]?.reliance).toBeNull()
  expect((await read(shop, id)).duties?.relied_on).toEqual({ service: 'Sandbox Courier', by, on })
  const next = await brought(shop)
  // The word that comes within the hour counts for it, too.
  expect((await rely(shop)).status).toBe(200)
  await anHourLater(next)
  expect((await read(shop, next)).duties).toMatchObject({ relied_on: { service: 'Sandbox Courier' } })
  expect((await read(shop, next)).duties).not.toHaveProperty('missing')
})

test('no agreement brings what a rule makes the shop record of the ID', async () => {
  const shop = await desk.openShop()
  await decide(shop, 'VA-AGE')
  expect((await rely(shop)).status).toBe(200)
  const id = await brought(shop, 'VA')
  await anHourLater(id)
  expect((await read(shop, id)).duties).toMatchObject({
    missing: [{ rule: 'VA-AGE' }],
    relied_on: { service: 'Sandbox Courier' },
  })
})

test('only an owner of the shop relies on a service, with the agreement, and on none that tells its results', async () => {
  const [shop, other] = [await desk.openShop(), await desk.openShop()]
  const answers = [
    await rely(shop, {}, { as: shop.manager }),
    await rely(shop, {}, { as: other.owner }),
    await rely(shop, { reason: '  ' }),
    await rely(shop, {}, { service: 'uber' }),
    await rely(shop, {}, { service: 'none' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 404, 404])
  expect((await list(shop)).services[0]?.reliance).toBeNull()
  await rely(shop)
  expect((await list(other)).services[0]?.reliance).toBeNull()
})
