import { expect, test } from 'vitest'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { createConnectionTurns } from './connection-turns.ts'

const settled = async () => new Promise((resolve) => setImmediate(resolve))

test('two searches of a shop at once are those of two clerks and leave no gap, and three leave one', async () => {
  const clock = createTurnedClock()
  const turns = createConnectionTurns({ app: 10, system: 5 }, clock)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const search = async (name: string) =>
    turns.longLooks.run('a', async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  await turns.any.run('b', async () => undefined)
  const searches = [search('first'), search('second')]
  await end('first')
  expect(begun).toEqual(['first', 'second'])
  await end('second')
  searches.push(search('third'), search('fourth'), search('fifth'))
  await end('third')
  expect(begun.slice(2)).toEqual(['third'])
  clock.turn(1_000)
  await settled()
  expect(begun.slice(2)).toEqual(['third', 'fourth'])
  await end('fourth')
  clock.turn(1_000)
  await settled()
  await end('fifth')
  await Promise.all(searches)
})
