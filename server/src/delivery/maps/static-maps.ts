import { drawMapCard, type MapAsk } from './map-card.ts'

export interface MapPicture {
  readonly type: string
  readonly bytes: Buffer
  /** How long the requesting browser may keep it. */
  readonly cacheControl: string
}

/** The port to a service that draws maps of addresses. */
export type StaticMaps = (ask: MapAsk) => Promise<MapPicture>

/** The sandbox, and the substitute when a real map service has no picture. */
export const drawnMaps: StaticMaps = async (ask) => ({
  type: 'image/svg+xml',
  bytes: Buffer.from(drawMapCard(ask), 'utf8'),
  cacheControl: 'private, max-age=86400',
})
