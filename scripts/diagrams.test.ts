import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readImports, withDiagrams } from './diagrams.mjs'
import { ROOT } from './runtime.mjs'

test('the diagrams of docs/architecture.md match the present imports', async () => {
  const file = path.join(ROOT, 'docs/architecture.md')
  const modules = readImports()
  expect(modules.length).toBeGreaterThan(300)
  const text = withDiagrams(fs.readFileSync(file, 'utf8'), modules)
  await expect(text).toMatchFileSnapshot(file)
  // An import that nobody has drawn is noticed.
  const orders = modules.find(({ source }: { source: string }) => source === 'server/src/orders/routes.ts')
  orders?.dependencies.push({ resolved: 'server/src/billing/public.ts' })
  expect(withDiagrams(text, modules)).not.toBe(text)
})
