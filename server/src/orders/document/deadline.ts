import { weekdays, type Hours } from '@cellarhand/contract/merchants'
import { presaleShipsFrom } from '@cellarhand/contract/order-guards'
import type { Statements } from '#platform/db/database.ts'
import { fromWallTime, isoWeekday, startOfDay, toWallTime } from '#platform/clock/zoned-time.ts'
import type { LockedOrder } from './lock-order.ts'
import type { StoredOrder } from './stored-order.ts'

const onDemandMs = 2 * 3_600_000
const dayMs = 86_400_000
const workingDays = [1, 2, 3, 4, 5]

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
 * presale's business day begins when it may ship; so does that of bottles that have to wait for longer than the two
 * hours or the window. The shop's hours affect neither the two hours, which the customer was promised, nor a sold
 * window; they only decide which weekdays are business days.
 */
export function deadlineOf(input: DeadlineInput): number {
  const { method, windowEnd, submittedAtMs, timezone, readyAtMs, openDays = null } = input
  const leavesAtMs = Math.max(submittedAtMs, readyAtMs ?? 0)
  if (method === 'on_demand' && leavesAtMs === submittedAtMs) return submittedAtMs + onDemandMs
  const windowEndMs = windowEnd === null ? undefined : Date.parse(windowEnd)
  if (method === 'scheduled' && windowEndMs !== undefined && windowEndMs > (readyAtMs ?? -Infinity))
    return windowEndMs
  return oneBusinessDayLater(leavesAtMs, timezone, businessDays(openDays))
}

type Dated = Pick<StoredOrder, 'delivery' | 'items' | 'date_submitted'>

export interface ShopCalendar {
  readonly timezone: string
  /** The saved delivery hours as JSON text; null while there are none. */
  readonly regularHours: string | null
}

/** The deadline that an order has by its method, its window and its lines, if it can be worked on from a moment on. */
export function deadlineFor(
  { delivery, items, date_submitted }: Dated,
  { timezone, regularHours }: ShopCalendar,
  fromMs = Date.parse(date_submitted),
): Date {
  return new Date(
    deadlineOf({
      method: delivery.method,
      windowEnd: delivery.window?.[1] ?? null,
      submittedAtMs: fromMs,
      timezone,
      readyAtMs: readyAtMs(items, timezone),
      openDays: openDaysOf(regularHours),
    }),
  )
}

interface Changed {
  readonly locked: LockedOrder
  readonly order: Dated
}

/**
 * The deadline after a change of the lines. It moves only if the order may now leave at another moment. Without its
 * presale, an order that waited for one begins now: nobody could send it earlier.
 */
export async function deadlineAfter(
  { query, clock }: Statements,
  merchantId: string,
  { locked: { order: before, deadlineAt, timezone }, order: after }: Changed,
): Promise<Date> {
  if (after.items === before.items) return deadlineAt
  const submittedAtMs = Date.parse(after.date_submitted)
  const leavesAtMs = ({ items }: Dated) => Math.max(submittedAtMs, readyAtMs(items, timezone) ?? 0)
  const leftAtMs = leavesAtMs(before)
  if (leavesAtMs(after) === leftAtMs) return deadlineAt
  // Read here and not with each lock: only a changed presale asks for them.
  const [shop] = await query<{ regular_hours: string | null }>(
    'select regular_hours from merchants where merchant_id = $1',
    [merchantId],
  )
  const calendar = { timezone, regularHours: shop?.regular_hours ?? null }
  return deadlineFor(after, calendar, Math.min(clock.nowMs(), leftAtMs))
}

/** The first moment at which all lines may leave; null when none of them has to wait. */
function readyAtMs(items: Dated['items'], timezone: string): number | null {
  const day = presaleShipsFrom(items)
  return day === null ? null : startOfDay(day, timezone)
}

function openDaysOf(regularHours: string | null): ReadonlySet<number> | null {
  if (regularHours === null) return null
  const days = JSON.parse(regularHours) as Hours['regular_hours']
  return new Set(days.map(({ weekday }) => weekdays.indexOf(weekday) + 1))
}

/** Monday to Friday, without days on which the shop is closed. A shop that opens only at weekends counts all five. */
function businessDays(openDays: ReadonlySet<number> | null): ReadonlySet<number> {
  const open = workingDays.filter((day) => openDays?.has(day) ?? true)
  return new Set(open.length > 0 ? open : workingDays)
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
