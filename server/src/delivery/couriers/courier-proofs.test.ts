import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTurnableDesk, type DeskCalls, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { uberSettings } from '../../../test/providers/uber.ts'
import { decideRule } from '../../../test/duties-desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { openKillableDesk } from '../../../test/processes/killable-desk.ts'
import {
  startLoopback,
  type Loopback,
  type LoopbackAnswer,
  type LoopbackRequest,
} from '../../../test/processes/loopback.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { takeProof } from './courier-proofs.ts'

const signature = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('a signature')])
const kept = 'courier_proof'
const noPicture = 'the picture of the signature is missing'

interface Delivery {
  status: string
  /** Fields of the service's own answer. */
  more: object
  /** The answer to the question for the picture. */
  picture: LoopbackAnswer
}

let provider: Loopback
let desk: TurnableDesk
/** A second server of the same desk, at which new couriers come from Uber Direct. */
let atUber: DeskCalls
/** By our own name of each. */
const deliveries = new Map<string, Delivery>()

const settings = (url: string) => ({
  DOORDASH_URL: `${url}/doordash`,
  DOORDASH_DEVELOPER_ID: 'dev-1',
  DOORDASH_KEY_ID: 'key-1',
  DOORDASH_SIGNING_SECRET: Buffer.from('a signing secret').toString('base64url'),
  DOORDASH_WEBHOOK_CREDENTIAL: 'doordash:a-long-webhook-secret',
  ...uberSettings(`${url}/uber`, `${url}/token`),
})

beforeAll(async () => {
  provider = await startLoopback((request) =>
    request.path.startsWith('/doordash') ? doorDash(request) : uber(request),
  )
  desk = await openTurnableDesk({ ...settings(provider.url), COURIER: 'doordash' })
  atUber = await desk.another({ COURIER: 'uber' })
})
beforeEach(() => {
  deliveries.clear()
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})

/** The status API gives the address of the picture: DoorDash's page "Require signature for deliveries". */
function doorDash({ method, path, json }: LoopbackRequest): LoopbackAnswer {
  const { external_delivery_id: given } = (json ?? {}) as { external_delivery_id?: string }
  const id = given ?? path.split('/')[3] ?? ''
  if (path.endsWith('/quotes'))
    deliveries.set(id, { status: 'delivered', more: {}, picture: { bytes: signature } })
  const delivery = deliveries.get(id)
  if (delivery === undefined) return { status: 404, json: {} }
  if (path.endsWith('/picture')) return delivery.picture
  const delivery_status = method === 'POST' ? 'created' : delivery.status
  return { json: { external_delivery_id: id, delivery_status, ...delivery.more } }
}

/** The delivery says who signed and whether the ID was checked; the picture has a call of its own. */
function uber({ method, path, json }: LoopbackRequest): LoopbackAnswer {
  if (path === '/token') return { json: { access_token: 'token', expires_in: 2_592_000 } }
  if (path.endsWith('/delivery_quotes')) return { json: { id: 'dqt_1' } }
  const { external_id: given } = (json ?? {}) as { external_id?: string }
  const isNew = method === 'POST' && path.endsWith('/deliveries')
  const id = given ?? /del_([^/]+)/.exec(path)?.[1] ?? ''
  if (isNew) deliveries.set(id, { status: 'delivered', more: {}, picture: pod(signature) })
  const delivery = deliveries.get(id)
  if (delivery === undefined) return { status: 404, json: {} }
  if (path.endsWith('/proof-of-delivery')) {
    expect(json).toEqual({ waypoint: 'dropoff', type: 'signature' })
    return delivery.picture
  }
  const status = isNew ? 'pending' : delivery.status
  return { json: { id: `del_${id}`, external_id: id, status, ...delivery.more } }
}

function pod(bytes: Buffer): LoopbackAnswer {
  return { json: { document: bytes.toString('base64') } }
}

function verified(min_age_verified: boolean) {
  return {
    dropoff: {
      verification: {
        signature: { image_url: 'https://uber.example/1', signer_name: 'Dee Nakamura' },
        identification: { min_age_verified },
      },
    },
  }
}

/** Asks for a courier; how the service then tells of the delivery is changed before it is asked. */
async function sent(
  at: DeskCalls,
  shop: Shop,
  change: (name: string) => Partial<Delivery> = () => ({}),
): Promise<Order> {
  const order = await orderIn(at, shop, {
    status: 'MERCHANT_ACCEPTED',
    method: 'on_demand',
    courier_estimate_id: 'est-1',
  })
  const asked = await at.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: shop.member,
    params: { tmk: shop.key, id: order.id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
  expect(asked.status).toBe(200)
  const name = [...deliveries.keys()].find((each) => each.startsWith(`${order.id}-`)) ?? ''
  const delivery = deliveries.get(name)
  if (delivery === undefined) throw new Error('No delivery was requested')
  Object.assign(delivery, change(name))
  return order
}

const read = async (at: DeskCalls, shop: Shop, { id }: Order) =>
  (await at.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })).body
const actions = async (at: DeskCalls, shop: Shop, order: Order) =>
  (await read(at, shop, order)).history.map(({ action }) => action)
const picture = async (at: DeskCalls, shop: Shop, { id }: Order) =>
  at.call('GET /m/v2/merchant/{tmk}/orders/{id}/courier_signature', {
    as: shop.member,
    params: { tmk: shop.key, id },
  })
const looks = async (at: DeskCalls, shop: Shop) =>
  (
    await at.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
      as: shop.member,
      params: { tmk: shop.key },
      query: { 'filter[tab]': 'completed', 'filter[needs_a_look]': 'true' },
    })
  ).body.items.map(({ id }) => id)

async function pass(shop: Shop, { id }: Order, rule: string): Promise<void> {
  const { status } = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/pass', {
    as: shop.owner,
    params: { tmk: shop.key, id },
    body: { rule, reason: 'The service has sent it by mail' },
  })
  expect(status).toBe(200)
}

/** Until the service was asked for news and the order is closed. */
async function delivered(shop: Shop, order: Order): Promise<void> {
  await desk.turn(121_000)
  await eventually(async () => expect((await read(desk, shop, order)).status).toBe('CLOSED'))
}

/** A person who may not see the order may not see the signature; nobody keeps it but the shop. */
async function expectPrivate(shop: Shop, order: Order): Promise<void> {
  const own = await picture(desk, shop, order)
  expect([own.status, own.headers.get('content-type'), own.headers.get('cache-control')]).toEqual([
    200,
    'image/png',
    'private, no-store',
  ])
  const stranger = await desk.openShop()
  const foreign = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/courier_signature', {
    as: stranger.owner,
    params: { tmk: stranger.key, id: order.id },
  })
  const path = `/m/v2/merchant/${shop.key}/orders/${order.id}/courier_signature`
  expect([foreign.status, (await desk.send('GET', path)).status]).toEqual([404, 401])
  const { rows } = await desk.owner.query('select signature from courier_proofs where order_id = $1', [
    order.id,
  ])
  expect(rows).toEqual([{ signature }])
}

describe('the proof of a delivery', () => {
  test('DoorDash: the picture of the signature is kept, and the history says that the ID check is not told', async () => {
    const shop = await desk.openShop()
    const order = await sent(desk, shop, (name) => ({
      more: { dropoff_signature_image_url: `${provider.url}/doordash/deliveries/${name}/picture` },
    }))
    await delivered(shop, order)
    await desk.turn(31_000)
    await eventually(async () => expect((await actions(desk, shop, order))[0]).toBe(kept))
    const { history, age_check, duties } = await read(desk, shop, order)
    expect(history[0]).toMatchObject({
      party: 'courier',
      actor: 'DoorDash',
      details: { signature: 'kept', id_check: 'DoorDash does not tell its result' },
    })
    expect([age_check, duties?.missing]).toEqual([undefined, undefined])
    // The address of the picture holds its own right: our token goes to the API alone.
    const asked = provider.requests.filter(({ path }) => path.endsWith('/picture'))
    expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(new Set([undefined]))
    await expectPrivate(shop, order)
  })

  test('Uber Direct: signer, picture and ID check are kept, and the check is the order’s own', async () => {
    const shop = await desk.openShop()
    const order = await sent(atUber, shop, () => ({ more: verified(true) }))
    await delivered(shop, order)
    await desk.turn(31_000)
    await eventually(async () => expect((await actions(desk, shop, order))[0]).toBe(kept))
    expect(await read(desk, shop, order)).toMatchObject({
      delivery_info: { signed_by: 'Dee Nakamura' },
      age_check: { result: 'passed', method: null, checked_by: 'Uber Direct’s courier' },
    })
    expect((await read(desk, shop, order)).history[0]?.details).toEqual({
      signed_by: 'Dee Nakamura',
      signature: 'kept',
      id_check: 'passed',
    })
    // The answer to a question of before, which another process had for long, replaces nothing.
    const late = Buffer.concat([signature, Buffer.from(' of somebody else')])
    const due = { merchant_id: shop.key, order_id: order.id, attempt: 1 }
    await desk.app.db.write(shop.key, (statements) =>
      takeProof(statements, due, { service: 'Uber Direct', proof: { signature: late } }),
    )
    await expectPrivate(shop, order)
  })

  test.each<[string, Partial<Delivery>, { why: string; also?: object[] }]>([
    [
      'nothing',
      { picture: { status: 404, json: { code: 'delivery_not_found' } }, more: verified(true) },
      { why: noPicture },
    ],
    ['no ID check', { more: verified(false) }, { why: 'it does not say that the ID was checked' }],
    ['what is no picture', { picture: pod(Buffer.from('<html>')), more: verified(true) }, { why: noPicture }],
    [
      'an error',
      { picture: { status: 500, text: 'Bad gateway' }, more: verified(true) },
      // It has said nothing of the check that a rule asks for.
      { why: noPicture, also: [{ rule: 'TERMS-AGE', kind: 'age_check' }] },
    ],
  ])(
    'sends %s for an hour: the order needs a look, until the proof comes',
    async (_, change, { why, also = [] }) => {
      const shop = await desk.openShop()
      const order = await sent(atUber, shop, () => change)
      await delivered(shop, order)
      await desk.turn(31_000)
      await eventually(async () => {
        const { rows } = await desk.owner.query<{ is_asked: boolean }>(
          'select due_at > delivered_at + make_interval(secs => 60) as is_asked from courier_proofs where order_id = $1',
          [order.id],
        )
        expect(rows).toEqual([{ is_asked: true }])
      })
      expect(await looks(desk, shop)).toEqual([])
      await desk.turn(3_600_000)
      await desk.later(async () => expect(await looks(desk, shop)).toEqual([order.id]))
      const words = `Uber Direct has sent no full proof of the delivery: ${why}. Please ask Uber Direct for it.`
      const told = await read(desk, shop, order)
      expect(told.duties?.missing).toMatchObject([
        { rule: 'COURIER-PROOF', kind: 'adult_signature', words },
        ...also,
      ])
      expect(told.history[0]).toMatchObject({
        action: 'miss_proof',
        details: { reason: expect.stringContaining(why) as string },
      })

      for (const delivery of deliveries.values())
        Object.assign(delivery, { more: verified(true), picture: pod(signature) })
      await desk.turn(3_600_000)
      await desk.later(async () => expect((await actions(desk, shop, order))[0]).toBe(kept))
      expect(await looks(desk, shop)).toEqual([])
      // Told once, for any number of questions.
      expect((await actions(desk, shop, order)).filter((action) => action === 'miss_proof')).toHaveLength(1)
    },
  )

  test('an owner who has looked ends it with a reason', async () => {
    const shop = await desk.openShop()
    const order = await sent(atUber, shop, () => ({ more: verified(false) }))
    await delivered(shop, order)
    await desk.turn(3_700_000)
    await desk.later(async () => expect(await looks(desk, shop)).toEqual([order.id]))
    await pass(shop, order, 'COURIER-PROOF')
    expect(await looks(desk, shop)).toEqual([])
    // The service is asked on, and its old answer brings the order back to nobody.
    const due = async () =>
      (await desk.owner.query('select due_at from courier_proofs where order_id = $1', [order.id])).rows
    const before = await due()
    await desk.turn(3_600_000)
    await desk.later(async () => expect(await due()).not.toEqual(before))
    expect(await looks(desk, shop)).toEqual([])
  })
})

test('a service that is no longer set up cannot be asked: the order needs a look all the same', async () => {
  const shop = await desk.openShop()
  const order = await sent(atUber, shop, () => ({
    more: verified(true),
    picture: { status: 404, json: {} },
  }))
  await delivered(shop, order)
  await desk.owner.query("update courier_deliveries set service = 'Old Couriers' where order_id = $1", [
    order.id,
  ])
  await desk.turn(3_700_000)
  await desk.later(async () => expect(await looks(desk, shop)).toEqual([order.id]))
  const told = await read(desk, shop, order)
  expect(told.duties?.missing?.[0]?.words).toContain('Please ask Old Couriers for it.')
  // Once the service is set up again, it is asked.
  await desk.owner.query("update courier_deliveries set service = 'Uber Direct' where order_id = $1", [
    order.id,
  ])
  for (const delivery of deliveries.values()) delivery.picture = pod(signature)
  await desk.turn(3_600_000)
  await desk.later(async () => expect((await actions(desk, shop, order))[0]).toBe(kept))
  expect(await looks(desk, shop)).toEqual([])
})

describe('the ID check that a rule asks for and the service does not tell', () => {
  test('DoorDash tells no ID check: an hour later the order lacks the check that a rule asks for, until an owner has looked', async () => {
    const shop = await desk.openShop()
    const order = await sent(desk, shop, (name) => ({
      more: { dropoff_signature_image_url: `${provider.url}/doordash/deliveries/${name}/picture` },
    }))
    await delivered(shop, order)
    await desk.turn(31_000)
    await eventually(async () => expect((await actions(desk, shop, order))[0]).toBe(kept))
    expect(await looks(desk, shop)).toEqual([])
    await desk.turn(3_600_000)
    await desk.later(async () => expect(await looks(desk, shop)).toEqual([order.id]))
    const told = await read(desk, shop, order)
    expect(told.duties?.missing).toMatchObject([{ rule: 'TERMS-AGE', kind: 'age_check' }])
    expect(told.history[0]).toMatchObject({
      action: 'miss_proof',
      details: { service: 'DoorDash', reason: 'it does not tell the result of the ID check' },
    })
    // The picture is told once, and DoorDash is asked no more.
    expect(told.history.filter(({ action }) => action === kept)).toHaveLength(1)
    const { rows } = await desk.owner.query('select due_at from courier_proofs where order_id = $1', [
      order.id,
    ])
    expect(rows).toEqual([{ due_at: null }])
    await pass(shop, order, 'TERMS-AGE')
    expect(await looks(desk, shop)).toEqual([])
  })

  test('DoorDash sends neither picture nor check for an hour: the order lacks both, and a late picture ends only its own', async () => {
    const shop = await desk.openShop()
    const order = await sent(desk, shop)
    await delivered(shop, order)
    await desk.turn(3_700_000)
    await desk.later(async () => expect(await looks(desk, shop)).toEqual([order.id]))
    const lacked = async () => (await read(desk, shop, order)).duties?.missing?.map(({ rule }) => rule)
    expect(await lacked()).toEqual(['COURIER-PROOF', 'TERMS-AGE'])
    for (const [name, delivery] of deliveries)
      delivery.more = { dropoff_signature_image_url: `${provider.url}/doordash/deliveries/${name}/picture` }
    await desk.turn(3_600_000)
    await desk.later(async () => expect((await actions(desk, shop, order))[0]).toBe(kept))
    expect(await lacked()).toEqual(['TERMS-AGE'])
    await pass(shop, order, 'TERMS-AGE')
    expect(await looks(desk, shop)).toEqual([])
  })

  test('where the rule is set aside, a courier’s delivery lacks no check', async () => {
    const shop = await desk.openShop()
    await decideRule(desk, shop, {
      rule: 'TERMS-AGE',
      body: { decision: 'set_aside', reason: 'No alcohol here' },
    })
    const order = await sent(desk, shop, (name) => ({
      more: { dropoff_signature_image_url: `${provider.url}/doordash/deliveries/${name}/picture` },
    }))
    await delivered(shop, order)
    await desk.turn(31_000)
    await eventually(async () => expect((await actions(desk, shop, order))[0]).toBe(kept))
    // Nothing more is asked for.
    const { rows } = await desk.owner.query('select due_at from courier_proofs where order_id = $1', [
      order.id,
    ])
    expect(rows).toEqual([{ due_at: null }])
  })
})

test('a process that dies with the question on its lips loses no proof', async () => {
  const killable = await openKillableDesk({ ...settings(provider.url), COURIER: 'uber' })
  try {
    const shop = await killable.openShop()
    const order = await sent(killable, shop, () => ({ more: verified(true), picture: 'hang' }))
    await killable.turn(121_000)
    await eventually(async () => expect((await read(killable, shop, order)).status).toBe('CLOSED'))
    await killable.turn(31_000)
    await eventually(() =>
      expect(provider.about(order.id).some(({ path }) => path.endsWith('/proof-of-delivery'))).toBe(true),
    )
    await killable.kill()
    for (const delivery of deliveries.values()) delivery.picture = pod(signature)
    await killable.turn(8_000)
    await killable.start()
    await eventually(async () => expect((await actions(killable, shop, order))[0]).toBe(kept))
  } finally {
    await killable.stop()
  }
})
