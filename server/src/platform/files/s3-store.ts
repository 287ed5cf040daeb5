import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini } from 's3mini'
import type { HealthRecord } from '../outside/health.ts'
import { ProviderError, type FailureKind } from '../outside/provider-error.ts'
import { readRetryAfter } from '../outside/retry-after.ts'
import { checkedName, FileDamaged, handingOut, type FileStore } from './file-store.ts'

export interface S3Settings {
  /** The bucket's address, such as https://s3.us-east-1.amazonaws.com/desk-files. */
  readonly endpoint: string
  /** The same for people's browsers; undefined if they cannot reach the store. */
  readonly publicEndpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly timeoutMs?: number
}

export const objectStoreName = 'The object store'
const usualTimeoutMs = 10_000
const budgetMs = 25_000
const tries = 3
const linkSeconds = 120
const digestHeader = 'x-amz-meta-sha256'

/** Any store that speaks S3. The file's SHA-256 is stored as metadata of the object. */
export function createS3Store(settings: S3Settings, health: HealthRecord): FileStore {
  const { publicEndpoint, timeoutMs = usualTimeoutMs } = settings
  const s3 = new S3mini({ ...settings, requestAbortTimeout: timeoutMs, fetch: fetchOnce })
  const persist = createPersist(health)
  return {
    put: (name, bytes) =>
      persist(name, async (key) => {
        const digest = { [digestHeader]: digestOf(bytes) }
        await s3.putObject(key, bytes, handingOut(name).type, undefined, digest)
      }),
    get: (name) =>
      persist(name, async (key) => {
        const answer = await s3.getObjectResponse(key)
        if (answer === null) return undefined
        const bytes = Buffer.from(await answer.arrayBuffer())
        if (answer.headers.get(digestHeader) !== digestOf(bytes)) throw new FileDamaged(name)
        return bytes
      }),
    remove: (name) => persist(name, async (key) => void (await s3.deleteObject(key))),
    linkTo: publicEndpoint === undefined ? undefined : linkMaker(publicEndpoint),
  }

  function linkMaker(endpoint: string): FileStore['linkTo'] {
    const signer = new S3mini({ ...settings, endpoint })
    return (name) =>
      persist(name, async (key) => {
        // The store's own answer to a missing file means nothing to a person.
        if ((await s3.objectExists(key)) !== true) return undefined
        const { type, disposition } = handingOut(name)
        return signer.getPresignedUrl('GET', key, linkSeconds, {
          'response-content-type': type,
          'response-content-disposition': disposition,
        })
      })
  }
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Writes, reads and removes a file, because reading alone does not prove that the store takes files. */
export async function probeS3(store: FileStore): Promise<void> {
  const name = `check-${randomUUID()}`
  await store.put(name, Buffer.from(name))
  await store.get(name)
  await store.remove(name)
}

/**
 * Every call can be repeated without harm. A final refusal is not repeated. There is no circuit: a batch tries for half
 * a minute in all, and must not miss the store's return.
 */
function createPersist(health: HealthRecord) {
  return async function persist<T>(name: string, call: (name: string) => Promise<T>): Promise<T> {
    const key = checkedName(name)
    const until = performance.now() + budgetMs
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await call(key)
        health.succeeded(objectStoreName)
        return result
      } catch (error) {
        if (error instanceof FileDamaged) throw error
        const failure = explain(error)
        health.failed(failure)
        const waitMs = Math.max(200 * attempt, failure.retryAfterMs ?? 0)
        const isPassing = failure.isOutage || failure.kind === 'too_many'
        if (!isPassing || attempt === tries || performance.now() + waitMs > until) throw failure
        await sleep(waitMs)
      }
    }
  }
}

/** The library drops the headers of a failed answer. */
async function fetchOnce(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(url, init)
  if (answer.status !== 429) return answer
  await answer.body?.cancel()
  const retryAfterMs = readRetryAfter(answer.headers.get('retry-after'), Date.now())
  throw new ProviderError({ provider: objectStoreName, kind: 'too_many', status: 429, retryAfterMs })
}

function explain(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined
  return new ProviderError({ provider: objectStoreName, kind: kindOf(status, error), status, cause: error })
}

function kindOf(status: number | undefined, error: unknown): FailureKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status !== undefined) return status >= 400 && status < 500 ? 'rejected' : 'unavailable'
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no_answer'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? 'refused_connection' : 'broken_off'
}
