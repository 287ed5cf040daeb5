import { formatDate, formatTime } from './dates.ts'
import { serverNow } from './server-clock.ts'

/** "9:03 AM", on another day than today "9:03 AM on 11.28.2026". */
export function untilWords(until: string, timezone: string): string {
  const time = formatTime(until, timezone)
  const day = formatDate(until, timezone)
  return day === formatDate(serverNow(), timezone) ? time : `${time} on ${day}`
}
