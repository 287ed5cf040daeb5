import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeScratchFolder } from '../scratch.mjs'

const mount = (...args: string[]) => spawnSync('mount', args).status === 0

test('a disk that a killed run left mounted stops no later run', () => {
  const first = makeScratchFolder()
  // No process has this number.
  const left = path.join(path.dirname(first.folder), 'cellarhand-test-2147483647-left')
  const disk = path.join(left, 'disk')
  fs.mkdirSync(disk, { recursive: true })
  const isMounted = mount('-t', 'tmpfs', 'tmpfs', disk)
  try {
    const second = makeScratchFolder()
    second.forget()
    // Without the right to mount, the rest of the dead run is simply removed.
    expect(fs.existsSync(disk)).toBe(isMounted)
  } finally {
    if (isMounted) spawnSync('umount', [disk])
    fs.rmSync(left, { recursive: true, force: true })
    first.forget()
  }
})
