import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A file that is being written; a process that is killed leaves it behind. */
export const draftName = /^\.[0-9a-f-]+\.draft$/

/** Afterwards the whole file is on the disk under its name, also after a power cut. If that fails, nothing is left. */
export async function writeWhole(path: string, ...parts: readonly Uint8Array[]): Promise<void> {
  const folder = dirname(path)
  const draft = join(folder, `.${randomUUID()}.draft`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      // Not `write`: on a nearly full disk it writes a part and does not fail.
      for (const part of parts) await file.writeFile(part)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(folder)
}

/** A new name is on the disk only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows has no such call, and its file system keeps a rename by itself.
  if (process.platform !== 'win32') await sync(folder, 'r')
}

/** Every file and folder in it, so that a rename of the folder never comes to the disk before them. */
export async function syncBelow(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncBelow(path)
    // Windows wants the right to write for it.
    else if (entry.isFile()) await sync(path, process.platform === 'win32' ? 'r+' : 'r')
  }
  await syncFolder(folder)
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
