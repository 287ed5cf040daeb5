// The tests for a change, for npm test -- --changed. Folder names decide, so that the answer comes at once.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from './runtime.mjs'

/** Files that differ from the given commit, or else from main; includes uncommitted changes. */
export function changedFiles(since) {
  const base = since ?? git('merge-base', 'main', 'HEAD').trim()
  return [
    ...lines(git('diff', '--name-only', base)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ]
}

/**
 * The tests for changed files, as paths from the project's root.
 * `related`: files whose importing tests vitest finds by itself, in projects where tests import just what they prove.
 * `server`: tests of the changed slices, because each server test starts the whole app.
 * `e2e`: changed browser tests, and those with the name of a changed slice or room of the web.
 */
export function testsFor(files, allFiles) {
  const slices = new Set(files.flatMap(sliceOf))
  const isTouched = (file) => files.includes(file) || sliceOf(file).some((slice) => slices.has(slice))
  const screens = new Set(files.flatMap(screensOf))
  return {
    related: files.filter((file) => /^(contract|web|scripts)\/.*\.(ts|tsx|mjs)$/.test(file)),
    server: allFiles.filter((file) => /^server\/.*\.test\.ts$/.test(file) && isTouched(file)),
    e2e: allFiles.filter(
      (file) =>
        file.endsWith('.e2e.ts') && (files.includes(file) || screens.has(path.basename(file, '.e2e.ts'))),
    ),
  }
}

export function trackedFiles() {
  return [...lines(git('ls-files')), ...lines(git('ls-files', '--others', '--exclude-standard'))].filter(
    (file) => fs.existsSync(path.join(ROOT, file)),
  )
}

/** `server/orders`; for the platform, its room. A file of the contract belongs to the server's slice of that name. */
function sliceOf(file) {
  const [, side, slice, room] = /^(server|contract)\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
  if (side === undefined) return []
  return [slice === 'platform' ? `platform/${room ?? ''}` : slice]
}

/** `team`; for a room, also the room's name, as `search` of `web/src/orders/search`. */
function screensOf(file) {
  const [, slice, room] = /^web\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
  return [slice, room].filter(Boolean)
}

function lines(text) {
  return text.split('\n').filter((line) => line !== '')
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout
}
