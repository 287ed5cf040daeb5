import { expect, test } from 'vitest'
import { cellStep, orderNumberAt } from './go-on-elsewhere.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const atMs = Date.UTC(2026, 10, 28)
const cellOf = (number: number) => Math.floor(number / cellStep)

test.each([
  ['a shop', 1_000_017],
  ['a cell that numbers from 2,000,000,000', 2_000_000_017],
])(
  'in %s each restore goes on beyond the one before, also from the same backup or an older one',
  (_, last) => {
    const first = orderNumberAt(atMs, last)
    const again = orderNumberAt(atMs + hourMs, last)
    const older = orderNumberAt(atMs + 2 * hourMs, last - 10)
    const restored = orderNumberAt(atMs + 3 * hourMs, first + 500)
    expect([first > last, again > first, older > again, restored > older]).toEqual([true, true, true, true])
    // A cell stays among its own numbers.
    expect(cellOf(restored)).toBe(cellOf(last))
  },
)

test.each([1_000_017, 2_000_500_000, 3_000_000_000, 7_030_000_000])(
  'until the end of 2060 a restore after the number %d stays in the range of its cell, beyond every restore before',
  (last) => {
    const days = (Date.UTC(2061, 0, 1) - atMs) / dayMs
    let before = last
    for (let day = 0; day <= days; day += 1) {
      const nowMs = atMs + day * dayMs
      // An older backup after a newer one, and the other way round.
      for (const [moment, madeAtMs] of [
        [nowMs, nowMs - 365 * dayMs],
        [nowMs + hourMs, nowMs],
      ] as const) {
        const number = orderNumberAt(moment, last, { madeAtMs, busiestDay: 20_000 })
        expect(number).toBeGreaterThan(before)
        before = number
      }
      // Each life between two restores gives numbers, up to one every two seconds.
      before += 0.5 * 3_600 - 1
    }
    expect(cellOf(before)).toBe(cellOf(last))
    // It still leaves room for the orders after it.
    expect(before % cellStep).toBeLessThan(0.6 * cellStep)
  },
)

test.each([
  ['that is beyond its time', 300],
  ['whose orders since the backup pass its time', 64],
])('a cell as full as can be %s goes on beyond the orders between its backup and the loss', (_, age) => {
  const busiestDay = 11.6 * 86_400
  const last = 2_000_000_000 + Math.round(age * busiestDay)
  const madeAtMs = Date.UTC(2027, 9, 1)
  for (const days of [0.1, 1, 7, 30]) {
    const number = orderNumberAt(madeAtMs + days * dayMs, last, { madeAtMs, busiestDay })
    expect(number).toBeGreaterThan(last + days * busiestDay)
    expect(cellOf(number)).toBe(2)
  }
})

test('a clock that was set back far still leads beyond the backup', () => {
  expect(orderNumberAt(Date.UTC(2026, 10, 1), 2_900_000_000)).toBeGreaterThan(2_900_000_000)
})
