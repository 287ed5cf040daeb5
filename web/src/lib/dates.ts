const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timezone} ${JSON.stringify(options)}`
  let found = formatters.get(key)
  if (!found) {
    found = new Intl.DateTimeFormat('en-US', { ...options, timeZone: timezone })
    formatters.set(key, found)
  }
  return found
}

/** MM.DD.YYYY, the dashboard's date format (CONST-003). */
export function formatDate(moment: string | number | Date, timezone: string): string {
  return formatter(timezone, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .format(new Date(moment))
    .replaceAll('/', '.')
}

export function formatTime(moment: string | number | Date, timezone: string): string {
  return plainSpaces(formatter(timezone, { hour: 'numeric', minute: '2-digit' }).format(new Date(moment)))
}

/** The zone's own name, for the title of a time. */
export function zoneName(moment: string | number | Date, timezone: string): string {
  const parts = formatter(timezone, { timeZoneName: 'long' }).formatToParts(new Date(moment))
  return `${parts.find((part) => part.type === 'timeZoneName')?.value ?? timezone} (${timezone})`
}

/** A day without a time, YYYY-MM-DD, is the same day in every zone. */
export function formatDay(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-')
  return `${month}.${date}.${year}`
}

/** How far the zone is ahead of UTC at that moment, in minutes. */
export function zoneOffsetMinutes(moment: number, timezone: string): number {
  const parts = formatter(timezone, {
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(moment)
  const at = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'))
  return Math.round((local - Math.floor(moment / 1000) * 1000) / 60_000)
}

function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ')
}
