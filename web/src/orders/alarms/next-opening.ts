import { momentOfWallTime } from '@cellarhand/contract/wall-time'
import type { Reply } from '#lib/calls/call.ts'
import { zoneLead } from '#lib/time/zone-lead.ts'

type Hours = Reply<'GET /c/v2/merchants/{tmk}/hours'>['regular_hours']

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const DAY_MS = 86_400_000
const USUAL_OPENING = '09:00'

/** The shop's next opening from tomorrow on, by its own clock; nine o'clock if its hours are unknown. */
export function nextOpening(hours: Hours, timezone: string, now: number): number {
  const today = now + zoneLead(now, timezone)
  for (let ahead = 1; ahead <= 7; ahead++) {
    const date = new Date(today + ahead * DAY_MS)
    const open = hours.find(({ weekday }) => weekday === days[date.getUTCDay()])
    if (open) return at(date, open.time_open, timezone)
  }
  return at(new Date(today + DAY_MS), USUAL_OPENING, timezone)
}

function at(date: Date, time: string, timezone: string): number {
  const [hour, minute] = time.split(':').map(Number)
  const wall = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), hour, minute)
  return momentOfWallTime(wall, (moment) => zoneLead(moment, timezone))
}
