import { createHmac } from 'node:crypto'
import type { MapAsk } from './map-card.ts'

export interface GoogleMapsSettings {
  readonly url: string
  readonly key: string
  /** As Google shows it: base64 for URLs. Without one the address goes out unsigned. */
  readonly signingSecret: string | undefined
}

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

/** Where Google's picture of an address is: by the address itself, so that nobody has to look up where it lies. */
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
