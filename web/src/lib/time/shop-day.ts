import { useSyncExternalStore } from 'react'
import { formatDate } from './dates.ts'
import { onTick, serverNow } from './server-clock.ts'

export const STANDARD_TIMEZONE = 'America/New_York'
let zone = STANDARD_TIMEZONE

/** Rules that ask for the shop's day know no component from which to take the zone. */
export function learnShopZone<Shop extends { timezone: string }>(shop: Shop): Shop {
  zone = shop.timezone
  return shop
}

/** For words beside any component. */
export function shopZone(): string {
  return zone
}

/** Today by the shop's clock, YYYY-MM-DD. */
export function shopToday(): string {
  return formatDate(serverNow(), zone).replace(/^(..).(..).(....)$/, '$3-$1-$2')
}

/** The same; a component that uses it is drawn again when the shop's next day begins. */
export function useShopDay(): string {
  return useSyncExternalStore(onTick, shopToday)
}
