import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncBelow, syncFolder } from '../files/write-whole.ts'
import { documentsBelow } from './documents.ts'
import { BackupError, digestOf, type Manifest } from './manifest.ts'

/** Holds the documents until all of them are complete. No document's name begins with a dot. */
const unfinished = '.restoring'

export interface RestoredDocuments {
  /** The backup's folder. */
  readonly folder: string
  /** The folder that receives them. */
  readonly documents: string
  readonly manifest: Manifest
}

/** Path below the folder of documents, to digest. */
function digestsOf({ files }: Manifest): Map<string, string> {
  const start = 'documents/'
  const ours = files.filter(({ path }) => path.startsWith(start))
  return new Map(ours.map(({ path, sha256 }) => [path.slice(start.length), sha256]))
}

export async function requireNoDocuments(documents: string): Promise<void> {
  const names = await readdir(documents).catch(() => [])
  if (names.length > 0) throw taken(documents)
}

/** Documents from an earlier try of the same restore may stay. Any other document belongs to another shop. */
export async function requireOwnDocuments({ documents, manifest }: RestoredDocuments): Promise<void> {
  const digests = digestsOf(manifest)
  for (const path of await documentsBelow(documents))
    if (!digests.has(path) || digests.get(path) !== (await digestOf(join(documents, path))))
      throw taken(documents)
}

/** Documents reach the disk before the rows that name them, because a commit makes those rows final. */
export async function restoreDocuments(restored: RestoredDocuments): Promise<void> {
  const { folder, documents, manifest } = restored
  const digests = digestsOf(manifest)
  if (digests.size === 0) return
  const drafts = join(documents, unfinished)
  await rm(drafts, { recursive: true, force: true })
  for (const [path, sha256] of digests) {
    const draft = join(drafts, path)
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
    await copyFile(join(folder, 'documents', path), draft)
    if ((await digestOf(draft)) !== sha256) throw new Error(`${path} was not copied whole`)
  }
  await syncBelow(drafts)
  await requireOwnDocuments(restored)
  for (const path of digests.keys()) {
    await mkdir(dirname(join(documents, path)), { recursive: true, mode: 0o700 })
    await rename(join(drafts, path), join(documents, path))
  }
  await rm(drafts, { recursive: true })
  await syncBelow(documents)
  await syncFolder(dirname(documents))
}

function taken(documents: string): BackupError {
  return new BackupError(
    `There are documents in ${documents} already that this restore did not put there. Please name another DATA_DIR.`,
  )
}
