import { fromWallTime, isoWeekday, toWallTime } from '#platform/clock/zoned-time.ts'

const onDemandMs = 2 * 3_600_000
const dayMs = 86_400_000
const weekdays = [1, 2, 3, 4, 5]

export interface DeadlineInput {
  readonly method: string
  readonly windowEnd: string | null
  readonly submittedAtMs: number
  readonly timezone: string
  /** From when on a presale may be shipped; null for all else. */
  readonly readyAtMs: number | null
  /** The days of the week on which the shop is open, Monday 1 to Sunday 7; null while nobody has said so. */
  readonly openDays?: ReadonlySet<number> | null
}

/**
 * On demand two hours, scheduled its window's end, all others one business day in the merchant's zone (GAP-85); nobody
 * can hurry with bottles that are not there yet, so a presale's day begins when it may be shipped. The shop's hours
 * change neither the two hours, which the customer was promised, nor a window that was sold; they only say which
 * weekdays are no business days.
 */
export function deadlineOf(input: DeadlineInput): number {
  const { method, windowEnd, submittedAtMs, timezone, readyAtMs, openDays = null } = input
  if (method === 'on_demand') return submittedAtMs + onDemandMs
  if (method === 'scheduled' && windowEnd !== null) return Date.parse(windowEnd)
  return oneBusinessDayLater(Math.max(submittedAtMs, readyAtMs ?? 0), timezone, businessDays(openDays))
}

/** Monday to Friday but for those on which the shop is closed; a shop that opens at weekends alone counts all five. */
function businessDays(openDays: ReadonlySet<number> | null): ReadonlySet<number> {
  const open = weekdays.filter((day) => openDays?.has(day) ?? true)
  return new Set(open.length > 0 ? open : weekdays)
}

/** The same time of day on the next business day. */
function oneBusinessDayLater(fromMs: number, timezone: string, days: ReadonlySet<number>): number {
  const wall = toWallTime(fromMs, timezone)
  let date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day))
  const onDate = () => ({
    ...wall,
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  })
  do {
    date = new Date(date.getTime() + dayMs)
  } while (!days.has(isoWeekday(onDate())))
  return fromWallTime(onDate(), timezone)
}
