import { isLocal, type DisplayGroup } from './order-statuses.ts'

/** SLA0 on time, SLA1 soon due, SLA2 past its deadline (GAP-85). */
export type SlaType = 'SLA0' | 'SLA1' | 'SLA2'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long before its deadline an order is soon due. */
export const warningsMs = { local: 30 * minuteMs, carrier: 4 * hourMs }

/** The classes that a list can be narrowed down to: SLA2 and SLA1. */
export const dueClasses = ['late', 'soon'] as const
export type DueClass = (typeof dueClasses)[number]

interface Due {
  readonly deadlineAtMs: number
  readonly method: string
  readonly nowMs: number
}

export interface DeadlineFacts extends Due {
  readonly timezone: string
}

export function slaTypeOf({ deadlineAtMs, method, nowMs }: Due): SlaType {
  const leftMs = deadlineAtMs - nowMs
  if (leftMs < 0) return 'SLA2'
  return leftMs <= (isLocal(method) ? warningsMs.local : warningsMs.carrier) ? 'SLA1' : 'SLA0'
}

/** Nobody in the shop can hurry an order that is out for delivery, so its badge says that and it has no class. */
export function dueClassOf(due: Due, group: DisplayGroup): DueClass | undefined {
  if (group === 'shipped') return undefined
  const classes: Partial<Record<SlaType, DueClass>> = { SLA1: 'soon', SLA2: 'late' }
  return classes[slaTypeOf(due)]
}

/** The badge's colour class and its words, e.g. "1 h 52 min left" or "By Mon 3:30 PM". */
interface Badge {
  readonly type: SlaType
  readonly message: string
}

/**
 * Makes the function that gives an active order its badge. That function remembers what it wrote: formatting a date is
 * the slowest step of a list, and a deadline's words stay the same.
 */
export function createOnTrack(): (facts: DeadlineFacts) => Badge {
  const write = createWriter()
  return ({ deadlineAtMs, method, nowMs, timezone }) => {
    const leftMs = deadlineAtMs - nowMs
    const type = slaTypeOf({ deadlineAtMs, method, nowMs })
    if (leftMs < 0) return { type, message: `${duration(-leftMs)} late` }
    if (leftMs < 12 * hourMs) return { type, message: `${duration(leftMs)} left` }
    // Less than a week ahead, the weekday alone names the day.
    const look = leftMs < 6 * dayMs ? 'weekday' : 'date'
    return { type, message: `By ${write(deadlineAtMs, look, timezone)}` }
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

const looks = {
  weekday: { weekday: 'short', hour: 'numeric', minute: '2-digit' },
  date: { month: '2-digit', day: '2-digit', year: 'numeric' },
} as const
const writtenLimit = 20_000

function createWriter() {
  const formatters = new Map<string, Intl.DateTimeFormat>()
  const written = new Map<string, string>()
  const formatterOf = (look: keyof typeof looks, timezone: string): Intl.DateTimeFormat => {
    const key = `${timezone} ${look}`
    let formatter = formatters.get(key)
    if (formatter === undefined) {
      formatter = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...looks[look] })
      formatters.set(key, formatter)
    }
    return formatter
  }
  return (timeMs: number, look: keyof typeof looks, timezone: string): string => {
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
}
