import type { Telling } from '@cellarhand/contract/watch'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Desk, type Person, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import {
  newReceiver,
  openPushService,
  type PushedMessage,
  type PushReceiver,
  type PushService,
} from '../../../test/providers/push-service.ts'

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
  service.answer()
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
const switchOn = (
  as: Person,
  { of = shop, receiver = newReceiver(), endpoint = service.origin + receiver.path, dueOrders = false } = {},
) =>
  desk
    .call('PUT /m/v2/merchant/{tmk}/push/devices', {
      as,
      params: { tmk: of.key },
      body: { endpoint, keys: receiver.keys, due_orders: dueOrders },
    })
    .then(({ status, body, refusal }) => ({ status, body, refusal, receiver }))
const keyOf = async (of: Shop, at: Desk = desk) =>
  (await at.call('PUT /m/v2/merchant/{tmk}/push/key', { as: of.member, params: { tmk: of.key } })).body
    .public_key
const list = async (as: Person, tmk = shop.key) =>
  (await desk.call('GET /m/v2/merchant/{tmk}/push', { as, params: { tmk } })).body.devices
const to = ({ path }: PushReceiver) => service.received.filter((message) => message.path === path)
const arrives = (receiver: PushReceiver, count = 1) =>
  desk.later(() => {
    expect(to(receiver)).toHaveLength(count)
    return to(receiver).at(-1) as PushedMessage
  })
const said = (receiver: PushReceiver, message: PushedMessage): unknown =>
  JSON.parse(receiver.decrypt(message.body))
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
