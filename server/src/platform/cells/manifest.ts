import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf, manifestName } from '../backup/manifest.ts'
import { createSealer, type Sealer } from '../sealed-text.ts'

/** A fault that the operator can fix; the message says how. */
export class MoveError extends Error {}

export interface MovedTable {
  readonly name: string
  readonly rows: number
  readonly columns: readonly string[]
  /** Their values are sealed with the transfer's key; left out without one. */
  readonly secrets: readonly string[]
}

/** The table of contents of a merchant's folder; written last, so that a folder without one is no export. */
export interface MerchantManifest {
  readonly format: 'cellarhand-merchant-1'
  readonly export_id: string
  readonly merchant: string
  readonly made_at: string
  /** The merchant was closed from before the export on, so that nothing came after it. */
  readonly is_final: boolean
  /** The schema: each migration that had run, in order. */
  readonly migrations: readonly string[]
  /** Each table comes after those that it refers to. */
  readonly tables: readonly MovedTable[]
  /** The export's id, sealed with the transfer's key; null where the secrets are left out. */
  readonly key_check: string | null
  /** Files that a row names and the file store does not have any more. */
  readonly missing_files: readonly string[]
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

export const tableFile = (name: string) => `tables/${name}.json`
export const storedFile = (name: string) => `files/${name}`

const leastKeyLength = 32

/** A key that both cells have for the time of the move, in a file of its own. */
export async function readTransferKey(path: string): Promise<Sealer> {
  const key = await readFile(path, 'utf8').catch((error: Error) => {
    throw new MoveError(`The key's file cannot be read: ${error.message}`)
  })
  if (key.trim().length < leastKeyLength)
    throw new MoveError(
      `The key in ${path} has fewer than ${leastKeyLength} characters. Make one: openssl rand -base64 48 > ${path}`,
    )
  return createSealer([key.trim()], 'merchant transfer')
}

/** Checks every file against the manifest before anything changes. */
export async function readMerchantFolder(folder: string): Promise<MerchantManifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new MoveError(`${folder} is no finished export: it has no ${manifestName}.`)
  })
  const manifest = JSON.parse(text) as MerchantManifest
  if (manifest.format !== 'cellarhand-merchant-1')
    throw new MoveError(`${folder} is no export of a merchant that this version reads.`)
  for (const { path, sha256 } of manifest.files) {
    const found = await digestOf(join(folder, path)).catch(() => undefined)
    if (found !== sha256)
      throw new MoveError(
        `${path} in ${folder} is ${found === undefined ? 'missing' : 'damaged'}. Please export the merchant again.`,
      )
  }
  return manifest
}
