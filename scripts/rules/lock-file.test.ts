import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { completeLock, entriesWithoutChecksum } from '../complete-lock.mjs'
import { ROOT } from '../runtime.mjs'

const lock = () =>
  JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as { packages: object }

test('the lock file has each package for each platform, with its checksum', () => {
  expect(completeLock(lock())).toEqual([])
  expect(entriesWithoutChecksum(lock()).map(([where]) => where)).toEqual([])
})
