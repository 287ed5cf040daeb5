import { createOutside, type OutsideOptions } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import type { MapAsk } from './map-card.ts'
import { drawnMaps, type MapPicture, type StaticMaps } from './static-maps.ts'

export interface MapService {
  /** As people read it. */
  readonly name: string
  readonly addressOf: (ask: MapAsk) => string
  /** Pictures an hour and process. Anybody can ask for a map, and each one is on the shop's bill. */
  readonly hourlyLimit: number
}

export interface FetchedMaps {
  readonly name: string
  readonly show: StaticMaps
  /** Asks for one picture and throws where `show` would draw. */
  probe(): Promise<void>
}

/**
 * Pictures of a map service, asked for by this server, so that its key never stands in a page. Nothing is kept here:
 * the terms of such services leave caching to the browser, by the header that comes with each picture. Whatever goes
 * wrong, the drawn card stands in.
 */
export function createFetchedMaps(
  { name, addressOf, hourlyLimit }: MapService,
  options: Pick<OutsideOptions, 'health' | 'timeoutMs' | 'firstWaitMs'>,
): FetchedMaps {
  const outside = createOutside({ provider: name, timeoutMs: 5_000, budgetMs: 8_000, ...options })
  const underWay = new Map<string, Promise<MapPicture>>()
  const isWithinLimit = createHourlyCount(hourlyLimit)

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

/** Asked for again soon, in case it was only the moment. */
function soon(picture: MapPicture): MapPicture {
  return { ...picture, cacheControl: 'private, max-age=60' }
}

function createHourlyCount(limit: number): () => boolean {
  let hour = 0
  let count = 0
  return () => {
    const now = Math.floor(Date.now() / 3_600_000)
    if (now !== hour) count = 0
    hour = now
    count += 1
    return count <= limit
  }
}

/** For the browser that asked, and for as long as the service says; never for a cache that others share. */
function cacheControlOf(given: string | null): string {
  const seconds = /max-age=(\d{1,8})/.exec(given ?? '')?.[1]
  return seconds === undefined ? 'no-store' : `private, max-age=${seconds}`
}
