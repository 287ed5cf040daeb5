import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** A fault that the operator can fix; the message says how. */
export class BackupError extends Error {}

export interface TableBackup {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
}

interface FileBackup {
  /** Below the backup's folder, with forward slashes. */
  readonly path: string
  readonly sha256: string
}

/** The table of contents of a backup folder; written last, so a folder without one is no backup. */
export interface Manifest {
  readonly format: 1
  readonly made_at: string
  /** The schema of the tables: each migration that had run, in order. */
  readonly migrations: readonly string[]
  /** Each table comes after those that it refers to. */
  readonly tables: readonly TableBackup[]
  readonly sequences: readonly { readonly name: string; readonly last_value: string | null }[]
  readonly files: readonly FileBackup[]
}

export const manifestName = 'manifest.json'

export function tableFile(name: string): string {
  return `tables/${name}.copy.gz`
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** It names the digests of all other files, and nothing names its own: one that was cut is no JSON any more. */
function parsed(text: string, folder: string): Manifest {
  try {
    return JSON.parse(text) as Manifest
  } catch {
    throw new BackupError(`${manifestName} in ${folder} is damaged. Please take another backup.`)
  }
}

/** Reads the manifest and checks every file against it before anything changes. */
export async function readBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError(`${folder} is no finished backup: it has no ${manifestName}.`)
  })
  const manifest = parsed(text, folder)
  if (manifest.format !== 1)
    throw new BackupError(`${folder} was made by a newer Cellarhand. Please restore it with that one.`)
  for (const { path, sha256 } of manifest.files) {
    const found = await digestOf(join(folder, path)).catch(() => undefined)
    if (found !== sha256)
      throw new BackupError(
        `${path} in ${folder} is ${found === undefined ? 'missing' : 'damaged'}. Please take another backup.`,
      )
  }
  return manifest
}
