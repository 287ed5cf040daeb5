import { momentOfWallTime } from '../values/wall-time.ts'
import { weekdays, type Hours } from './merchants.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
/** The screen has no later closing time; it means the end of the day. */
const lastMinute = '23:59'

/** Whether a shop is open, since when, and until when. */
export interface Opening {
  readonly isOpen: boolean
  readonly sinceMs: number
  readonly untilMs: number
}

interface Asked {
  readonly hours: Hours['regular_hours']
  readonly nowMs: number
  /** By how many milliseconds the shop's clocks are ahead of UTC at a moment. */
  readonly leadAt: (momentMs: number) => number
}

/** By the delivery hours of the week. A shop that has saved none counts as open. Looks eight days each way. */
export function openingAt({ hours, nowMs, leadAt }: Asked): Opening {
  const always = { isOpen: true, sinceMs: -Infinity, untilMs: Infinity }
  if (hours.length === 0) return always
  const spans: { from: number; to: number }[] = []
  const today = Math.floor((nowMs + leadAt(nowMs)) / dayMs) * dayMs
  for (let ahead = -8; ahead <= 8; ahead++) {
    const wallMs = today + ahead * dayMs
    // Date counts from Sunday, the shop's week from Monday.
    const weekday = weekdays[(new Date(wallMs).getUTCDay() + 6) % 7]
    const day = hours.find((each) => each.weekday === weekday)
    if (day === undefined) continue
    const from = momentOfWallTime(wallMs + timeMs(day.time_open), leadAt)
    const to = momentOfWallTime(wallMs + endMs(day.time_close), leadAt)
    const last = spans.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else spans.push({ from, to })
  }
  const open = spans.find(({ from, to }) => from <= nowMs && nowMs < to)
  if (open !== undefined) return { isOpen: true, sinceMs: open.from, untilMs: open.to }
  const before = spans.findLast(({ to }) => to <= nowMs)
  const next = spans.find(({ from }) => from > nowMs)
  return { isOpen: false, sinceMs: before?.to ?? -Infinity, untilMs: next?.from ?? Infinity }
}

function timeMs(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return (hour * 60 + minute) * minuteMs
}

function endMs(time: string): number {
  return time === lastMinute ? dayMs : timeMs(time)
}
