import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHealthBook, type HealthBook } from '../../test/database/health-book.ts'
import { createTurnedClock } from '../../test/turned-clock.ts'
import { startLoopback, type Loopback } from '../../test/processes/loopback.ts'
import { listProviderHealth } from '#platform/outside/health.ts'
import { createOutside } from '#platform/outside/outside.ts'
import { createSegmentSink, segmentName, type EventSink } from './segment.ts'

const clock = createTurnedClock()
/** Longer than a slow machine needs for an answer. */
const timeoutMs = 7_000
const timeIsOver = () => clock.turn(timeoutMs)
let onHang = timeIsOver
let book: HealthBook
let segment: Loopback
let sink: EventSink
beforeAll(async () => {
  book = await openHealthBook(undefined, clock)
})
afterAll(() => book.close())
beforeEach(async () => {
  onHang = timeIsOver
  await book.empty()
  segment = await startLoopback(() => ({ json: { success: true } }), { onHang: () => onHang() })
  open(segment.url)
})
afterEach(async () => {
  await close()
  await segment.stop()
  await book.health.settled()
})

function open(url: string): void {
  const outside = createOutside({ provider: segmentName, health: book.health, timeoutMs, firstWaitMs: 5 })
  sink = createSegmentSink(outside, { url, writeKey: 'write-key' })
}

/** A close gives up after a while, which the test does not wait for. */
async function close(): Promise<void> {
  const closing = sink.close()
  clock.turn(3_000)
  await closing
}

/** One call sends a hundred events. */
function take(name: string, count = 100): void {
  const time = '2026-11-21T12:00:00Z'
  const events = Array.from({ length: count }, (_, index) => `${name}-${index}`)
  sink.take(
    'user-1',
    events.map((message_id) => ({ event: 'Print Receipt', message_id, time, properties: {} })),
  )
}

const idsOf = (request: Loopback['requests'][number] | undefined) =>
  (request?.json as { batch: { messageId: string }[] } | undefined)?.batch.map(
    ({ messageId }) => messageId,
  ) ?? []

async function recorded() {
  await book.health.settled()
  return (await listProviderHealth(book.db)).map((row) => [
    row.provider,
    row.last_failure_reason,
    row.failures_in_a_row,
  ])
}

test.each([
  ['too many requests', { status: 429, headers: { 'retry-after': '1' } }, 'too many requests (429)'],
  ['silence', 'hang', 'no answer in time'],
  ['a cut line', 'drop', 'the connection broke off'],
  ['half an answer', { text: '{"succ' }, 'an answer that cannot be read (200)'],
] as const)(
  'after %s the same events are sent again, and the failure was on record',
  async (_, trouble, why) => {
    segment.next(trouble)
    take('a')
    await expect.poll(() => segment.requests.length).toBe(2)
    const [first, second] = segment.requests
    expect(idsOf(first)).toHaveLength(100)
    expect(idsOf(second)).toEqual(idsOf(first))
    await expect.poll(recorded).toEqual([[segmentName, why, 0]])
  },
)

test('a receiver that asks for a pause gets one, and the events wait', async () => {
  segment.next({ status: 429, headers: { 'retry-after': '3600' } })
  take('a')
  await expect.poll(recorded).toEqual([[segmentName, 'too many requests (429)', 1]])
  take('b')
  await sink.close()
  expect(segment.requests).toHaveLength(1)
})

test('a refused write key is on record, and without an answer no event is lost', async () => {
  segment.next({ status: 401, json: { success: false } })
  take('a')
  await expect.poll(recorded).toEqual([[segmentName, 'the credential was refused (401)', 1]])
  await sink.close()
  expect(segment.requests.map(idsOf)).toEqual([idsOf(segment.requests[0]), idsOf(segment.requests[0])])

  await segment.stop()
  open(segment.url)
  take('b')
  await expect.poll(recorded).toEqual([[segmentName, 'no connection', 3]])
})

test('events that arrive during a sending are sent after it, however many were dropped', async () => {
  segment.next('hang')
  take('a')
  await expect.poll(() => segment.requests.length).toBe(1)
  take('b', 950)
  await expect.poll(() => segment.requests.length).toBeGreaterThan(2)
  const [, again, next] = segment.requests
  expect(idsOf(again)[0]).toBe('a-0')
  expect(idsOf(next)[0]).toBe('b-0')
})

test('a stopping server does not wait for a receiver that never answers', async () => {
  onHang = () => undefined
  segment.next('hang')
  take('a')
  await expect.poll(() => segment.requests.length).toBe(1)
  await close()
})
