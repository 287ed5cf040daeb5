import { config } from '../calls/config.ts'

type Properties = Readonly<Record<string, string | number | boolean>>

interface Layer {
  dataLayer?: object[]
}

/** A till stays open all day, and without a tag manager nothing empties the layer. */
const KEPT = 500

/**
 * Pushes an event to the page's data layer, for the shop's own tools (TELE-004). It never holds a name, an e-mail, an
 * address or an order; a user is a hash.
 */
export function track(event: string, properties: Properties = {}): void {
  const layer = ((globalThis as Layer).dataLayer ??= [])
  layer.push({ event, ...properties })
  if (layer.length > KEPT) layer.splice(0, layer.length - KEPT)
  if (config.forwardsEvents)
    void import('./forward-events.ts').then(
      ({ forwardEvent }) => forwardEvent(event, properties),
      () => undefined,
    )
}

/** SHA-256 in hex (GAP-183); undefined if the browser has no hashing, as on a page without https. */
export async function hashed(id: string): Promise<string | undefined> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle
  if (subtle === undefined) return undefined
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(id)))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
