import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './runtime.mjs'

const ofFirstDocument = ['AUTH', 'SEARCH', 'INV', 'TERMS', 'DEV', 'CONT']
const ofSecondDocument = ['SHIP', 'DELIV', 'BULK', 'PRINT', 'COMP', 'CARR']

test('every statement names the document that governs it', () => {
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
