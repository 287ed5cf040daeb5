import { fromWallTime, isoWeekday, toWallTime } from '#platform/clock/zoned-time.ts'

const onDemandMs = 2 * 3_600_000
const dayMs = 86_400_000
const friday = 5

export interface DeadlineInput {
  readonly method: string
  readonly windowEnd: string | null
  readonly submittedAtMs: number
  readonly timezone: string
  /** From when on a presale may be shipped; null for all else. */
  readonly readyAtMs: number | null
}

/**
 * On demand two hours, scheduled its window's end, all others one business day in the merchant's zone (GAP-85); nobody
 * can hurry with bottles that are not there yet, so a presale's day begins when it may be shipped.
 */
export function deadlineOf(input: DeadlineInput): number {
  const { method, windowEnd, submittedAtMs, timezone, readyAtMs } = input
  if (method === 'on_demand') return submittedAtMs + onDemandMs
  if (method === 'scheduled' && windowEnd !== null) return Date.parse(windowEnd)
  return oneBusinessDayLater(Math.max(submittedAtMs, readyAtMs ?? 0), timezone)
}

/** The same time of day on the next day from Monday to Friday. */
function oneBusinessDayLater(fromMs: number, timezone: string): number {
  const wall = toWallTime(fromMs, timezone)
  let date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day))
  do {
    date = new Date(date.getTime() + dayMs)
  } while (
    isoWeekday({
      ...wall,
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    }) > friday
  )
  return fromWallTime(
    { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    timezone,
  )
}
