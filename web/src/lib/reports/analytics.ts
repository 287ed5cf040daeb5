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
