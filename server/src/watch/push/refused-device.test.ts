import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Person, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { newReceiver, openPushService, type PushService } from '../../../test/providers/push-service.ts'

let desk: TurnableDesk
let shop: Shop
let service: PushService
beforeAll(async () => {
  desk = await openTurnableDesk()
  service = await openPushService()
})
beforeEach(async () => {
  shop = await desk.openShop()
  await desk.call('PUT /m/v2/merchant/{tmk}/push/key', { as: shop.member, params: { tmk: shop.key } })
})
afterAll(async () => {
  await desk.stop()
  service.stop()
})

async function switchOn(as: Person) {
  const receiver = newReceiver()
  const body = { endpoint: service.origin + receiver.path, keys: receiver.keys, due_orders: true }
  const params = { tmk: shop.key }
  const reply = await desk.call('PUT /m/v2/merchant/{tmk}/push/devices', { as, params, body })
  return { receiver, id: reply.body.devices.at(-1)?.id ?? '' }
}
const ask = async (device: string, { as = shop.member, tmk = shop.key } = {}) =>
  (await desk.call('GET /m/v2/merchant/{tmk}/push', { as, params: { tmk }, query: { device } })).body
const send = (device: string) =>
  desk.owner.query(
    `insert into push_messages (merchant_id, message_id, device_id, topic, content) values ($1, $2, $2, 'due-orders', '{}')`,
    [shop.key, device],
  )
const ended = (device: string, error: string | null) =>
  desk.later(async () => {
    const { rows } = await desk.owner.query<{ error: string | null }>(
      'select error from push_messages where device_id = $1 and ended_at is not null',
      [device],
    )
    expect(rows).toEqual([{ error }])
  })

for (const status of [404, 410])
  test(`a device that its push service refused by ${status} learns so, in its own shop alone`, async () => {
    const { receiver, id } = await switchOn(shop.member)
    expect(await ask(id)).toMatchObject({ devices: [{ id }] })
    expect(await ask(id)).not.toHaveProperty('is_refused')
    service.answer(receiver, status)
    await send(id)
    await ended(id, `The push service answered ${status}`)
    expect(await ask(id)).toEqual({ devices: [], is_refused: true })
    const other = await desk.openShop()
    expect(await ask(id, { as: other.member, tmk: other.key })).toEqual({ devices: [] })
  })

test('it learns so too when a newer message took the place of the refused one meanwhile', async () => {
  const { receiver, id } = await switchOn(shop.member)
  let answer = (_status: number): void => undefined
  service.answer(receiver, new Promise<number>((resolve) => (answer = resolve)))
  await send(id)
  await desk.later(() => expect(service.received.map(({ path }) => path)).toContain(receiver.path))
  const { rowCount } = await desk.owner.query(
    `update push_messages set ended_at = now(), error = 'A newer message took its place' where device_id = $1`,
    [id],
  )
  expect(rowCount).toBe(1)
  answer(410)
  await desk.later(async () => expect(await ask(id)).toEqual({ devices: [], is_refused: true }))
})

test('a device that its person removed, or whose message was refused in another way, is no refused device', async () => {
  const { receiver, id } = await switchOn(shop.member)
  service.answer(receiver, 403)
  await send(id)
  await ended(id, 'The push service answered 403')
  expect(await ask(id)).not.toHaveProperty('is_refused')
  await desk.call('DELETE /m/v2/merchant/{tmk}/push/devices/{device}', {
    as: shop.member,
    params: { tmk: shop.key, device: id },
  })
  expect(await ask(id)).toEqual({ devices: [] })
  expect(await ask('another')).toEqual({ devices: [] })

  const gone = await switchOn(shop.member)
  await desk.call('DELETE /m/v2/merchant/{tmk}/push/devices/{device}', {
    as: shop.member,
    params: { tmk: shop.key, device: gone.id },
  })
  await send(gone.id)
  await ended(gone.id, 'The device receives no messages any more')
  expect(await ask(gone.id)).toEqual({ devices: [] })
})
