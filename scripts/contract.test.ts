import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './runtime.mjs'

const files = fs
  .globSync('contract/src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: fs.readFileSync(path.join(ROOT, file), 'utf8') }))

/** A variable of a whole module that something later can change: `let`, or a collection that begins empty. */
const state = /^(?:export )?(?:let |const \w+[^=]* = new (?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\))/m

test('no module of the contract keeps a state', () => {
  expect(state.test('const written = new Map<string, string>()\n')).toBe(true)
  expect(state.test("const known = new Set(['FedEx'])\n  let size = 0\n")).toBe(false)
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter(({ text }) => state.test(text)).map(({ file }) => file)).toEqual([])
})
