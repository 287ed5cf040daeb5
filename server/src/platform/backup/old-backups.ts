import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDrafts } from './write-folder.ts'
import { manifestName } from './manifest.ts'

/** Sorts by time as text; without colons, which Windows takes in no file name. */
export function backupName(at: Date): string {
  return at.toISOString().slice(0, 19).replaceAll(':', '-')
}

const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/

/**
 * Removes all but the newest `keep` whole backups of the folder, the drafts of killed ones, and nothing else. Gives the names
 * of the whole ones.
 */
export async function removeOldBackups(into: string, keep: number): Promise<string[]> {
  const names = (await readdir(into)).filter((name) => namePattern.test(name)).toSorted()
  const whole: string[] = []
  for (const name of names)
    if ((await stat(join(into, name, manifestName)).catch(() => undefined)) !== undefined) whole.push(name)
  const old = whole.slice(0, Math.max(0, whole.length - keep))
  for (const name of old) await rm(join(into, name), { recursive: true })
  await removeDrafts(into, (name) => namePattern.test(name)).catch(() => undefined)
  return old
}
