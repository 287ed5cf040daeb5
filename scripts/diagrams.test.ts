import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readImports, withDiagrams } from './diagrams.mjs'
import { ROOT } from './runtime.mjs'

test('the diagrams of docs/architecture.md are the imports of today (else: node scripts/diagrams.mjs)', () => {
  const text = fs.readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8')
  const modules = readImports()
  expect(modules.length).toBeGreaterThan(300)
  expect(text).toBe(withDiagrams(text, modules))
  // An import that nobody has drawn is noticed.
  const orders = modules.find(({ source }) => source === 'server/src/orders/routes.ts')
  orders?.dependencies.push({ resolved: 'server/src/billing/public.ts' })
  expect(withDiagrams(text, modules)).not.toBe(text)
})
