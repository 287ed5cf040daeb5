import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkedName, FileDamaged, type FileStore } from './file-store.ts'
import { draftName, writeWhole } from './write-whole.ts'

const digestBytes = 32
/** More than the block or two that a full disk may still have. */
const probeBytes = 65_536

export const diskFolder = (dataDir: string) => join(dataDir, 'files')

/** Below DATA_DIR. Each file begins with the SHA-256 of the rest, so that neither can exist without the other. */
export function createDiskStore(dataDir: string): FileStore {
  const folder = diskFolder(dataDir)
  const pathOf = (name: string) => join(folder, checkedName(name))
  const makeFolder = () => mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    async put(name, bytes) {
      const path = pathOf(name)
      await makeFolder()
      await writeWhole(path, createHash('sha256').update(bytes).digest(), bytes)
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
    async probe() {
      const draft = join(folder, `.${randomUUID()}.draft`)
      await makeFolder()
      try {
        await writeFile(draft, Buffer.alloc(probeBytes), { flag: 'wx', mode: 0o600 })
      } finally {
        await rm(draft, { force: true })
      }
    },
    async removeOlderThan(moment) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (!draftName.test(name) && !isOurs(name)) continue
        const path = join(folder, name)
        const found = await stat(path).catch(() => undefined)
        if (found?.isFile() === true && found.mtime < moment) await rm(path, { force: true })
      }
    },
  }
}

function isOurs(name: string): boolean {
  try {
    return checkedName(name) === name
  } catch {
    return false
  }
}
