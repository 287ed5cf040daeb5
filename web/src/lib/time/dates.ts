interface ZoneFormats {
  date: Intl.DateTimeFormat
  time: Intl.DateTimeFormat
  name: Intl.DateTimeFormat
}

const zones = new Map<string, ZoneFormats>()

function formatsOf(timeZone: string): ZoneFormats {
  const known = zones.get(timeZone)
  if (known) return known
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone })
  const made = {
    date: format({ year: 'numeric', month: '2-digit', day: '2-digit' }),
    time: format({ hour: 'numeric', minute: '2-digit' }),
    name: format({ timeZoneName: 'long' }),
  }
  zones.set(timeZone, made)
  return made
}

/** MM.DD.YYYY, the dashboard's date format (CONST-003). */
export function formatDate(moment: string | number, timezone: string): string {
  return formatsOf(timezone).date.format(new Date(moment)).replaceAll('/', '.')
}

export function formatTime(moment: string | number, timezone: string): string {
  return plainSpaces(formatsOf(timezone).time.format(new Date(moment)))
}

const DAY_MS = 86_400_000
const zoneNames = new Map<string, string>()

/** The zone's own name, for a time's tooltip. A long list asks for the same few again and again. */
export function zoneName(moment: string | number, timezone: string): string {
  const key = `${timezone} ${Math.floor(new Date(moment).getTime() / DAY_MS)}`
  let name = zoneNames.get(key)
  if (name === undefined) {
    const parts = formatsOf(timezone).name.formatToParts(new Date(moment))
    name = `${parts.find((part) => part.type === 'timeZoneName')?.value ?? timezone} (${timezone})`
    zoneNames.set(key, name)
  }
  return name
}

/** A day without a time, YYYY-MM-DD, is the same day in every zone. */
export function formatDay(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-')
  return `${month}.${date}.${year}`
}

function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ')
}
