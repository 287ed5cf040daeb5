import { isLocal } from './order-statuses.ts'

/** SLA0 on time, SLA1 soon due, SLA2 past its deadline (GAP-85). */
export type SlaType = 'SLA0' | 'SLA1' | 'SLA2'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const localWarningMs = 30 * minuteMs
const carrierWarningMs = 4 * hourMs

export interface DeadlineFacts {
  readonly deadlineAtMs: number
  readonly method: string
  readonly nowMs: number
  readonly timezone: string
}

/** The badge of an active order: its colour class and its words, e.g. "1 h 52 min left" or "Mon 3:30 PM". */
export function onTrack(facts: DeadlineFacts): { type: SlaType; message: string } {
  const { deadlineAtMs, method, nowMs } = facts
  const leftMs = deadlineAtMs - nowMs
  if (leftMs < 0) return { type: 'SLA2', message: `${duration(-leftMs)} late` }
  const warningMs = isLocal(method) ? localWarningMs : carrierWarningMs
  const type = leftMs <= warningMs ? 'SLA1' : 'SLA0'
  return {
    type,
    message: leftMs < 12 * hourMs ? `${duration(leftMs)} left` : `By ${day(deadlineAtMs, facts)}`,
  }
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / minuteMs)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return days === 1 ? '1 day' : `${days} days`
}

/** Less than a week ahead, the weekday alone names the day. */
function day(timeMs: number, { nowMs, timezone }: DeadlineFacts): string {
  const look = timeMs - nowMs < 6 * dayMs ? 'weekday' : 'date'
  return write(timeMs, look, timezone)
}

const looks = {
  weekday: { weekday: 'short', hour: 'numeric', minute: '2-digit' },
  date: { month: '2-digit', day: '2-digit', year: 'numeric' },
} as const
const formatters = new Map<string, Intl.DateTimeFormat>()
const written = new Map<string, string>()
const writtenLimit = 20_000

/** Formatting a date is the slowest step of a list, and a deadline's words stay the same. */
function write(timeMs: number, look: keyof typeof looks, timezone: string): string {
  const key = `${timezone} ${look} ${Math.floor(timeMs / minuteMs)}`
  let text = written.get(key)
  if (text === undefined) {
    text = formatterOf(look, timezone)
      .format(timeMs)
      .replaceAll('\u202f', ' ')
      .replaceAll('/', '.')
      .replace(',', '')
    if (written.size >= writtenLimit) written.clear()
    written.set(key, text)
  }
  return text
}

function formatterOf(look: keyof typeof looks, timezone: string): Intl.DateTimeFormat {
  const key = `${timezone} ${look}`
  let formatter = formatters.get(key)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...looks[look] })
    formatters.set(key, formatter)
  }
  return formatter
}
