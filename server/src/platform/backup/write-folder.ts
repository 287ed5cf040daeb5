import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemClock } from '../clock/system-clock.ts'
import { syncBelow, syncFolder } from '../files/write-whole.ts'

const touchEveryMs = 10_000
/** A draft that nobody has touched for so long is that of a killed command. */
const abandonedMs = 120_000
/** Without the six letters it is that of a version before 2026-11-30. */
const draftPattern = /^(.+)\.unfinished(?:-\w{6})?$/

/** For a folder that is on its way out. */
export const draftName = (name: string) => `${name}.unfinished-${randomUUID().slice(0, 6)}`

const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined

/**
 * Fills a folder that nobody sees before it is whole. The draft has a name of its own: two commands for one folder never
 * write into the same, and the second to end is refused. A failure leaves nothing.
 */
export async function writeFolder<T>(
  folder: string,
  taken: (folder: string) => Error,
  fill: (draft: string) => Promise<T>,
): Promise<T> {
  if (await isThere(folder)) throw taken(folder)
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const draft = await mkdtemp(`${folder}.unfinished-`)
  const touching = systemClock.every(touchEveryMs, () => {
    const now = systemClock.nowMs() / 1000
    void utimes(draft, now, now).catch(() => undefined)
  })
  try {
    // Another user's leftover is no reason to have no backup.
    await removeDrafts(parent, (name) => name === basename(folder)).catch(() => undefined)
    const filled = await fill(draft)
    await syncBelow(draft)
    await rename(draft, folder).catch(async (error: unknown) => {
      throw (await isThere(folder)) ? taken(folder) : error
    })
    await syncFolder(parent)
    return filled
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    throw error
  } finally {
    touching.stop()
  }
}

/** Removes the drafts that killed commands left for such folders. */
export async function removeDrafts(
  parent: string,
  isFor: (name: string) => boolean,
  untouchedMs = abandonedMs,
): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, of] = draftPattern.exec(name) ?? []
    if (of === undefined || !isFor(of)) continue
    const found = await stat(join(parent, name)).catch(() => undefined)
    if (found !== undefined && found.mtimeMs <= systemClock.nowMs() - untouchedMs)
      // One that belongs to somebody else keeps no other.
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}
