import { momentOfWallTime } from '@cellarhand/contract/wall-time'
import { zoneLead } from '#lib/time/zone-lead.ts'

export interface DeliveredFields {
  /** MM/DD/YYYY */
  date: string
  /** 12:00 */
  time: string
  half: 'AM' | 'PM' | ''
}

interface Clock {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

/** The moment with the merchant's offset, or undefined when the fields name no real one. */
export function deliveredOn(fields: DeliveredFields, timezone: string): string | undefined {
  const clock = readClock(fields)
  if (!clock) return undefined
  const { year, month, day, hour, minute } = clock
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  const lead = wall - momentOfWallTime(wall, (at) => zoneLead(at, timezone))
  return `${new Date(wall).toISOString().slice(0, 19)}${offsetText(Math.round(lead / 60_000))}`
}

/** The fields for a moment, for the Now button. */
export function fieldsAt(moment: number, timezone: string): DeliveredFields {
  const local = new Date(moment + zoneLead(moment, timezone))
  const hour = local.getUTCHours()
  return {
    date: `${pad(local.getUTCMonth() + 1)}/${pad(local.getUTCDate())}/${local.getUTCFullYear()}`,
    time: `${hour % 12 === 0 ? 12 : hour % 12}:${pad(local.getUTCMinutes())}`,
    half: hour < 12 ? 'AM' : 'PM',
  }
}

export function isRealDate(text: string): boolean {
  return readDate(text) !== undefined
}

export function isRealTime(text: string): boolean {
  return readTime(text) !== undefined
}

function readClock({ date, time, half }: DeliveredFields): Clock | undefined {
  const day = readDate(date)
  const at = readTime(time)
  if (!day || !at || half === '') return undefined
  // 12 AM is 00, 12 PM is 12 (DELIV-008).
  return { ...day, hour: (at.hour % 12) + (half === 'PM' ? 12 : 0), minute: at.minute }
}

function readDate(text: string): Pick<Clock, 'year' | 'month' | 'day'> | undefined {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim())
  if (!match) return undefined
  const [month, day, year] = match.slice(1).map(Number) as [number, number, number]
  const real = new Date(Date.UTC(year, month - 1, day))
  return real.getUTCMonth() === month - 1 && real.getUTCDate() === day ? { year, month, day } : undefined
}

function readTime(text: string): Pick<Clock, 'hour' | 'minute'> | undefined {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text.trim())
  if (!match) return undefined
  const [hour, minute] = match.slice(1).map(Number) as [number, number]
  return hour >= 1 && hour <= 12 && minute <= 59 ? { hour, minute } : undefined
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

function pad(figure: number): string {
  return String(figure).padStart(2, '0')
}
