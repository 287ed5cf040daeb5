import type { Hours, Weekday } from '@cellarhand/contract/merchants'
import { weekdays } from '@cellarhand/contract/merchants'

/** A time as people type it on a 12-hour clock. */
export interface ClockFields {
  hour: string
  minute: string
  half: 'AM' | 'PM'
}

export interface DayFields {
  isOpen: boolean
  isAllDay: boolean
  opens: ClockFields
  closes: ClockFields
}
export type WeekFields = Record<Weekday, DayFields>

export interface DayProblem {
  field: `${'opens' | 'closes'}-${'hour' | 'minute'}`
  text: string
}
export type WeekProblems = Partial<Record<Weekday, DayProblem>>

export const allDay = { time_open: '00:00', time_close: '23:59' }
const usual = { time_open: '09:00', time_close: '17:00' }

export function toWeek({ regular_hours }: Hours): WeekFields {
  const days = weekdays.map((weekday): [Weekday, DayFields] => {
    const day = regular_hours.find((each) => each.weekday === weekday)
    const isAllDay = day?.time_open === allDay.time_open && day.time_close === allDay.time_close
    const { time_open, time_close } = isAllDay ? usual : (day ?? usual)
    return [
      weekday,
      { isOpen: day !== undefined, isAllDay, opens: toClock(time_open), closes: toClock(time_close) },
    ]
  })
  return Object.fromEntries(days) as WeekFields
}

/** 00:00 is 12:00 AM, 12:30 is 12:30 PM. */
export function toClock(time: string): ClockFields {
  const hour = Number(time.slice(0, 2))
  return { hour: String(hour % 12 || 12), minute: time.slice(3), half: hour < 12 ? 'AM' : 'PM' }
}

/** An empty minute counts as 00 (GAP-157). */
function toTime({ hour, minute, half }: ClockFields): string {
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute.trim().padStart(2, '0')}`
}

export function toHours(week: WeekFields): Hours {
  return {
    regular_hours: weekdays
      .filter((weekday) => week[weekday].isOpen)
      .map((weekday) => {
        const { isAllDay, opens, closes } = week[weekday]
        const times = isAllDay ? allDay : { time_open: toTime(opens), time_close: toTime(closes) }
        return { weekday, ...times }
      }),
  }
}

/** One problem for each day with any (COMP-006, COMP-007, GAP-158). */
export function problemsOfWeek(week: WeekFields): WeekProblems {
  const found = weekdays.flatMap((weekday): [Weekday, DayProblem][] => {
    const problem = problemOf(week[weekday])
    return problem ? [[weekday, problem]] : []
  })
  return Object.fromEntries(found)
}

function problemOf({ isOpen, isAllDay, opens, closes }: DayFields): DayProblem | undefined {
  if (!isOpen || isAllDay) return undefined
  for (const [part, { hour, minute }] of [
    ['opens', opens],
    ['closes', closes],
  ] as const) {
    if (!/^(0?[1-9]|1[0-2])$/.test(hour.trim()))
      return { field: `${part}-hour`, text: 'Please enter an hour from 1 to 12' }
    if (!/^([0-5]?\d)?$/.test(minute.trim()))
      return { field: `${part}-minute`, text: 'Please enter minutes from 00 to 59' }
  }
  if (toTime(closes) <= toTime(opens))
    return {
      field: 'closes-hour',
      text: 'Must close later than it opens. A store open past midnight closes at 11:59 PM here.',
    }
  return undefined
}
