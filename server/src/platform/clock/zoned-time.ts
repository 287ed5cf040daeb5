import { momentOfWallTime } from '@cellarhand/contract/wall-time'

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

/** By how many milliseconds the zone's clocks are ahead of UTC at a moment. */
export function leadOf(timeMs: number, timezone: string): number {
  const second = Math.floor(timeMs / 1000) * 1000
  return asUtc(toWallTime(second, timezone)) - second
}

export function fromWallTime(wall: WallTime, timezone: string): number {
  return momentOfWallTime(asUtc(wall), (timeMs) => leadOf(timeMs, timezone))
}

function asUtc({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The zone's day at that moment, YYYY-MM-DD. */
export function dayIn(timeMs: number, timezone: string): string {
  const { year, month, day } = toWallTime(timeMs, timezone)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/

/** February has no 30th. */
export function isRealDay(day: string): boolean {
  return dayForm.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true
}

const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/**
 * Whether it is a date and time with its zone, as ISO 8601 writes them. `Date.parse` takes "7" for a day in July 2001, and
 * the thirtieth of February for a day in March.
 */
export function isMoment(said: unknown): said is string {
  return (
    typeof said === 'string' &&
    momentForm.test(said) &&
    isRealDay(said.slice(0, 10)) &&
    !Number.isNaN(Date.parse(said))
  )
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

/** The moment at which the zone's day (YYYY-MM-DD) begins. */
export function startOfDay(date: string, timezone: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return fromWallTime({ year, month, day, hour: 0, minute: 0, second: 0 }, timezone)
}

/** Monday is 1, Sunday 7. */
export function isoWeekday(wall: WallTime): number {
  return ((new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay() + 6) % 7) + 1
}
