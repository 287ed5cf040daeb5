import type { Alarms } from '@cellarhand/contract/live'
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

const bothMelody: Melody = {
  voice: 'horn',
  notes: [...cancelMelody.notes, ...newOrderMelody.notes.map((note) => ({ ...note, at: note.at + 1.4 }))],
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

export function ringingOf({ items }: Alarms, now: number): Ringing | undefined {
  if (items.length === 0) return undefined
  const oldestAt = Math.min(...items.map(({ raised_at }) => Date.parse(raised_at)))
  const waitedMs = Math.max(0, now - oldestAt)
  const index = urgencies.findIndex(({ afterMs }) => waitedMs >= afterMs)
  const { pauseSeconds, loudness } = urgencies[index] ?? urgencies[2]
  const kinds = new Set(items.map(({ kind }) => kind))
  const melody = kinds.size === 2 ? bothMelody : kinds.has('cancelled') ? cancelMelody : newOrderMelody
  const length = Math.max(...melody.notes.map((note) => note.at + note.seconds))
  return { melody, everySeconds: length + pauseSeconds, loudness, urgency: urgencies.length - index }
}
