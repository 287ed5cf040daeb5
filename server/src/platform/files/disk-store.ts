import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkedName, FileDamaged, type FileStore } from './file-store.ts'

const digestBytes = 32

export const diskFolder = (dataDir: string) => join(dataDir, 'files')

/** Below DATA_DIR. Each file begins with the SHA-256 of the rest, so that neither can be there without the other. */
export function createDiskStore(dataDir: string): FileStore {
  const folder = diskFolder(dataDir)
  const pathOf = (name: string) => join(folder, checkedName(name))
  return {
    async put(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(name)
      const draft = join(folder, `.${randomUUID()}.draft`)
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.write(createHash('sha256').update(bytes).digest())
        await file.write(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    },
    async get(name) {
      let file: Buffer
      try {
        file = await readFile(pathOf(name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
      const bytes = file.subarray(digestBytes)
      const digest = createHash('sha256').update(bytes).digest()
      if (!digest.equals(file.subarray(0, digestBytes))) throw new FileDamaged(name)
      return bytes
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}
