import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-line-ends-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

test.skipIf(!fs.existsSync(path.join(ROOT, '.git')))(
  'a clone with the line ends of Windows has ours all the same',
  () => {
    const attributes = fs.readFileSync(path.join(ROOT, '.gitattributes'), 'utf8')
    git('clone', '--quiet', '--no-checkout', '-c', 'core.autocrlf=true', ROOT, 'clone')
    fs.writeFileSync(path.join(folder, 'clone/.git/info/attributes'), attributes)
    git('-C', 'clone', 'checkout', '--quiet', 'HEAD')
    const lines = git('-C', 'clone', 'ls-files', '--eol').trim().split('\n')
    expect(lines.length).toBeGreaterThan(1000)
    expect(lines.filter((line) => !/^i\/(lf|none|-text) +w\/(lf|none|-text) /.test(line))).toEqual([])
  },
)
