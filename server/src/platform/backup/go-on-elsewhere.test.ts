import { expect, test } from 'vitest'
import { orderNumberAt } from './go-on-elsewhere.ts'

const hourMs = 3_600_000
const atMs = Date.UTC(2026, 10, 28)

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
    expect(Math.floor(restored / 1_000_000_000)).toBe(Math.floor(last / 1_000_000_000))
  },
)

test('a clock that was set back far still leads beyond the backup', () => {
  expect(orderNumberAt(Date.UTC(2026, 10, 1), 2_900_000_000)).toBeGreaterThan(2_900_000_000)
})
