import type { Presence, Presences } from '@cellarhand/contract/live'
import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Desk, type Person, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { listen, type EventReader } from '../../../test/event-reader.ts'
import { eventually } from '../../../test/eventually.ts'
import { gatherMs } from './presence.ts'

let desk: TurnableDesk
let second: Desk
let shop: Shop
let order: Order
const readers: EventReader[] = []

beforeAll(async () => {
  desk = await openTurnableDesk()
  second = await desk.another()
})
beforeEach(async () => {
  await desk.standDatabase(false)
  shop = await desk.openShop()
  order = await desk.order(shop)
})
afterAll(async () => {
  for (const reader of readers) await reader.cut()
  await desk.stop()
})

async function open(at: Desk = desk): Promise<EventReader> {
  const reader = await listen(at, { key: shop.key, as: shop.owner })
  readers.push(reader)
  return reader
}

interface Said {
  as?: Person
  screen?: string
  order_id?: string | null
  activity?: Presence['activity']
  tmk?: string
}
const say = (
  at: Desk,
  {
    as = shop.member,
    screen = 'till-1',
    order_id = order.id,
    activity = 'viewing',
    tmk = shop.key,
  }: Said = {},
) =>
  at.call('PUT /m/v2/merchant/{tmk}/presence', {
    as,
    params: { tmk },
    body: { screen, order_id, activity },
  })

const there = (reader: EventReader) =>
  (reader.events.findLast(({ event }) => event === 'presence')?.data as Presences | undefined)?.items.map(
    (each) => `${each.user_id} ${each.screen} ${each.activity} ${each.order_id}`,
  )
const sees = async (reader: EventReader, wanted: readonly string[]) =>
  reader.next(() => JSON.stringify(there(reader)) === JSON.stringify(wanted))

/** Changes with each write of the lease. */
async function versionOf(screen: string): Promise<string | undefined> {
  const { rows } = await desk.owner.query<{ version: string }>(
    'select xmin::text as version from order_presence where merchant_id = $1 and screen = $2',
    [shop.key, screen],
  )
  return rows[0]?.version
}

test('an open order shows at once on the other screens, at every server, and disappears at once when its person leaves', async () => {
  const [here, far] = [await open(desk), await open(second)]
  await sees(here, [])
  const { status } = await say(desk)
  expect(status).toBe(200)
  const member = `${shop.member.id} till-1`
  for (const reader of [here, far]) {
    await sees(reader, [`${member} viewing ${order.id}`])
    const { data } = await reader.next(
      ({ event, data: said }) => event === 'presence' && (said as Presences).items.length > 0,
    )
    expect((data as Presences).items[0]?.name).toMatch(/^user /)
  }
  await say(second, { activity: 'deciding' })
  await sees(here, [`${member} deciding ${order.id}`])
  await say(second, { order_id: null })
  for (const reader of [here, far]) await sees(reader, [])
})

test('a silent screen disappears, an active one stays, at whichever server it reports', async () => {
  const reader = await open(second)
  await desk.standDatabase(true)
  await say(desk, { screen: 'dies' })
  await say(desk, { screen: 'lives' })
  await sees(reader, [
    `${shop.member.id} dies viewing ${order.id}`,
    `${shop.member.id} lives viewing ${order.id}`,
  ])
  const known = reader.events.length
  for (let beat = 1; beat <= 4; beat++) {
    const before = await versionOf('lives')
    const { body } = await say(beat % 2 === 0 ? desk : second, { screen: 'lives' })
    await desk.turn(gatherMs)
    // The renewal waits for its turn among the server's own writes, and the time must not leave it behind.
    await eventually(async () => expect(await versionOf('lives')).not.toBe(before))
    await desk.turn(body.renew_within_ms - gatherMs)
  }
  await sees(reader, [`${shop.member.id} lives viewing ${order.id}`])
  for (const { event, data } of reader.events.slice(known))
    if (event === 'presence') expect((data as Presences).items.map(({ screen }) => screen)).toContain('lives')
})

test('repeats of the same state are written for all screens together', async () => {
  const screens = Array.from({ length: 30 }, (_, n) => `till-${n}`)
  await Promise.all(screens.map((screen) => say(desk, { screen })))
  const versions = async () => {
    const { rows } = await desk.owner.query<{ transactions: number; rows: number }>(
      'select count(distinct xmin::text)::int as transactions, count(*)::int as rows from order_presence where merchant_id = $1',
      [shop.key],
    )
    return rows[0]
  }
  expect(await versions()).toEqual({ transactions: 30, rows: 30 })
  const { rows } = await desk.owner.query<{ newest: string }>(
    'select max(expires_at)::text as newest from order_presence where merchant_id = $1',
    [shop.key],
  )
  const since = Date.now()
  await Promise.all(screens.map((screen) => say(desk, { screen })))
  await eventually(async () => {
    const { rowCount } = await desk.owner.query(
      'select from order_presence where merchant_id = $1 and expires_at <= $2::timestamptz',
      [shop.key, rows[0]?.newest],
    )
    expect(rowCount).toBe(0)
  })
  // On any machine, gathered changes are written once in each interval.
  const intervals = Math.ceil((Date.now() - since) / gatherMs) + 1
  const after = await versions()
  expect(after?.rows).toBe(30)
  expect(after?.transactions).toBeLessThanOrEqual(intervals)
})

test('a lease that the database lost is taken again', async () => {
  const reader = await open()
  await say(desk)
  await sees(reader, [`${shop.member.id} till-1 viewing ${order.id}`])
  await desk.owner.query('truncate order_presence')
  // Nothing signals it; the server looks again by itself.
  await desk.turn(1_000)
  await sees(reader, [])
  await desk.later(async () => {
    await say(desk)
    expect(there(reader)).toEqual([`${shop.member.id} till-1 viewing ${order.id}`])
  })
})

test('names and orders stay within the merchant', async () => {
  const other = await desk.openShop()
  const foreign = await desk.order(other)
  const reader = await listen(desk, { key: other.key, as: other.owner })
  readers.push(reader)
  expect((await say(desk, { order_id: foreign.id })).status).toBe(404)
  expect((await say(desk, { order_id: '999999999999' })).status).toBe(404)
  expect((await say(desk, { as: other.owner })).status).toBe(403)
  await say(desk)
  await say(desk, { as: other.owner, order_id: foreign.id, tmk: other.key })
  await sees(reader, [`${other.owner.id} till-1 viewing ${foreign.id}`])
  expect(JSON.stringify(reader.events)).not.toContain(shop.member.id)
})

test('hostile screen names are refused', async () => {
  for (const screen of ['', 'a b', 'x'.repeat(37), '<b>', '\u0000'])
    expect((await say(desk, { screen })).status).toBe(400)
})
