import { dayIn } from './dates.ts'
import { serverNow } from './server-clock.ts'

let zone = 'America/New_York'

/** Rules that ask for the shop's day know no component from which to take the zone. */
export function learnShopZone(timezone: string): void {
  zone = timezone
}

/** Today by the shop's clock, YYYY-MM-DD. */
export function shopToday(): string {
  return dayIn(serverNow(), zone)
}
