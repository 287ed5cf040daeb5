import { createHash, randomUUID } from 'node:crypto'
import { S3mini } from 's3mini'
import type { HealthRecord } from '../outside/health.ts'
import { ProviderError, type FailureKind } from '../outside/provider-error.ts'
import { checkedName, FileDamaged, type FileStore } from './file-store.ts'

export interface S3Settings {
  /** The bucket's address, such as https://s3.us-east-1.amazonaws.com/desk-files. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const objectStoreName = 'The object store'
const waitMs = 20_000
const digestBytes = 32
const tries = 3

/** Any store that speaks S3. A file carries its SHA-256 before its bytes, as on disk. */
export function createS3Store(settings: S3Settings, health?: HealthRecord): FileStore {
  const s3 = new S3mini({ ...settings, requestAbortTimeout: waitMs })
  const persist = createPersist(health)
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

/** Writes, reads and takes away again, since reading alone does not show that files can be kept. */
export async function probeS3(store: FileStore): Promise<void> {
  const name = `check-${randomUUID()}`
  await store.put(name, Buffer.from(name))
  await store.get(name)
  await store.remove(name)
}

/** Each of the three calls may be made again without harm. What the store refuses for good is not asked twice. */
function createPersist(health: HealthRecord | undefined) {
  return async function persist<T>(name: string, call: (name: string) => Promise<T>): Promise<T> {
    const key = checkedName(name)
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await call(key)
        health?.succeeded(objectStoreName)
        return result
      } catch (error) {
        if (error instanceof FileDamaged) throw error
        const failure = explain(error)
        health?.failed(failure)
        if (attempt === tries || failure.kind === 'rejected' || failure.kind === 'unauthorized') throw failure
        await new Promise((resolve) => setTimeout(resolve, 200 * attempt))
      }
    }
  }
}

function explain(error: unknown): ProviderError {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined
  return new ProviderError({ provider: objectStoreName, kind: kindOf(status, error), status, cause: error })
}

function kindOf(status: number | undefined, error: unknown): FailureKind {
  if (status === 429) return 'too_many'
  if (status === 401 || status === 403) return 'unauthorized'
  if (status !== undefined) return status >= 400 && status < 500 ? 'rejected' : 'unavailable'
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? 'refused_connection' : 'broken_off'
}
