import { expect, test } from 'vitest'
import { createPace } from '#platform/turns/pace.ts'
import { NoTurn } from '#platform/turns/turns.ts'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { createLabelPress } from './label-tasks.ts'

const hour = 3_600_000
/** So long that no machine is slow enough to let one pass by itself. */
const gaps = {
  thereMs: 10 * hour,
  perTurn: 0,
  shortestMs: hour,
  perWaitingMs: 0,
  longestMs: hour,
  waiting: 250,
  waitMs: 9 * hour,
}
const settled = async () => new Promise((resolve) => setImmediate(resolve))

test('merged labels of a crowd leave gaps of their own: short ones, in which twenty more may wait', async () => {
  const clock = createTurnedClock()
  // No file is ever read, so nothing is merged.
  const unused = { ask: () => Promise.reject(new Error('Nothing to merge')), stop: async () => undefined }
  const press = createLabelPress(unused, { clock, pace: createPace(clock, gaps) })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const merge = (name: string) =>
    press.merge(name[0] ?? '', () => {
      begun.push(name)
      return new Promise((_, reject) => ends.set(name, () => reject(new Error(`${name} has ended`))))
    })
  const crowd = (...names: string[]) => names.map((name) => merge(name).catch((error: unknown) => error))
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  crowd('b1')
  await end('b1')
  // Two clerks.
  crowd('c1', 'c2')
  await end('c1')
  expect(begun).toEqual(['b1', 'c1', 'c2'])
  await end('c2')
  crowd('a1', 'a2', 'a3')
  await end('a1')
  clock.turn(1_000)
  await settled()
  expect(begun.slice(3)).toEqual(['a1', 'a2'])
  // One has gone on, one waits: nineteen more fill the line, and the gaps let in twenty more.
  const more = crowd(...Array.from({ length: 40 }, (_, at) => `a-${at}`))
  expect(await more.at(-1)).toBeInstanceOf(NoTurn)
  expect(await Promise.race([more.at(-2), 'it waits'])).toBe('it waits')
})
