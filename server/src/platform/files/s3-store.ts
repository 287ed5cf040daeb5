import { createHash } from 'node:crypto'
import { S3mini } from 's3mini'
import { checkedName, FileDamaged, type FileStore } from './file-store.ts'

export interface S3Settings {
  /** The bucket's address, such as https://s3.us-east-1.amazonaws.com/desk-files. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const waitMs = 20_000
const digestBytes = 32
const tries = 3

/** Any store that speaks S3. A file carries its SHA-256 before its bytes, as on disk. */
export function createS3Store(settings: S3Settings): FileStore {
  const s3 = new S3mini({ ...settings, requestAbortTimeout: waitMs })
  return {
    put: (name, bytes) =>
      persist(name, async (key) => {
        const digest = createHash('sha256').update(bytes).digest()
        await s3.putObject(key, Buffer.concat([digest, bytes]), 'application/octet-stream')
      }),
    get: (name) =>
      persist(name, async (key) => {
        const found = await s3.getObjectArrayBuffer(key)
        if (found === null) return undefined
        const file = Buffer.from(found)
        const bytes = file.subarray(digestBytes)
        const digest = createHash('sha256').update(bytes).digest()
        if (!digest.equals(file.subarray(0, digestBytes))) throw new FileDamaged(name)
        return bytes
      }),
    remove: (name) => persist(name, async (key) => void (await s3.deleteObject(key))),
  }
}

/** Each of the three calls may be made again without harm. What the store refuses for good is not asked twice. */
async function persist<T>(name: string, call: (name: string) => Promise<T>): Promise<T> {
  const key = checkedName(name)
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(key)
    } catch (error) {
      const status = error instanceof Error && 'status' in error ? Number(error.status) : 0
      const isForGood = error instanceof FileDamaged || (status >= 400 && status < 500 && status !== 429)
      if (attempt === tries || isForGood) throw error
      await new Promise((resolve) => setTimeout(resolve, 200 * attempt))
    }
  }
}
