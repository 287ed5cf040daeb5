import { expect, test } from 'vitest'
import { coverage, namedIds, runsProduct, statedIds } from './requirements.mjs'

test('states the ids at the head of a line, and no gap', () => {
  expect(
    statedIds('- `AUTH-001` Sign in.\n  as `AUTH-002` says\n- `GAP-001` Unclear.\n- `LIST-010` A list.'),
  ).toEqual(['AUTH-001', 'LIST-010'])
})

test('finds ids in titles only', () => {
  const source = `
    // LIST-001 in a comment
    describe('LIST-002 the list', () => {
      test("LIST-003, LIST-004: it's sorted", () => expect('LIST-005').toBe(1))
      test.skipIf(x)(\`LIST-006 \${y}\`, () => {})
    })`
  expect(namedIds(source)).toEqual(['LIST-002', 'LIST-003', 'LIST-004', 'LIST-006'])
})

test('tells tests of the product from tests of a rule', () => {
  const opens = 'beforeAll(async () => {\n  desk = await openDesk()\n})'
  expect(runsProduct('e2e/shell.e2e.ts', '')).toBe(true)
  expect(runsProduct('server/src/orders/list/order-page.test.ts', opens)).toBe(true)
  expect(runsProduct('server/src/orders/document/deadline.test.ts', 'import { openDesk } from x')).toBe(false)
  expect(runsProduct('contract/src/values/money.test.ts', '')).toBe(false)
})

test('counts by area', () => {
  const areas = coverage(['AUTH-001', 'LIST-001', 'LIST-002'], new Set(['LIST-002']))
  expect([...areas]).toEqual([
    ['AUTH', { stated: 1, untested: ['AUTH-001'] }],
    ['LIST', { stated: 2, untested: ['LIST-001'] }],
  ])
})
