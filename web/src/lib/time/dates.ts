type Format = (moment: string | number) => string

const MINUTE_MS = 60_000
const KEPT_AT_MOST = 5_000
const zones = new Map<string, { date: Format; time: Format; name: Format }>()

/** Nothing here shows seconds, and a list asks for the same few moments each time it is drawn. */
function remembering(format: (at: Date) => string): Format {
  const known = new Map<number, string>()
  return (moment) => {
    const at = new Date(moment)
    const minute = Math.floor(at.getTime() / MINUTE_MS)
    const words = known.get(minute) ?? format(at)
    if (known.size > KEPT_AT_MOST) known.clear()
    known.set(minute, words)
    return words
  }
}

function formatsOf(timeZone: string) {
  const known = zones.get(timeZone)
  if (known) return known
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone })
  const date = format({ year: 'numeric', month: '2-digit', day: '2-digit' })
  const time = format({ hour: 'numeric', minute: '2-digit' })
  const name = format({ timeZoneName: 'long' })
  const made = {
    date: remembering((at) => date.format(at).replaceAll('/', '.')),
    time: remembering((at) => plainSpaces(time.format(at))),
    name: remembering((at) => {
      const found = name.formatToParts(at).find(({ type }) => type === 'timeZoneName')
      return `${found?.value ?? timeZone} (${timeZone})`
    }),
  }
  zones.set(timeZone, made)
  return made
}

/** MM.DD.YYYY, the dashboard's date format (CONST-003). */
export function formatDate(moment: string | number, timezone: string): string {
  return formatsOf(timezone).date(moment)
}

export function formatTime(moment: string | number, timezone: string): string {
  return formatsOf(timezone).time(moment)
}

/** The zone's own name, for a time's tooltip. */
export function zoneName(moment: string | number, timezone: string): string {
  return formatsOf(timezone).name(moment)
}

/** A day without a time, YYYY-MM-DD, is the same day in every zone. */
export function formatDay(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-')
  return `${month}.${date}.${year}`
}

function plainSpaces(text: string): string {
  return text.replaceAll('\u202f', ' ')
}
