import { drawMapCard, type MapAsk } from './map-card.ts'

export interface MapPicture {
  readonly type: string
  readonly bytes: Buffer
  /** How long the browser that asked may keep it. */
  readonly cacheControl: string
}

/** The port to whoever makes maps of addresses. */
export type StaticMaps = (ask: MapAsk) => Promise<MapPicture>

/** The sandbox, and what is shown whenever a real map service has nothing to show. */
export const drawnMaps: StaticMaps = async (ask) => ({
  type: 'image/svg+xml',
  bytes: Buffer.from(drawMapCard(ask), 'utf8'),
  cacheControl: 'private, max-age=86400',
})
