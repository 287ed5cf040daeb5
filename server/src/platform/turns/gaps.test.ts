import { expect, test } from 'vitest'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { createPace } from './pace.ts'
import { createTurns, NoTurn, type TurnLimits } from './turns.ts'

const minute = 60_000
/** So long that no machine is slow enough to let one pass by itself. */
const gaps = {
  thereMs: 60 * minute,
  perTurn: 1,
  shortestMs: 2 * minute,
  perWaitingMs: 0,
  longestMs: 20 * minute,
  waiting: 2,
  waitMs: 9 * minute,
}

/** A crowd asks for as much as it likes, and somebody else for a little. */
function openTurns({
  waiting = 100,
  waitMs = 300 * minute,
  leavesGaps = true,
  gaps: own = {},
}: Partial<TurnLimits> = {}) {
  const clock = createTurnedClock()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const limits = { places: 5, perKey: 2, waiting, waitMs, leavesGaps, gaps: own }
  const turns = createTurns(limits, clock, createPace(clock, gaps))
  const ask = async (name: string) =>
    turns.run(
      name[0] ?? '',
      async () =>
        new Promise<void>((resolve) => {
          begun.push(name)
          ends.set(name, resolve)
        }),
    )
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.()
    await settled()
  }
  return {
    begun,
    ask,
    end,
    async crowd(...names: string[]) {
      const asked = names.map(ask)
      for (const one of asked) one.catch(() => undefined)
      await settled()
    },
    async look(name: string) {
      const looked = ask(name)
      await settled()
      await end(name)
      await looked
    },
    async pass(ms: number) {
      clock.turn(ms)
      await settled()
    },
  }
}

/** Until all that can go on has gone on. */
const settled = async () => new Promise((resolve) => setImmediate(resolve))

test('beside somebody else a crowd goes on one by one, each after a gap', async () => {
  const { begun, crowd, end, look, pass } = openTurns()
  await crowd('a1', 'a2', 'a3', 'a4')
  await look('b1')
  await end('a1', 'a2')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await pass(gaps.shortestMs)
  expect(begun.slice(3)).toEqual(['a3'])
  // The next gap is as long as this call, and longer than the shortest.
  await pass(3 * minute)
  await end('a3')
  await pass(2 * minute)
  await look('b2')
  expect(begun.slice(4)).toEqual(['b2'])
  // The call took these minutes and what the machine took besides.
  await pass(2 * minute)
  expect(begun.slice(4)).toEqual(['b2', 'a4'])
})

test('a crowd that is alone leaves no gaps, and none any more once the others have gone', async () => {
  const { begun, crowd, end, look, pass } = openTurns()
  await crowd('a1', 'a2', 'a3', 'a4', 'a5', 'a6')
  await end('a1', 'a2')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
  await look('b1')
  await crowd('a7')
  await pass(gaps.thereMs + minute)
  await end('a3', 'a4')
  expect(begun.slice(5)).toEqual(['a5', 'a6'])
})

test('two crowds leave no gaps for each other', async () => {
  const { begun, crowd, end } = openTurns()
  await crowd('a1', 'a2', 'a3', 'b1', 'b2', 'b3')
  await end('a1', 'a2', 'b1', 'b2')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'b3'])
})

test('two crowds leave gaps for a third, however often they had a turn since', async () => {
  const { begun, crowd, end, look } = openTurns()
  await crowd('a1', 'a2', 'a3', 'c1', 'c2', 'c3')
  await look('b1')
  await end('a1', 'c1', 'a2', 'c2')
  expect(begun).toEqual(['a1', 'a2', 'c1', 'c2', 'b1'])
})

test('whoever has asked for no more than a share is no crowd, and waits for nothing', async () => {
  const { begun, crowd, end, look } = openTurns()
  await look('b1')
  await crowd('a1')
  await end('a1')
  await crowd('a2', 'a3')
  expect(begun).toEqual(['b1', 'a1', 'a2', 'a3'])
})

test('a call that lasts, since it waits for a lock, holds the next one up for no longer than the longest gap', async () => {
  const { begun, crowd, end, look, pass } = openTurns()
  await crowd('a1', 'a2', 'a3', 'a4')
  await look('b1')
  await end('a1')
  expect(begun.slice(3)).toEqual([])
  await pass(gaps.longestMs)
  expect(begun.slice(3)).toEqual(['a3'])
})

test('no gap costs a call its turn: more of them wait, and when too many do, the gap ends', async () => {
  const { begun, ask, crowd, end, look } = openTurns({ waiting: 1 })
  await crowd('a1', 'a2', 'a3')
  await expect(ask('a4')).rejects.toThrow(NoTurn)
  await look('b1')
  await end('a1', 'a2')
  await crowd('a5')
  expect(begun.slice(3)).toEqual([])
  await crowd('a6')
  expect(begun.slice(3)).toEqual(['a3'])
  await crowd('a7', 'a8')
  expect(begun.slice(4)).toEqual(['a5'])
  await expect(ask('a9')).rejects.toThrow(NoTurn)
})

test('no gap costs a call its turn: it waits for longer, and when it has waited too long, the gap ends', async () => {
  const { begun, crowd, end, look, pass } = openTurns({ waitMs: 5 * minute })
  await crowd('a1', 'a2')
  await pass(gaps.longestMs - minute)
  await crowd('a3')
  await look('b1')
  await end('a1', 'a2')
  await pass(gaps.waitMs - minute)
  await look('b2')
  expect(begun.slice(3)).toEqual(['b2'])
  await pass(minute)
  await look('b3')
  expect(begun.slice(3)).toEqual(['b2', 'b3', 'a3'])
})

test('a crowd of work that leaves no gaps goes on at once beside others', async () => {
  const { begun, crowd, end, look } = openTurns({ leavesGaps: false })
  await crowd('a1', 'a2', 'a3', 'a4')
  await look('b1')
  await end('a1', 'a2')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})

test('work that costs more than its turn leaves longer gaps than the rest', async () => {
  const { begun, crowd, end, look, pass } = openTurns({ gaps: { shortestMs: 6 * minute } })
  await crowd('a1', 'a2', 'a3')
  await look('b1')
  await end('a1', 'a2')
  await pass(5 * minute)
  await look('b2')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
  await pass(2 * minute)
  expect(begun.slice(4)).toEqual(['a3'])
})

test('the more of a crowd wait, the longer its gaps', async () => {
  const { begun, crowd, end, look, pass } = openTurns({
    gaps: { perWaitingMs: 2 * minute, waitMs: 60 * minute },
  })
  await crowd('a1', 'a2', 'a3', 'a4')
  await look('b1')
  await end('a1', 'a2')
  // Two minutes, and as much for each of the two that wait.
  await pass(5 * minute)
  await look('b2')
  expect(begun.slice(2)).toEqual(['b1', 'b2'])
  await pass(2 * minute)
  expect(begun.slice(4)).toEqual(['a3'])
  await end('a3')
  await pass(3 * minute)
  await look('b3')
  expect(begun.slice(5)).toEqual(['b3'])
  await pass(2 * minute)
  expect(begun.slice(6)).toEqual(['a4'])
})
