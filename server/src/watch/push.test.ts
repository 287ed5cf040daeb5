import type { Telling } from '@cellarhand/contract/watch'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdRows } from '../../test/database/held-rows.ts'
import { openTurnableDesk, type Desk, type Person, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { postsOf } from '../../test/providers/push-posts.ts'
import {
  newReceiver,
  openPushService,
  type PushReceiver,
  type PushService,
} from '../../test/providers/push-service.ts'
import { createSealer } from '#platform/sealed-text.ts'
import { rotateKey } from '#platform/upkeep/rotate-key.ts'
import { watchUpkeep } from './upkeep.ts'
import { pushPurpose } from './push/push-address.ts'

let desk: TurnableDesk
let second: Desk
let shop: Shop
let service: PushService
beforeAll(async () => {
  desk = await openTurnableDesk()
  second = await desk.another()
  service = await openPushService()
})
beforeEach(async () => {
  await desk.owner.query('update watches set is_on = false')
  await desk.owner.query('delete from push_devices')
  service.received.length = 0
  shop = await desk.openShop()
})
afterAll(async () => {
  await desk.stop()
  service.stop()
})

const minuteMs = 60_000
const byMail = ({ id }: Person): Telling => ({ user_id: id, by: 'mail', phone: null })
const watch = (duty: Telling | null = byMail(shop.member), of = shop) =>
  desk.call('PUT /m/v2/merchant/{tmk}/watch', {
    as: of.manager,
    params: { tmk: of.key },
    body: { is_on: true, duty, owner: byMail(of.owner) },
  })
interface DeviceWish {
  readonly of?: Shop
  readonly receiver?: PushReceiver
  readonly endpoint?: string
  readonly dueOrders?: boolean
}

async function switchOn(as: Person, wish: DeviceWish = {}) {
  const { of = shop, receiver = newReceiver(), dueOrders = false } = wish
  const endpoint = wish.endpoint ?? service.origin + receiver.path
  const { status, body, refusal } = await desk.call('PUT /m/v2/merchant/{tmk}/push/devices', {
    as,
    params: { tmk: of.key },
    body: { endpoint, keys: receiver.keys, due_orders: dueOrders },
  })
  return { status, body, refusal, receiver }
}
const keyOf = async (of: Shop, at: Desk = desk) =>
  (await at.call('PUT /m/v2/merchant/{tmk}/push/key', { as: of.member, params: { tmk: of.key } })).body
    .public_key
const list = async (as: Person, tmk = shop.key) =>
  (await desk.call('GET /m/v2/merchant/{tmk}/push', { as, params: { tmk } })).body.devices
const { to, arrives, said } = postsOf(
  () => service,
  () => desk,
)
/** Nobody watches for five minutes, and the person on duty gets the mail. */
async function unwatched(of = shop): Promise<void> {
  await desk.order(of)
  await desk.turn(5 * minuteMs)
}
const errors = async () =>
  (
    await desk.owner.query<{ error: string | null; attempts: number }>(
      'select error, attempts from push_messages where merchant_id = $1 and ended_at is not null',
      [shop.key],
    )
  ).rows

test('the test’s own decryption is that of the example of RFC 8291', () => {
  const receiver = newReceiver({
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  })
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  expect(receiver.decrypt(Buffer.from(body, 'base64url'))).toBe('When I grow up, I want to be a watermelon')
})

test('nobody watches: every device of the person on duty gets the count by the shop’s own key, beside the mail, and nobody else gets it', async () => {
  await watch()
  const key = await keyOf(shop)
  const one = (await switchOn(shop.member)).receiver
  const two = (await switchOn(shop.member)).receiver
  const other = (await switchOn(shop.manager)).receiver
  await unwatched()
  const message = await arrives(one)
  await arrives(two)
  expect(said(one, message)).toEqual({
    title: '1 new order waits',
    body: 'No screen of the store is watching.',
    path: '/orders',
    topic: 'unwatched-orders',
  })
  expect(() => two.decrypt(message.body)).toThrow()
  expect(message.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '3600',
    urgency: 'high',
    topic: 'unwatched-orders',
  })
  const claims = await service.claimsOf(message)
  expect(claims).toMatchObject({ key, aud: service.origin, sub: expect.stringMatching(/^mailto:/) as string })
  const leftSeconds = claims.exp - Date.now() / 1000
  expect(leftSeconds).toBeGreaterThan(0)
  expect(leftSeconds).toBeLessThanOrEqual(24 * 3_600)
  const { body: outbox } = await desk.call('GET /demo/outbox.json')
  expect(outbox.items.filter((mail) => mail.to === shop.member.email)).toHaveLength(1)
  await desk.turn(minuteMs)
  expect(to(other)).toEqual([])
  expect(service.received).toHaveLength(2)
})

test('two servers make one key pair for a shop, sealed, and another shop has another', async () => {
  const keys = await Promise.all([keyOf(shop), keyOf(shop, second), keyOf(shop)])
  expect(new Set(keys).size).toBe(1)
  expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65)
  expect(await keyOf(await desk.openShop())).not.toBe(keys[0])
  const { receiver } = await switchOn(shop.member)
  const { rows } = await desk.owner.query<{ stored: string }>(
    `select private_sealed as stored from push_keys where merchant_id = $1
     union all select subscription_sealed from push_devices where merchant_id = $1`,
    [shop.key],
  )
  expect(rows).toHaveLength(2)
  const stored = rows.map((row) => Buffer.from(row.stored, 'base64url').toString('latin1')).join()
  expect(stored).not.toContain(receiver.keys.auth)
  expect(stored).not.toContain(receiver.path)
})

test('a device that its service has forgotten is removed; a busy service gets the message again, at its wish later', async () => {
  await watch()
  await keyOf(shop)
  for (const gone of [404, 410]) {
    const { receiver } = await switchOn(shop.member)
    service.answer(receiver, gone)
    await desk.owner.query('update watches set duty_told_at = null, owner_told_at = null')
    await unwatched()
    await arrives(receiver)
    await desk.later(async () => expect(await list(shop.member)).toEqual([]))
  }
  const { receiver } = await switchOn(shop.member)
  service.answer(receiver, { status: 429, retryAfter: 120 }, 503, 201)
  await desk.owner.query('update watches set duty_told_at = null, owner_told_at = null')
  await unwatched()
  await arrives(receiver)
  const pause = async () => {
    const { rows } = await desk.owner.query<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from push_messages
       where merchant_id = $1 and ended_at is null and error is not null`,
      [shop.key],
    )
    return rows[0]?.seconds
  }
  await desk.later(async () => expect(await pause()).toBeGreaterThan(60))
  expect(to(receiver)).toHaveLength(1)
  await desk.turn(2 * minuteMs)
  await arrives(receiver, 2)
  await desk.turn(minuteMs)
  const last = await arrives(receiver, 3)
  expect(last.headers['topic']).toBe('unwatched-orders')
  await desk.later(async () =>
    expect((await errors()).find(({ attempts }) => attempts === 3)).toMatchObject({ error: null }),
  )
  expect(await list(shop.member)).toHaveLength(1)
})

test('a message is tried five times, and one that is refused is not tried again', async () => {
  await watch()
  await keyOf(shop)
  const { receiver } = await switchOn(shop.member)
  service.answer(receiver, 500, 500, 500, 500, 500, 500, 500)
  await unwatched()
  for (let count = 1; count <= 5; count++) {
    await arrives(receiver, count)
    await desk.turn(5 * minuteMs)
  }
  await desk.later(async () =>
    expect(await errors()).toEqual([{ error: 'The push service answered 500', attempts: 5 }]),
  )
  const refused = await desk.openShop()
  await watch(byMail(refused.member), refused)
  await keyOf(refused)
  const { receiver: other } = await switchOn(refused.member, { of: refused })
  service.answer(other, 403)
  shop = refused
  await unwatched(refused)
  await arrives(other)
  await desk.later(async () =>
    expect(await errors()).toEqual([{ error: 'The push service answered 403', attempts: 1 }]),
  )
  await desk.turn(5 * minuteMs)
  expect(to(other)).toHaveLength(1)
})

const endings: readonly [string, (person: Person) => Promise<unknown>][] = [
  ['signs out', (person) => desk.call('POST /a/v2/logout', { as: person, body: {} })],
  [
    'changes the password on another device',
    (person) => desk.owner.query('update sessions set ended_at = now() where user_id = $1', [person.id]),
  ],
  [
    'leaves the shop',
    (person) => desk.owner.query('update users set merchant_id = null where user_id = $1', [person.id]),
  ],
  [
    'works in another shop now',
    async (person) => {
      const { key } = await desk.openShop()
      await desk.owner.query('update users set merchant_id = $2 where user_id = $1', [person.id, key])
    },
  ],
  ['is deleted', (person) => desk.owner.query('delete from users where user_id = $1', [person.id])],
  [
    'loses every role in the shop',
    (person) => desk.owner.query(`update users set roles = '{}' where user_id = $1`, [person.id]),
  ],
]
for (const [what, happens] of endings)
  test(`a person who ${what} gets no message, not even one that waits, and the device is forgotten`, async () => {
    await watch(byMail(shop.member))
    await keyOf(shop)
    const { receiver } = await switchOn(shop.member)
    // A message waits for its next try when the person goes.
    service.answer(receiver, 500)
    await unwatched()
    await arrives(receiver)
    await happens(shop.member)
    await desk.later(async () => {
      const { rows } = await desk.owner.query('select from push_devices where merchant_id = $1', [shop.key])
      expect(rows).toEqual([])
    })
    await desk.turn(minuteMs)
    await desk.later(async () =>
      expect(await errors()).toEqual([{ error: 'The device receives no messages any more', attempts: 2 }]),
    )
    expect(to(receiver)).toHaveLength(1)
  })

test('a session that ended a moment ago is asked for right before the sending, though the device is not forgotten yet', async () => {
  await keyOf(shop)
  const { receiver } = await switchOn(shop.member)
  // What the watch forgets waits for this row.
  const held = await holdRows(desk, 'select from push_devices where merchant_id = $1 for share', [shop.key])
  await desk.call('POST /a/v2/logout', { as: shop.member, body: {} })
  await desk.owner.query(
    `insert into push_messages (merchant_id, message_id, device_id, topic, content)
     select merchant_id, 'x', device_id, 'due-orders', '{}' from push_devices where merchant_id = $1`,
    [shop.key],
  )
  await desk.later(async () =>
    expect(await errors()).toEqual([{ error: 'The device receives no messages any more', attempts: 1 }]),
  )
  const { rows } = await desk.owner.query('select from push_devices where merchant_id = $1', [shop.key])
  expect(rows).toHaveLength(1)
  await held.release()
  expect(to(receiver)).toEqual([])
})

test('a session that ran out ends nothing: the phone is told the next morning too', async () => {
  await watch()
  await keyOf(shop)
  const { receiver } = await switchOn(shop.member)
  await desk.owner.query('delete from sessions where user_id = $1', [shop.member.id])
  await unwatched()
  await arrives(receiver)
})

test('a device belongs to its person and shop: nobody else sees, changes or removes it, and it signs with no other key', async () => {
  const other = await desk.openShop()
  await watch()
  await watch(byMail(other.member), other)
  const key = await keyOf(shop)
  const otherKey = await keyOf(other)
  const { receiver, body } = await switchOn(shop.member, { dueOrders: true })
  const [device] = body.devices
  expect(device).toMatchObject({
    due_orders: true,
    endpoint_digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
  expect([await list(shop.manager), await list(other.member, other.key)]).toEqual([[], []])
  expect((await switchOn(other.member)).status).toBe(403)
  for (const [as, tmk, status] of [
    [shop.manager, shop.key, 200],
    [other.member, other.key, 200],
    [other.member, shop.key, 403],
  ] as const) {
    const reply = await desk.call('DELETE /m/v2/merchant/{tmk}/push/devices/{device}', {
      as,
      params: { tmk, device: device?.id ?? '' },
    })
    expect(reply.status).toBe(status)
  }
  expect(await list(shop.member)).toHaveLength(1)
  // Only the shop of the device has waiting orders told to it.
  const { receiver: ofOther } = await switchOn(other.member, { of: other })
  await unwatched(other)
  await arrives(ofOther)
  expect(to(receiver)).toEqual([])
  await unwatched()
  const claims = await service.claimsOf(await arrives(receiver))
  expect(claims.key).toBe(key)
  expect(claims.key).not.toBe(otherKey)
  await desk.call('DELETE /m/v2/merchant/{tmk}/push/devices/{device}', {
    as: shop.member,
    params: { tmk: shop.key, device: device?.id ?? '' },
  })
  expect(await list(shop.member)).toEqual([])
})

test('the same device switched on by a colleague belongs to the colleague alone', async () => {
  const { receiver } = await switchOn(shop.member)
  const { body } = await switchOn(shop.manager, { receiver })
  expect(body.devices).toHaveLength(1)
  expect(await list(shop.member)).toEqual([])
})

test('an address that is not public, a key beside the curve and a twenty-first device are refused', async () => {
  const refused = async (endpoint: string) => {
    const { status, refusal } = await switchOn(shop.member, { endpoint })
    return [status, Object.keys(refusal.errors ?? {})]
  }
  for (const endpoint of [
    'https://10.0.0.1/push',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:127.0.0.1]/push',
    'http://push.example.com/x',
    'https://user:word@push.example.com/x',
    'ftp://push.example.com/x',
    'push',
  ])
    expect(await refused(endpoint), endpoint).toEqual([400, ['endpoint']])
  const receiver = { ...newReceiver(), keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }
  const { status, refusal } = await switchOn(shop.member, { receiver })
  expect([status, Object.keys(refusal.errors)]).toEqual([400, ['keys.p256dh']])
  for (let count = 0; count < 20; count++) expect((await switchOn(shop.member)).status).toBe(200)
  expect((await switchOn(shop.member)).status).toBe(429)
  expect(await list(shop.member)).toHaveLength(20)
})

test('the server connects to no private address, even one that is stored', async () => {
  await watch()
  await keyOf(shop)
  const { receiver } = await switchOn(shop.member)
  const sealer = createSealer(desk.config.sealingKeys, pushPurpose)
  await desk.owner.query('update push_devices set subscription_sealed = $2 where merchant_id = $1', [
    shop.key,
    sealer.seal(JSON.stringify({ endpoint: 'https://10.0.0.1/push', keys: receiver.keys })),
  ])
  await unwatched()
  await desk.later(async () => {
    const { rows } = await desk.owner.query<{ error: string | null }>(
      'select error from push_messages where merchant_id = $1',
      [shop.key],
    )
    expect(rows[0]?.error).toContain('not a public https address')
  })
})

test('after a restore no message waits and no device is left', async () => {
  await watch()
  await keyOf(shop)
  const { receiver } = await switchOn(shop.member)
  service.answer(receiver, 500)
  await unwatched()
  await desk.later(() => expect(service.received).toHaveLength(1))
  await desk.app.db.system(async (statements) =>
    watchUpkeep.afterRestore?.(statements, { madeAt: '', leastVersion: 1 }),
  )
  await desk.turn(5 * minuteMs)
  expect(await list(shop.member)).toEqual([])
  expect(service.received).toHaveLength(1)
})

test('with a new sealing key the stored keys and addresses are sealed anew', async () => {
  await keyOf(shop)
  await switchOn(shop.member)
  const columns = watchUpkeep.sealedColumns ?? []
  expect(columns.map(({ table, column }) => `${table}.${column}`)).toEqual([
    'push_keys.private_sealed',
    'push_devices.subscription_sealed',
  ])
  const secrets = ['a-new-key-of-forty-characters-at-the-least', ...desk.config.sealingKeys] as const
  for (const table of columns) {
    await rotateKey(desk.app.db, secrets, [watchUpkeep])
    const { rows } = await desk.owner.query<Record<string, string>>(
      `select ${table.column} as stored from ${table.table}`,
    )
    const sealer = createSealer(secrets, table.purpose)
    for (const { stored } of rows) expect(sealer.isFresh(stored ?? '')).toBe(true)
  }
})
