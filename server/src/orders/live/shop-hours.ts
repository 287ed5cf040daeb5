import type { Hours } from '@cellarhand/contract/merchants'
import { openingAt, type Opening } from '@cellarhand/contract/opening-hours'
import { leadOf } from '#platform/clock/zoned-time.ts'

/** As the row of a merchant has them. */
export interface ShopHours {
  readonly timezone: string
  /** JSON; null or empty while no day is saved. */
  readonly regular_hours: string | null
}

export function openingOf({ timezone, regular_hours }: ShopHours, nowMs: number): Opening {
  const hours = JSON.parse(regular_hours ?? '[]') as Hours['regular_hours']
  return openingAt({ hours, nowMs, leadAt: (momentMs) => leadOf(momentMs, timezone) })
}
