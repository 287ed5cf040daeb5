import { fromWallTime, isoWeekday, toWallTime } from '#platform/clock/zoned-time.ts'

const onDemandMs = 2 * 3_600_000
const dayMs = 86_400_000
const weekdays = [1, 2, 3, 4, 5]

export interface DeadlineInput {
  readonly method: string
  readonly windowEnd: string | null
  readonly submittedAtMs: number
  readonly timezone: string
  /** The first moment at which a presale may ship; null for all other orders. */
  readonly readyAtMs: number | null
  /** The weekdays on which the shop is open, Monday 1 to Sunday 7; null while they are unknown. */
  readonly openDays?: ReadonlySet<number> | null
}

/**
 * On demand: two hours. Scheduled: the window's end. All others: one business day in the merchant's zone (GAP-85). A
 * presale's business day begins when it may ship. The shop's hours affect neither the two hours, which the customer was
 * promised, nor a sold window; they only decide which weekdays are business days.
 */
export function deadlineOf(input: DeadlineInput): number {
  const { method, windowEnd, submittedAtMs, timezone, readyAtMs, openDays = null } = input
  if (method === 'on_demand') return submittedAtMs + onDemandMs
  if (method === 'scheduled' && windowEnd !== null) return Date.parse(windowEnd)
  return oneBusinessDayLater(Math.max(submittedAtMs, readyAtMs ?? 0), timezone, businessDays(openDays))
}

/** Monday to Friday, without days on which the shop is closed. A shop that opens only at weekends counts all five. */
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
