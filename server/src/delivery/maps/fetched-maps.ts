import type { Clock } from '#platform/clock/clock.ts'
import { createOutside, type OutsideOptions } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import type { MapAsk } from './map-card.ts'
import { drawnMaps, type MapPicture, type StaticMaps } from './static-maps.ts'

export interface MapService {
  /** The name for people. */
  readonly name: string
  readonly addressOf: (ask: MapAsk) => string
  /** Pictures per hour and process. Anybody can request a map, and the shop pays for each one. */
  readonly hourlyLimit: number
}

export interface FetchedMaps {
  readonly name: string
  readonly show: StaticMaps
  /** Requests one picture, and throws when `show` would use the drawn card. */
  probe(): Promise<void>
}

/**
 * Pictures of a map service, which this server requests so that its key is never in a page. The server keeps none,
 * because such services allow caching only in the browser, by the header of each picture. On any failure, the drawn
 * card takes the picture's place.
 */
export function createFetchedMaps(
  { name, addressOf, hourlyLimit }: MapService,
  options: Pick<OutsideOptions, 'health' | 'timeoutMs' | 'firstWaitMs'>,
): FetchedMaps {
  const outside = createOutside({ provider: name, timeoutMs: 5_000, budgetMs: 8_000, ...options })
  const underWay = new Map<string, Promise<MapPicture>>()
  const isWithinLimit = createHourlyCount(hourlyLimit, outside.clock)

  async function fetchPicture(ask: MapAsk): Promise<MapPicture | undefined> {
    const answer = await outside.call({ method: 'GET', url: addressOf(ask), expect: 'bytes' })
    const type = answer.headers.get('content-type') ?? ''
    if (!/^image\/(png|jpeg|gif|webp)\b/.test(type)) return undefined
    return { type, bytes: answer.bytes, cacheControl: cacheControlOf(answer.headers.get('cache-control')) }
  }

  async function fetchOrDraw(ask: MapAsk): Promise<MapPicture> {
    try {
      const picture = isWithinLimit() ? await fetchPicture(ask) : undefined
      return picture ?? soon(await drawnMaps(ask))
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      return soon(await drawnMaps(ask))
    }
  }

  return {
    name,
    async show(ask) {
      const key = JSON.stringify(ask)
      const running = underWay.get(key)
      if (running !== undefined) return running
      const fetching = fetchOrDraw(ask).finally(() => underWay.delete(key))
      underWay.set(key, fetching)
      return fetching
    },
    async probe() {
      const picture = await fetchPicture({ address: 'New York, NY', zoom: 10, width: 64, height: 64 })
      if (picture === undefined) throw new ProviderError({ provider: name, kind: 'malformed' })
    },
  }
}

/** Fills the places of a template such as `https://maps.example/{zoom}/{size}?q={address}` (GAP-27). */
export function fillMapTemplate(template: string, { address, zoom, width, height }: MapAsk): string {
  return template
    .replaceAll('{address}', encodeURIComponent(address))
    .replaceAll('{zoom}', String(zoom))
    .replaceAll('{size}', `${width}x${height}`)
}

/** The browser asks again soon, because the failure may be short. */
function soon(picture: MapPicture): MapPicture {
  return { ...picture, cacheControl: 'private, max-age=60' }
}

function createHourlyCount(limit: number, clock: Clock): () => boolean {
  let hour = 0
  let count = 0
  return () => {
    const now = Math.floor(clock.nowMs() / 3_600_000)
    if (now !== hour) count = 0
    hour = now
    count += 1
    return count <= limit
  }
}

/** Only the requesting browser may cache it, for as long as the service says; never a shared cache. */
function cacheControlOf(given: string | null): string {
  const seconds = /max-age=(\d{1,8})/.exec(given ?? '')?.[1]
  return seconds === undefined ? 'no-store' : `private, max-age=${seconds}`
}
