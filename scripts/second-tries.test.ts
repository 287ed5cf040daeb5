import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './runtime.mjs'

const configured = (file: string, option: string) =>
  [
    ...fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(new RegExp(`\\b${option}: ([^,\\n]+),`, 'g')),
  ].map(([, value]) => value)

test('no test passes only at a second try', () => {
  expect(configured('vitest.config.ts', 'retry')).toEqual(['0'])
  expect(configured('playwright.config.ts', 'retries')).toEqual(['0'])
})
