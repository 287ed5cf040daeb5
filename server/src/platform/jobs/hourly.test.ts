import { expect, test } from 'vitest'
import { systemClock } from '../clock/system-clock.ts'
import { eventually } from '../../../test/eventually.ts'
import { startHourly } from './hourly.ts'

test('a work that fails is told, and keeps none of the others from being done', async () => {
  const done: string[] = []
  const told: unknown[] = []
  const hourly = startHourly(
    systemClock,
    [
      () => Promise.reject(new Error('The file store is away')),
      () => Promise.resolve(void done.push('the purge')),
    ],
    (error) => told.push(error),
  )
  hourly.wake()
  await eventually(() => expect(done).toEqual(['the purge']))
  expect(told).toEqual([new Error('The file store is away')])
  await hourly.stop()
})
