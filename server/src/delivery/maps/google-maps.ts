import { createHmac } from 'node:crypto'
import type { MapAsk } from './map-card.ts'

export interface GoogleMapsSettings {
  readonly url: string
  readonly key: string
  /** In URL-safe base64, as Google shows it. Without one, the address goes out unsigned. */
  readonly signingSecret: string | undefined
}

const largestSide = 640

/** The path and query with Google's signature: it limits or refuses keys without one. */
export function signGoogleUrl(url: URL, signingSecret: string): string {
  const signature = createHmac('sha1', Buffer.from(signingSecret, 'base64url'))
    .update(`${url.pathname}${url.search}`)
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return `${url.href}&signature=${signature}`
}

/** The address of Google's picture; it names the street address, so that nobody has to look up coordinates. */
export function googleMapAddress(
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
