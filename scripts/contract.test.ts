import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './runtime.mjs'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const filesOf = (pattern: string) =>
  fs
    .globSync(pattern, { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: read(file) }))
const files = filesOf('contract/src/**/*.ts')

/** A variable of a whole module that something later can change: `let`, or a collection that begins empty. */
const state = /^(?:export )?(?:let |const \w+[^=]* = new (?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\))/m

test('no module of the contract keeps a state', () => {
  expect(state.test('const written = new Map<string, string>()\n')).toBe(true)
  expect(state.test("const known = new Set(['FedEx'])\n  let size = 0\n")).toBe(false)
  expect(files.length).toBeGreaterThan(40)
  expect(files.filter(({ text }) => state.test(text)).map(({ file }) => file)).toEqual([])
})

const imports = /^import (?:\{([^}]*)\}|\* as (\w+)) from '@cellarhand\/contract\/([\w-]+)'/gm

/** What a file takes from the contract, also by way of `* as calls`: module and name. */
function takenBy(text: string): [module: string, name: string][] {
  return [...text.matchAll(imports)].flatMap(([, listed, whole, module = '']) => {
    const names =
      whole === undefined
        ? (listed ?? '').split(',').map((name) => name.trim().split(' ')[0] ?? '')
        : [...text.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g'))].map(([, name = '']) => name)
    return names.map((name): [string, string] => [module, name])
  })
}

test("a call's module is in the folder named after the slice that serves it", () => {
  const { exports } = JSON.parse(read('contract/package.json')) as { exports: Record<string, string> }
  const folderOf = new Map<string, string>()
  for (const [module, target] of Object.entries(exports))
    for (const [, call] of read(path.join('contract', target)).matchAll(/^export const (\w+) = endpoint\(/gm))
      folderOf.set(`${module.slice(2)} ${call}`, target.split('/').at(-2) ?? '')
  const served = filesOf('server/src/*/**/*.ts').flatMap(({ file, text }) =>
    takenBy(text)
      .map(([module, name]) => ({
        call: name,
        folder: folderOf.get(`${module} ${name}`),
        slice: file.split('/')[2],
      }))
      .filter(({ folder }) => folder !== undefined),
  )
  expect(served.length).toBeGreaterThan(90)
  expect(served.filter(({ folder, slice }) => folder !== slice)).toEqual([])
})
