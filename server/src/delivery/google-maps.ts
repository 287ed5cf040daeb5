import { createHmac } from 'node:crypto'
import { createOutside, type OutsideOptions } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { drawnMaps, type MapPicture, type StaticMaps } from './static-maps.ts'
import type { MapAsk } from './map-card.ts'

export interface GoogleMapsSettings {
  readonly url: string
  readonly key: string
  /** As Google shows it: base64 for URLs. Without one the address goes out unsigned. */
  readonly signingSecret: string | undefined
  /** Pictures an hour and process. Anybody can ask for a map, and each one is on the shop's bill. */
  readonly hourlyLimit: number
}

const name = 'Google Maps'
const largestSide = 640

/** The path and query with the signature that Google asks for: keys without one are limited or refused. */
export function signGoogleUrl(url: URL, signingSecret: string): string {
  const signature = createHmac('sha1', Buffer.from(signingSecret, 'base64url'))
    .update(`${url.pathname}${url.search}`)
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return `${url.href}&signature=${signature}`
}

/**
 * Google's static maps, asked for by this server, so that neither key nor address leaves it in a page. Nothing is kept
 * here: Google's terms leave caching to the browser, by the header that comes with each picture. Whatever goes wrong,
 * the drawn card stands in.
 */
export function createGoogleMaps(
  settings: GoogleMapsSettings,
  options: Pick<OutsideOptions, 'health' | 'timeoutMs' | 'firstWaitMs'>,
): StaticMaps {
  const outside = createOutside({ provider: name, timeoutMs: 5_000, budgetMs: 8_000, ...options })
  const underWay = new Map<string, Promise<MapPicture>>()
  const isWithinLimit = createHourlyCount(settings.hourlyLimit)

  async function fetchPicture(ask: MapAsk): Promise<MapPicture> {
    if (!isWithinLimit()) return soon(await drawnMaps(ask))
    try {
      const answer = await outside.call({ method: 'GET', url: addressOf(ask, settings), expect: 'bytes' })
      const type = answer.headers.get('content-type') ?? ''
      if (!/^image\/(png|jpeg|gif|webp)\b/.test(type)) return await drawnMaps(ask)
      return { type, bytes: answer.bytes, cacheControl: cacheControlOf(answer.headers.get('cache-control')) }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      return soon(await drawnMaps(ask))
    }
  }

  return async (ask) => {
    const name = JSON.stringify(ask)
    const running = underWay.get(name)
    if (running !== undefined) return running
    const fetching = fetchPicture(ask).finally(() => underWay.delete(name))
    underWay.set(name, fetching)
    return fetching
  }
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

/** For the browser that asked, and for as long as Google says; never for a cache that others share. */
function cacheControlOf(given: string | null): string {
  const seconds = /max-age=(\d{1,8})/.exec(given ?? '')?.[1]
  return seconds === undefined ? 'no-store' : `private, max-age=${seconds}`
}

function addressOf(
  { address, zoom, width, height }: MapAsk,
  { url, key, signingSecret }: GoogleMapsSettings,
): string {
  const shrink = Math.min(1, largestSide / Math.max(width, height))
  const target = new URL(`${url}/maps/api/staticmap`)
  target.search = new URLSearchParams({
    center: address,
    zoom: String(zoom),
    size: `${Math.floor(width * shrink)}x${Math.floor(height * shrink)}`,
    scale: '2',
    markers: address,
    key,
  }).toString()
  return signingSecret === undefined ? target.href : signGoogleUrl(target, signingSecret)
}
