import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/** Paths below the folder, with forward slashes. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
}

/** Without drafts, whose names begin with a dot; empty if the folder does not exist. */
export async function documentsBelow(folder: string): Promise<string[]> {
  const paths = await filesBelow(folder).catch(ifThere([]))
  return paths.filter((path) => !path.split('/').some((name) => name.startsWith('.')))
}

/** Servers replace and remove documents meanwhile, so a vanished file is no error. */
export async function copyDocuments(from: string, to: string): Promise<void> {
  for (const path of await documentsBelow(from)) {
    const target = join(to, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(join(from, path), target).catch(ifThere(undefined))
  }
}

function ifThere<T>(otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return otherwise
    throw error
  }
}
