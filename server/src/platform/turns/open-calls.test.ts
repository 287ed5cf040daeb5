import { expect, test } from 'vitest'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { createOpenCalls } from './open-calls.ts'
import { NoTurn } from './turns.ts'

const settled = async () => new Promise((resolve) => setImmediate(resolve))

test('beyond twenty that go on and five hundred that wait, a network is refused, and not at once', async () => {
  const clock = createTurnedClock({ runs: false })
  const inLine = createOpenCalls(clock)
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const ask = async (place: string) =>
    inLine(place, async () => {
      begun++
      await gate.promise
    })
  const taken = Array.from({ length: 520 }, () => ask('the flood'))
  let refusal: unknown
  const refused = ask('the flood').catch((error: unknown) => (refusal = error))
  await settled()
  expect([begun, refusal]).toEqual([20, undefined])
  clock.turn(1_900)
  await settled()
  expect(refusal).toBeUndefined()
  clock.turn(100)
  await refused
  expect(refusal).toBeInstanceOf(NoTurn)
  const other = ask('a shop')
  await settled()
  expect(begun).toBe(21)
  gate.resolve()
  await Promise.all([...taken, other])
  expect(begun).toBe(521)
})
