import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Person, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { anItem, anOrder } from '../../test/orders.ts'
import { postsOf } from '../../test/providers/push-posts.ts'
import {
  newReceiver,
  openPushService,
  type PushReceiver,
  type PushService,
} from '../../test/providers/push-service.ts'

let desk: TurnableDesk
let shop: Shop
let service: PushService
beforeAll(async () => {
  desk = await openTurnableDesk()
  await desk.another()
  service = await openPushService()
})
beforeEach(async () => {
  service.received.length = 0
  shop = await desk.openShop()
})
afterAll(async () => {
  await desk.stop()
  service.stop()
})

const minuteMs = 60_000
const makeKey = () =>
  desk.call('PUT /m/v2/merchant/{tmk}/push/key', { as: shop.member, params: { tmk: shop.key } })
async function switchOn(as: Person, dueOrders: boolean): Promise<PushReceiver> {
  const receiver = newReceiver()
  const body = { endpoint: service.origin + receiver.path, keys: receiver.keys, due_orders: dueOrders }
  const params = { tmk: shop.key }
  await desk.call('PUT /m/v2/merchant/{tmk}/push/devices', { as, params, body })
  return receiver
}
const { to, arrives, said } = postsOf(
  () => service,
  () => desk,
)
const rules = () =>
  desk.call('PUT /m/v2/merchant/{tmk}/alarms/rules', {
    as: shop.manager,
    params: { tmk: shop.key },
    body: { rules: [{ method: 'scheduled', soon_minutes: 30, late: true }], quiet_when_closed: false },
  })
const at = (ms: number) => new Date(desk.clock.nowMs() + ms).toISOString()
const dueIn = (minutes: number) => ({
  delivery: { method: 'scheduled' as const, window: [at(-minuteMs), at(minutes * minuteMs)] },
})

test('a nearly late and then late order is told once each to the devices that want it, by number and time, with nothing of its hostile words', async () => {
  await rules()
  await makeKey()
  const receiver = await switchOn(shop.member, true)
  const without = await switchOn(shop.manager, false)
  const hostile = '<script>alert(1)</script> Zebrafish ‮ \u{1F4A3}'
  const order = await desk.order(shop, {
    ...dueIn(31),
    application_name: hostile,
    application_brand_name: hostile,
    recipient: { ...anOrder(shop.key).recipient, first_name: hostile, phone_number: '+12125550188' },
    items: [anItem({ name: hostile, description: hostile })],
  })
  await desk.turn(2 * minuteMs)
  const soon = await arrives(receiver)
  expect(said(receiver, soon)).toEqual({
    title: `Order ${order.id} is nearly late`,
    body: expect.stringMatching(/^It is due at \d{1,2}:\d\d\s[AP]M\.$/) as string,
    path: `/orders/view/${order.id}`,
    topic: 'due-orders',
  })
  await desk.turn(30 * minuteMs)
  const late = await arrives(receiver, 2)
  expect(said(receiver, late)).toMatchObject({ title: `Order ${order.id} is late` })
  await desk.turn(10 * minuteMs)
  expect(to(receiver)).toHaveLength(2)
  expect(to(without)).toEqual([])
  const { rows } = await desk.owner.query<{ content: string }>(
    'select content from push_messages where merchant_id = $1',
    [shop.key],
  )
  const told = rows.map(({ content }) => content).join()
  for (const word of ['script', 'Zebrafish', '5550188', '‮']) expect(told).not.toContain(word)
})

test('orders that fall due together are one message with their numbers', async () => {
  await rules()
  await makeKey()
  const receiver = await switchOn(shop.member, true)
  for (const minutes of [31, 31, 31]) await desk.order(shop, dueIn(minutes))
  await desk.turn(2 * minuteMs)
  const message = await arrives(receiver)
  expect(said(receiver, message)).toMatchObject({
    title: 'Orders are due: 3 nearly late',
    path: '/orders',
  })
})
