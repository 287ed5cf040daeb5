import type { Alarm, AlarmKind } from '@cellarhand/contract/live'
import type { Melody } from '#lib/output/ringer.ts'
import { Ringer } from '#lib/output/ringer.ts'

export const ringer = new Ringer()

export const newOrderMelody: Melody = {
  voice: 'bell',
  notes: [
    { hz: 659, at: 0, seconds: 0.5 },
    { hz: 880, at: 0.18, seconds: 0.8 },
    { hz: 659, at: 0.6, seconds: 0.5 },
    { hz: 880, at: 0.78, seconds: 0.8 },
  ],
}

export const cancelMelody: Melody = {
  voice: 'horn',
  notes: [
    { hz: 440, at: 0, seconds: 0.22 },
    { hz: 349, at: 0.26, seconds: 0.22 },
    { hz: 262, at: 0.52, seconds: 0.5 },
  ],
}

export const lateMelody: Melody = {
  voice: 'horn',
  notes: [
    { hz: 392, at: 0, seconds: 0.16 },
    { hz: 523, at: 0.2, seconds: 0.16 },
    { hz: 392, at: 0.4, seconds: 0.16 },
    { hz: 523, at: 0.6, seconds: 0.4 },
  ],
}

export const soonMelody: Melody = {
  voice: 'bell',
  notes: [
    { hz: 523, at: 0, seconds: 0.7 },
    { hz: 587, at: 0.5, seconds: 1 },
  ],
}

/** Rises like the voice of a question. */
export const askedMelody: Melody = {
  voice: 'bell',
  notes: [
    { hz: 440, at: 0, seconds: 0.4 },
    { hz: 494, at: 0.2, seconds: 0.4 },
    { hz: 740, at: 0.4, seconds: 1 },
  ],
}

/** In the sequence in which they sound. */
const melodies: Readonly<Record<AlarmKind, Melody>> = {
  cancelled: cancelMelody,
  late: lateMelody,
  new: newOrderMelody,
  asked: askedMelody,
  soon: soonMelody,
}
const between = 0.38

function lengthOf({ notes }: Melody): number {
  return Math.max(...notes.map((note) => note.at + note.seconds))
}

/** One after the other, so that each kind is heard. */
function joined(parts: readonly Melody[]): Melody {
  let start = 0
  const notes = parts.flatMap((part) => {
    const own = part.notes.map((note) => ({ ...note, at: note.at + start }))
    start += lengthOf(part) + between
    return own
  })
  return { voice: parts.some(({ voice }) => voice === 'horn') ? 'horn' : 'bell', notes }
}

/** The longer nobody notices, the louder and the more frequent. */
const urgencies = [
  { afterMs: 180_000, pauseSeconds: 0.4, loudness: 1 },
  { afterMs: 60_000, pauseSeconds: 1.4, loudness: 0.8 },
  { afterMs: 0, pauseSeconds: 3, loudness: 0.6 },
] as const

export interface Ringing {
  melody: Melody
  everySeconds: number
  loudness: number
  /** Starts at 1, then 2 and 3 while nobody notices. */
  urgency: number
}

export function ringingOf(items: readonly Alarm[], now: number): Ringing | undefined {
  if (items.length === 0) return undefined
  const oldestAt = Math.min(...items.map(({ raised_at }) => Date.parse(raised_at)))
  const waitedMs = Math.max(0, now - oldestAt)
  const index = urgencies.findIndex(({ afterMs }) => waitedMs >= afterMs)
  const { pauseSeconds, loudness } = urgencies[index] ?? urgencies[2]
  const kinds = new Set(items.map(({ kind }) => kind))
  const parts = Object.entries(melodies).flatMap(([kind, own]) => (kinds.has(kind as AlarmKind) ? [own] : []))
  const melody = parts.length === 1 ? (parts[0] ?? newOrderMelody) : joined(parts)
  return {
    melody,
    everySeconds: lengthOf(melody) + pauseSeconds,
    loudness,
    urgency: urgencies.length - index,
  }
}
