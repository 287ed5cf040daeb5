import { dayIn, startOfDay } from '#platform/clock/zoned-time.ts'

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

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** What is wrong with two days, by field; empty if nothing is. */
export function periodProblems({ from, to }: { from: string; to: string }): { from?: string; to?: string } {
  if (!isRealDay(from)) return { from: `${from} is no day, such as 2026-11-23.` }
  if (!isRealDay(to)) return { to: `${to} is no day, such as 2026-11-23.` }
  if (to < from) return { to: `The range ends before it begins: ${to} is before ${from}.` }
  return {}
}

function isRealDay(day: string): boolean {
  return dayForm.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true
}

export function periodOf({ from, to }: { from: string; to: string }, timezone: string): Period {
  const dayAfter = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  return { from, to, timezone, fromMs: startOfDay(from, timezone), endMs: startOfDay(dayAfter, timezone) }
}

export function lastDayOf(endMs: number, timezone: string): string {
  return dayIn(endMs - 1, timezone)
}
