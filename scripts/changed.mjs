// What a change can touch, for npm test -- --changed: found by folders, so that it is known at once.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from './runtime.mjs'

/** Files that differ from the given commit, or else from main, with what is not committed yet. */
export function changedFiles(since) {
  const base = since ?? git('merge-base', 'main', 'HEAD').trim()
  return [
    ...lines(git('diff', '--name-only', base)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ]
}

/**
 * The tests for changed files, as paths from the project's root.
 * `related`: files whose importing tests vitest finds by itself, where tests import just what they prove.
 * `server`: tests of the changed slices, since each of them starts the whole app. `e2e`: changed browser tests.
 */
export function testsFor(files, allFiles) {
  const slices = new Set(files.flatMap(sliceOf))
  const isTouched = (file) => files.includes(file) || sliceOf(file).some((slice) => slices.has(slice))
  return {
    related: files.filter((file) => /^(contract|web|scripts)\/.*\.(ts|tsx|mjs)$/.test(file)),
    server: allFiles.filter((file) => /^server\/.*\.test\.ts$/.test(file) && isTouched(file)),
    e2e: files.filter((file) => /^e2e\/.*\.e2e\.ts$/.test(file)),
  }
}

export function trackedFiles() {
  return [...lines(git('ls-files')), ...lines(git('ls-files', '--others', '--exclude-standard'))].filter(
    (file) => fs.existsSync(path.join(ROOT, file)),
  )
}

/** `server/orders`; of the platform its room. What is said in the contract is kept by the server's slice of that name. */
function sliceOf(file) {
  const [, side, slice, room] = /^(server|contract)\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
  if (side === undefined) return []
  return [slice === 'platform' ? `platform/${room ?? ''}` : slice]
}

function lines(text) {
  return text.split('\n').filter((line) => line !== '')
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout
}
