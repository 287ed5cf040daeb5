import type { LateCause } from '@cellarhand/contract/today'
import { rejectReasonLabels } from '@cellarhand/contract/decisions'
import { formatTime } from '#lib/time/dates.ts'
import type { DayFigures } from './queries.ts'

const minutesOfHour = 60
const minutesOfDay = 24 * minutesOfHour

/** "2.6 min", "42 min", "1 h 38 min", "2 d 3 h". */
export function duration(minutes: number): string {
  if (minutes < 10) return `${minutes} min`
  const whole = Math.round(minutes)
  if (whole < minutesOfHour) return `${whole} min`
  const [size, unit, part, partUnit] =
    whole < minutesOfDay
      ? [minutesOfHour, 'h', whole % minutesOfHour, 'min']
      : [minutesOfDay, 'd', Math.floor((whole % minutesOfDay) / minutesOfHour), 'h']
  return `${Math.floor(whole / size)} ${unit}${part === 0 ? '' : ` ${part} ${partUnit}`}`
}

export function durationOr(minutes: number | null, none: string): string {
  return minutes === null ? none : duration(minutes)
}

const times = (n: number) => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`)

const causeWords: Record<LateCause, (n: number) => string> = {
  not_accepted: () => 'Not accepted yet',
  accepted_late: (n) => `Accepted ${duration(n)} after it came`,
  brought_back: (n) => `Brought back ${times(n)}`,
  courier_lost: (n) => `Courier failed or cancelled ${times(n)}`,
  waiting_for_courier: () => 'Waiting for the courier',
  label_failed: (n) => `Label failed ${times(n)}`,
  waiting_for_label: () => 'Waiting for a label',
  at_the_counter: () => 'At the counter',
  on_the_road: () => 'On the road',
  was_on_hold: () => 'Was on hold',
  took_long: (n) => `Done ${duration(n)} after it was accepted`,
}

export function causeOf({ cause, n }: DayFigures['late_orders'][number]): string {
  return causeWords[cause](n)
}

export function reasonOf({ code, text }: DayFigures['reasons'][number]): string {
  const label = Object.hasOwn(rejectReasonLabels, code)
    ? rejectReasonLabels[code as keyof typeof rejectReasonLabels]
    : code
  return text === null || text === '' ? label : `${label}: ${text}`
}

type Hours = DayFigures['hours']

/** "5 PM"; the hour that a clock change repeats also says its zone, "1 AM EDT". */
export function hourLabels(hours: Hours, timezone: string): string[] {
  const plain = hours.map(({ at }) => formatTime(at, timezone).replace(':00', ''))
  return plain.map((label, index) =>
    plain.indexOf(label) === plain.lastIndexOf(label)
      ? label
      : `${label} ${zoneOf(hours[index]?.at ?? '', timezone)}`,
  )
}

function zoneOf(at: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(
    new Date(at),
  )
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** "Sat 11.21.2026" */
export function dayTitle(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(year, month - 1, date)),
  )
  return `${weekday} ${day.slice(5, 7)}.${day.slice(8, 10)}.${day.slice(0, 4)}`
}

export function dayBeside(day: string, step: 1 | -1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + step * 86_400_000).toISOString().slice(0, 10)
}
