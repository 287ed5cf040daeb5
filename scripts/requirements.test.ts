import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { coverage, namedIds, statedIds } from './requirements.mjs'
import { ROOT } from './runtime.mjs'

test('states what stands at the head of a line, and no gap', () => {
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

test('counts by area', () => {
  const areas = coverage(['AUTH-001', 'LIST-001', 'LIST-002'], new Set(['LIST-002']))
  expect([...areas]).toEqual([
    ['AUTH', { stated: 1, untested: ['AUTH-001'] }],
    ['LIST', { stated: 2, untested: ['LIST-001'] }],
  ])
})

const ofFirstDocument = ['AUTH', 'SEARCH', 'INV', 'TERMS', 'DEV', 'CONT']
const ofSecondDocument = ['SHIP', 'DELIV', 'BULK', 'PRINT', 'COMP', 'CARR']

test('GEN-002 GEN-003 every statement names the document that governs it', () => {
  const catalogue = fs.readFileSync(path.join(ROOT, 'docs', 'requirements.md'), 'utf8')
  const statements = [...catalogue.matchAll(/^- `([A-Z]+)-\d{3}` \(([^)]*)\)/gm)]
  const sources = (area: string) =>
    statements.filter(([, of]) => of === area).map(([, , source = '']) => source)
  expect(statements.every(([, , source = '']) => /doc[12]/.test(source))).toBe(true)
  for (const area of ofFirstDocument) expect(sources(area), area).toSatisfy(all('doc1'))
  for (const area of ofSecondDocument) expect(sources(area), area).toSatisfy(all('doc2'))
})

function all(document: string) {
  return (sources: string[]) => sources.length > 0 && sources.every((source) => source.includes(document))
}
