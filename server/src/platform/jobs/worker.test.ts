import { expect, test } from 'vitest'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { eventually } from '../../../test/eventually.ts'
import { askedBy, askerNow, ownWork } from '../turns/asker.ts'
import { startWorker } from './worker.ts'

test('a round is the server’s own work, whoever wakes it and also when it looks again later', async () => {
  const clock = createTurnedClock({ runs: false })
  const askers: string[] = []
  const worker = startWorker({
    clock,
    everyMs: 60_000,
    onError: (error) => {
      throw error
    },
    async work() {
      await Promise.resolve()
      askers.push(askerNow())
      return askers.length === 2 ? 100 : undefined
    },
  })
  await askedBy('person 1', async () => {
    // The second wake asks for another round, and that one for a third.
    worker.wake()
    worker.wake()
    await eventually(() => expect(askers).toHaveLength(2))
    clock.turn(100)
    await eventually(() => expect(askers).toHaveLength(3))
    expect(askerNow()).toBe('person 1')
  })
  expect(askers).toEqual([ownWork, ownWork, ownWork])
  await worker.stop()
})
