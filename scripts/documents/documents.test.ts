import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const namedFile = /`([\w./#-]+\/[\w.-]+\.(?:tsx?|mjs|css))`/g

test('every file that a document names by a path is there', () => {
  const { stdout } = spawnSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  const files = stdout.split('\n').map((file) => `/${file}`)
  const named = files
    // The catalogue's words are those of the specification.
    .filter((file) => file.endsWith('.md') && !file.endsWith('/requirements.md'))
    .flatMap((file) =>
      [...fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(namedFile)].map(([, name = '']) => ({
        file,
        name,
      })),
    )
  expect(named.length).toBeGreaterThan(100)
  const isThere = (name: string) => files.some((file) => file.endsWith(`/${name.replace('#', '')}`))
  expect(named.filter(({ name }) => !isThere(name))).toEqual([])
})
