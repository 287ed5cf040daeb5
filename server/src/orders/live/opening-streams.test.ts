import { heartbeatMs } from '@cellarhand/contract/heartbeat'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { listen, type StreamEvent } from '../../../test/event-reader.ts'

let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const open = async (lastId?: string) => listen(desk, { key: shop.key, as: shop.member, lastId })
const isAbout =
  (id: string) =>
  ({ data }: StreamEvent) =>
    (data as { id?: string }).id === id

/** Cancels statements as their time limit would, without waiting for it. */
async function cancelReadersOf(table: string): Promise<number> {
  const { rows } = await desk.owner.query(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database() and query ilike '%' || $1 || '%'`,
    [table],
  )
  return rows.length
}

/** Every statement on the table waits until the returned function is called. */
async function lockedTable(table: string): Promise<() => Promise<void>> {
  const holder = await desk.owner.connect()
  await holder.query('begin')
  await holder.query(`lock table ${table} in access exclusive mode`)
  return async () => {
    await holder.query('rollback')
    holder.release()
  }
}

test('a stream whose missed events cannot be read while it opens is closed, and a new one gets everything', async ({
  signal,
}) => {
  const before = await open()
  const first = await desk.order(shop)
  await before.next(isAbout(first.id))
  const lastId = before.lastId()
  const second = await desk.order(shop)
  await before.next(isAbout(second.id))
  await before.cut()

  const unlock = await lockedTable('outbox')
  try {
    const failing = await open(lastId)
    let isOver = false
    void failing.ended.then(() => (isOver = true))
    // Of several statements, each waits for the lock in its turn.
    while (!isOver && !signal.aborted) await cancelReadersOf('outbox')
  } finally {
    await unlock()
  }

  const again = await open(lastId)
  await again.next(isAbout(second.id))
  await again.next(({ event }) => event === 'counts')
  await again.cut()
})

test('a state that cannot be read is told as soon as it can, on the same stream, without another event', async ({
  signal,
}) => {
  const unlock = await lockedTable('order_counts')
  const stream = await open()
  try {
    let isTold = false
    void stream.next(({ event }) => event === 'alarms').then(() => (isTold = true))
    while (!isTold && !signal.aborted) await cancelReadersOf('order_counts')
  } finally {
    await unlock()
  }
  await desk.passing(stream.next(({ event }) => event === 'counts'))
  const order = await desk.order(shop)
  await stream.next(isAbout(order.id))
  await stream.cut()
})

test('an open stream says every few seconds that it is alive', async () => {
  const abort = new AbortController()
  const answer = await fetch(new URL(`/m/v2/merchant/${shop.key}/events`, desk.url), {
    headers: { authorization: `Bearer ${shop.member.token}` },
    signal: abort.signal,
  })
  const beats: number[] = []
  for await (const chunk of answer.body ?? []) {
    const text = Buffer.from(chunk).toString('utf8')
    if (text.includes(': still here')) beats.push(desk.clock.readingMs())
    if (beats.length === 2) break
    // The stream is open once it has told a state.
    if (/event: |: still here/.test(text)) await desk.turn(heartbeatMs)
  }
  abort.abort()
  const [one = 0, two = 0] = beats
  expect(two - one).toBeGreaterThan(heartbeatMs * 0.5)
  expect(heartbeatMs).toBeLessThanOrEqual(8_000)
})

// With hundreds of screens, each further write keeps the next answer waiting.
test('all states of a shop come in one piece, on opening and after an order', async () => {
  const abort = new AbortController()
  const answer = await fetch(new URL(`/m/v2/merchant/${shop.key}/events`, desk.url), {
    headers: { authorization: `Bearer ${shop.member.token}` },
    signal: abort.signal,
  })
  const pieces: string[][] = []
  for await (const chunk of answer.body ?? []) {
    const names = Buffer.from(chunk)
      .toString('utf8')
      .matchAll(/^event: (\w+)$/gm)
    const states = [...names].map(([, name = '']) => name)
    if (states.length === 0) continue
    pieces.push(states.toSorted())
    if (states.length === 3 || pieces.length === 9) break
    // The alarms alone are also looked at every few seconds, which may come just before an order's event.
    if (states.join() !== 'alarms') await desk.order(shop)
  }
  abort.abort()
  expect([pieces[0], pieces.at(-1)]).toEqual([
    ['alarms', 'counts', 'notes', 'presence', 'queue'],
    ['alarms', 'counts', 'queue'],
  ])
})
