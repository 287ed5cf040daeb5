import { asText, createClient, NotFoundError, PrismicError, RepositoryNotFoundError } from '@prismicio/client'
import type { Clock } from '#platform/clock/clock.ts'
import { kindOfStatus, type Outside } from '#platform/outside/outside.ts'
import { ProviderError, type Failure, type FailureKind } from '#platform/outside/provider-error.ts'
import { readRetryAfter } from '#platform/outside/retry-after.ts'

export interface BannerData {
  readonly notification_text: string
  readonly message: string | null
  readonly modal_title: string | null
  readonly notification_color: string | null
}

/** A source of documents written elsewhere. */
export interface ContentService {
  /** Undefined when there is none, or when the service does not answer. */
  find(name: string): Promise<BannerData | undefined>
  /** The smallest call that shows whether the service answers. */
  probe(): Promise<void>
}

export interface PrismicSettings {
  /** The repository's name, or its whole address. */
  readonly repository: string
  readonly accessToken: string | undefined
}

export const prismicName = 'Prismic'

const timeoutMs = 2_000
const freshMs = 60_000

interface Copy {
  readonly data: BannerData | undefined
  readonly readAtMs: number
}

/**
 * The documents of a Prismic repository, each a single of the type of its name. They are read at most once a minute.
 * While Prismic is away the last copy is used, because no page may wait for a banner.
 */
export function createPrismicDocuments(
  outside: Outside,
  { repository, accessToken }: PrismicSettings,
): ContentService {
  const client = createClient(repository, {
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(repository.startsWith('http') ? { documentAPIEndpoint: repository } : {}),
    fetch: (url, init) => fetchOnce(clock, url, init),
  })
  const { clock } = outside
  const copies = new Map<string, Copy>()
  const reading = new Map<string, Promise<BannerData | undefined>>()

  async function read(name: string): Promise<BannerData | undefined> {
    const last = copies.get(name)
    try {
      const data = await outside.watch(() => getSingle(name), explain)
      copies.set(name, { data, readAtMs: clock.readingMs() })
      return data
    } catch {
      // The health record notes the failure; the next minute asks again.
      copies.set(name, { data: last?.data, readAtMs: clock.readingMs() })
      return last?.data
    }
  }

  async function getSingle(name: string): Promise<BannerData | undefined> {
    try {
      const { data } = await client.getSingle(name, withinTime(clock))
      return toBanner(data as Record<string, unknown>)
    } catch (error) {
      if (error instanceof NotFoundError && !(error instanceof RepositoryNotFoundError)) return undefined
      throw error
    }
  }

  return {
    async probe() {
      await outside.watch(() => client.getRepository(withinTime(clock)), explain)
    },
    async find(name) {
      const known = copies.get(name)
      if (known !== undefined && clock.readingMs() - known.readAtMs < freshMs) return known.data
      const running = reading.get(name) ?? read(name).finally(() => reading.delete(name))
      reading.set(name, running)
      return running
    },
  }
}

/** One limit for all requests of a reading. */
const withinTime = (clock: Clock) => ({ fetchOptions: { signal: clock.limit(timeoutMs) } })

/** The library drops the status of a failed answer; at 429 it waits as long as Prismic says, and tries again. */
async function fetchOnce(clock: Clock, url: string, init?: object): Promise<Response> {
  const response = await fetch(url, init)
  const { status, headers } = response
  const kind = kindOfStatus(status)
  if (response.ok || kind === 'rejected') return response
  await response.body?.cancel()
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), clock.nowMs())
  throw new ProviderError({ provider: prismicName, kind, status, retryAfterMs })
}

/** A field is a line of text, or rich text, from which only the words are taken. */
function toBanner(data: Record<string, unknown>): BannerData | undefined {
  const field = (name: string, most: number): string | null => {
    const value = data[name]
    const text = Array.isArray(value)
      ? asText(value as Parameters<typeof asText>[0], { separator: '\n' })
      : value
    return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, most) : null
  }
  const text = field('notification_text', 300)
  if (text === null) return undefined
  const color = field('notification_color', 7)
  return {
    notification_text: text,
    message: field('message', 10_000),
    modal_title: field('modal_title', 200),
    notification_color: color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color : null,
  }
}

function explain(error: unknown): Failure | undefined {
  if (error instanceof ProviderError) return undefined
  const kind = kindOf(error)
  return kind && { provider: prismicName, kind, cause: error }
}

function kindOf(error: unknown): FailureKind | undefined {
  if (error instanceof NotFoundError) return 'rejected'
  if (error instanceof PrismicError) return 'unavailable'
  if (error instanceof SyntaxError) return 'malformed'
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no_answer'
  if (error instanceof TypeError) return connectionKind(error.cause)
  return undefined
}

function connectionKind(cause: unknown): FailureKind {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? 'refused_connection' : 'broken_off'
}
