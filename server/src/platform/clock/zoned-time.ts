/** A wall-clock moment in some zone. `month` and `day` count from 1. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timezone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timezone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(timezone, formatter)
  }
  return formatter
}

export function isTimezone(name: string): boolean {
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

export function toWallTime(timeMs: number, timezone: string): WallTime {
  const parts = Object.fromEntries(
    formatterOf(timezone)
      .formatToParts(timeMs)
      .map((part) => [part.type, Number(part.value)]),
  )
  return parts as unknown as WallTime
}

/**
 * The moment at which a zone's clocks show this wall time. A time that a clock change skips is read as if the clocks
 * had not changed. A time that it repeats is read as the first of the two.
 */
export function fromWallTime(wall: WallTime, timezone: string): number {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second)
  const offsetAt = (timeMs: number) => {
    const shown = toWallTime(timeMs, timezone)
    return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second) - timeMs
  }
  const dayMs = 86_400_000
  const before = asUtc - offsetAt(asUtc - dayMs)
  const after = asUtc - offsetAt(asUtc + dayMs)
  const isShown = (timeMs: number) => timeMs + offsetAt(timeMs) === asUtc
  if (isShown(before)) return before
  return isShown(after) ? after : before
}

/** Monday is 1, Sunday 7. */
export function isoWeekday(wall: WallTime): number {
  return ((new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay() + 6) % 7) + 1
}
