import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './runtime.mjs'

const filesAtMost = 25
const read = [
  'contract/src',
  'server/src',
  'server/seed',
  'server/test',
  'web/src',
  'e2e',
  'scripts',
  'bench',
  'docs',
]
/** Numbered files, read one at a time. */
const lists = /^docs\/decisions$|\/migrations$/

function* foldersIn(folder: string): Generator<[folder: string, files: number]> {
  const entries = fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true })
  yield [folder, entries.filter((entry) => entry.isFile()).length]
  for (const entry of entries) if (entry.isDirectory()) yield* foldersIn(`${folder}/${entry.name}`)
}

test('no folder holds more files than a reader takes in at a glance (decision 0003)', () => {
  const folders = read.flatMap((root) => [...foldersIn(root)])
  expect(folders.length).toBeGreaterThan(50)
  expect(folders.filter(([folder, files]) => files > filesAtMost && !lists.test(folder))).toEqual([])
})
