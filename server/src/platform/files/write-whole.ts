import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A file still being written; a killed process leaves it behind. */
export const draftName = /^\.[0-9a-f-]+\.draft$/

/** Afterwards the whole file is on the disk under its name, even after a power cut. A failure leaves nothing. */
export async function writeWhole(path: string, ...parts: readonly Uint8Array[]): Promise<void> {
  const folder = dirname(path)
  const draft = join(folder, `.${randomUUID()}.draft`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      // Not `write`: on a nearly full disk it stores a part and does not fail.
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

/** A new name reaches the disk only with its folder. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows has no such call; its file system persists a rename by itself.
  if (process.platform !== 'win32') await sync(folder, 'r')
}

/** Syncs every file and folder in it, so that a rename of the folder never reaches the disk before them. */
export async function syncBelow(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncBelow(path)
    // On Windows this needs write access.
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
