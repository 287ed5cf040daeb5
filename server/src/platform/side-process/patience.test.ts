import { expect, test } from 'vitest'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { createPatience } from './patience.ts'

function openPatience() {
  const clock = createTurnedClock({ runs: false })
  let givenUp = 0
  const patience = createPatience(clock, () => void givenUp++)
  patience.start()
  return { clock, patience, givenUp: () => givenUp }
}

test('two seconds of work without a sign are too many, and pauses are no part of them', () => {
  const { clock, patience, givenUp } = openPatience()
  for (let pause = 0; pause < 19; pause++) {
    clock.turn(100)
    patience.leave()
    clock.turn(60_000)
    patience.comeBack()
  }
  expect(givenUp()).toBe(0)
  clock.turn(100)
  expect(givenUp()).toBe(1)
})

test('a sign begins the two seconds anew; without a question there are none', () => {
  const { clock, patience, givenUp } = openPatience()
  clock.turn(1_900)
  patience.hear(1_900)
  clock.turn(1_900)
  patience.leave()
  patience.hear(3_800)
  clock.turn(60_000)
  patience.comeBack()
  clock.turn(1_900)
  expect(givenUp()).toBe(0)
})

test('a quarter of the time in which it may work is enough, and less is not', () => {
  const { clock, patience, givenUp } = openPatience()
  const work = (hadMs: number) => {
    for (let second = 0; second < 2; second++) {
      clock.turn(500)
      patience.leave()
      clock.turn(5_000)
      patience.comeBack()
      clock.turn(500)
      patience.hear(hadMs)
    }
  }
  work(501)
  expect(givenUp()).toBe(0)
  work(1_000)
  expect(givenUp()).toBe(1)
})
