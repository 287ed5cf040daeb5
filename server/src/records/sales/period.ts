import { dayAfter, dayIn, isRealDay, startOfDay } from '#platform/clock/zoned-time.ts'

/** Whole days in the shop's zone, the last one included. */
export interface Period {
  /** YYYY-MM-DD */
  readonly from: string
  readonly to: string
  readonly timezone: string
  readonly fromMs: number
  /** The first moment after it. */
  readonly endMs: number
}

/** The faults of two days, by field; empty if there are none. */
export function periodProblems({ from, to }: { from: string; to: string }): { from?: string; to?: string } {
  if (!isRealDay(from)) return { from: `${from} is no day, such as 2026-11-23.` }
  if (!isRealDay(to)) return { to: `${to} is no day, such as 2026-11-23.` }
  if (to < from) return { to: `The range ends before it begins: ${to} is before ${from}.` }
  return {}
}

export function periodOf({ from, to }: { from: string; to: string }, timezone: string): Period {
  const endMs = startOfDay(dayAfter(to), timezone)
  return { from, to, timezone, fromMs: startOfDay(from, timezone), endMs }
}

export function contains({ fromMs, endMs }: Period, ms: number): boolean {
  return ms >= fromMs && ms < endMs
}

export function lastDayOf(endMs: number, timezone: string): string {
  return dayIn(endMs - 1, timezone)
}
