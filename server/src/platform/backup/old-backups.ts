import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { draftName, removeDrafts } from './write-folder.ts'
import { manifestName } from './manifest.ts'

/** Sorts by time as text; without colons, which Windows takes in no file name. */
export function backupName(at: Date): string {
  return at.toISOString().slice(0, 19).replaceAll(':', '-')
}

const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/

const isBackup = (name: string) => namePattern.test(name)

/** Before another one is written: on a disk that the drafts of killed ones fill, it would fail again and again. */
export async function removeKilledBackups(into: string): Promise<void> {
  await removeDrafts(into, isBackup).catch(() => undefined)
}

/**
 * Removes all but the newest `keep` whole backups of the folder, and nothing else. Gives the names of those that it
 * removed: another command at the same time may remove some.
 */
export async function removeOldBackups(into: string, keep: number): Promise<string[]> {
  const names = (await readdir(into)).filter(isBackup).toSorted()
  const whole: string[] = []
  for (const name of names)
    if ((await stat(join(into, name, manifestName)).catch(() => undefined)) !== undefined) whole.push(name)
  const removed: string[] = []
  for (const name of whole.slice(0, Math.max(0, whole.length - keep))) {
    // A command that is killed meanwhile leaves a draft, which the next one finds, and no half backup.
    const draft = join(into, draftName(name))
    if (!(await isMoved(join(into, name), draft))) continue
    await rm(draft, { recursive: true, force: true })
    removed.push(name)
  }
  return removed
}

async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
