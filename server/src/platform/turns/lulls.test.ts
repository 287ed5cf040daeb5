import { expect, test } from 'vitest'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { createLulls } from './lulls.ts'

function openLulls() {
  const clock = createTurnedClock({ runs: false })
  const lulls = createLulls(clock)
  const told: boolean[] = []
  const begin = () => lulls.during((isHeld) => void told.push(isHeld))
  return { clock, lulls, told, begin, isHeld: () => told.at(-1) === true }
}

test('work waits from a request until a moment after its reply', () => {
  const { clock, lulls, told, begin } = openLulls()
  begin()
  expect(told).toEqual([])
  const replied = lulls.requested()
  expect(told).toEqual([true])
  clock.turn(3)
  replied()
  clock.turn(3)
  expect(told).toEqual([true])
  clock.turn(1)
  expect(told).toEqual([true, false])
})

test('a next request within that moment goes on with the pause, and an older reply does not end it', () => {
  const { clock, lulls, told, begin } = openLulls()
  begin()
  const first = lulls.requested()
  clock.turn(3)
  const second = lulls.requested()
  first()
  clock.turn(10)
  expect(told).toEqual([true])
  second()
  clock.turn(4)
  expect(told).toEqual([true, false])
})

test('the reply to a newer request leaves an older one its pause, and one that lasts gets no more of it', () => {
  const { clock, lulls, told, begin } = openLulls()
  begin()
  const older = lulls.requested()
  const lasting = lulls.requested()
  clock.turn(1)
  lulls.requested()()
  clock.turn(14)
  expect(told).toEqual([true])
  older()
  clock.turn(4)
  expect(told).toEqual([true])
  clock.turn(1)
  expect(told).toEqual([true, false])
  clock.turn(1)
  lasting()
  expect(told).toEqual([true, false])
})

test('a request that waits for the work itself holds it only for a moment', () => {
  const { clock, lulls, told, begin } = openLulls()
  begin()
  lulls.requested()
  clock.turn(20)
  expect(told).toEqual([true, false])
})

test('however many requests come, the work has a third of the time', () => {
  const { clock, lulls, begin, isHeld } = openLulls()
  begin()
  let heldMs = 0
  for (let ms = 0; ms < 6_000; ms++) {
    lulls.requested()
    clock.turn(1)
    if (isHeld()) heldMs++
  }
  expect(heldMs / 6_000).toBeGreaterThan(0.5)
  expect(heldMs / 6_000).toBeLessThanOrEqual(2 / 3)
})

test('requests one right after the other do not put off its end, and a server that stood still owes nothing', () => {
  const clock = createTurnedClock({ runs: false })
  // Like the machine's, its timers take a millisecond at least.
  const lulls = createLulls({ ...clock, after: (ms, call) => clock.after(Math.max(ms, 1), call) })
  let heldSinceMs: number | undefined
  let longestMs = 0
  lulls.during((isHeld) => {
    const now = clock.readingMs()
    if (heldSinceMs !== undefined) longestMs = Math.max(longestMs, now - heldSinceMs)
    heldSinceMs = isHeld ? now : undefined
  })
  for (let request = 0; request < 2_000; request++) {
    lulls.requested()()
    clock.turn(0.25)
  }
  expect(longestMs).toBeGreaterThan(50)
  expect(longestMs).toBeLessThanOrEqual(61)

  // All that is due comes late, as after a stop of the whole machine.
  clock.turn(1_000)
  clock.turn(100)
  lulls.requested()
  expect(heldSinceMs).toBeDefined()
  clock.turn(60_000)
  expect(heldSinceMs).toBeUndefined()
  clock.turn(100)
  lulls.requested()
  expect(heldSinceMs).toBeDefined()
})

test('work that begins during a pause waits for its end; work that ends goes on, so that it can hear more', () => {
  const { clock, lulls, told, begin } = openLulls()
  const end = begin()
  lulls.requested()
  const second: boolean[] = []
  const endSecond = lulls.during((isHeld) => void second.push(isHeld))
  expect(second).toEqual([true])
  end()
  expect(told).toEqual([true, false])
  endSecond()
  expect(second).toEqual([true, false])
  clock.turn(20)
  lulls.requested()
  expect([told, second]).toEqual([
    [true, false],
    [true, false],
  ])
})
