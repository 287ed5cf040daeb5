import { expect, test } from 'vitest'
import type { AlarmKind } from '@cellarhand/contract/live'
import {
  askedMelody,
  cancelMelody,
  lateMelody,
  newOrderMelody,
  ringingOf,
  soonMelody,
} from './alarm-sound.ts'

const now = Date.parse('2026-11-21T18:00:00Z')
const alarm = (secondsAgo: number, kind: AlarmKind = 'new') => ({
  order_id: String(1_000_000 + secondsAgo),
  kind,
  raised_at: new Date(now - secondsAgo * 1_000).toISOString(),
})
const ringing = (...items: ReturnType<typeof alarm>[]) => ringingOf(items, now)

test('nothing rings when everything was noticed', () => {
  expect(ringing()).toBeUndefined()
})

test('the alarm grows with the time that the oldest has waited, in how often and how loud', () => {
  const steps = [0, 61, 181].map((seconds) => ringing(alarm(0, 'cancelled'), alarm(seconds)))
  expect(steps.map((step) => step?.urgency)).toEqual([1, 2, 3])
  expect((steps[2]?.everySeconds ?? 9) < (steps[1]?.everySeconds ?? 0)).toBe(true)
  expect((steps[1]?.everySeconds ?? 9) < (steps[0]?.everySeconds ?? 0)).toBe(true)
  expect(steps.map((step) => step?.loudness)).toEqual([0.6, 0.8, 1])
})

test('a cancellation has its own melody, and both sound when there are both', () => {
  expect(ringing(alarm(1))?.melody).toBe(newOrderMelody)
  expect(ringing(alarm(1, 'cancelled'))?.melody).toBe(cancelMelody)
  const both = ringing(alarm(1), alarm(0, 'cancelled'))?.melody.notes.map(({ hz }) => hz)
  expect(both).toEqual([...cancelMelody.notes, ...newOrderMelody.notes].map(({ hz }) => hz))
})

test('a nearly late order, a late one and a question have melodies of their own, and of five kinds each is heard', () => {
  expect(ringing(alarm(1, 'soon'))?.melody).toBe(soonMelody)
  expect(ringing(alarm(1, 'late'))?.melody).toBe(lateMelody)
  expect(ringing(alarm(1, 'asked'))?.melody).toBe(askedMelody)
  const kinds = ['soon', 'asked', 'new', 'late', 'cancelled'] as const
  const all = ringing(...kinds.map((kind) => alarm(1, kind)))?.melody.notes ?? []
  const each = [cancelMelody, lateMelody, newOrderMelody, askedMelody, soonMelody]
  const expected = each.flatMap(({ notes }) => notes)
  expect(all.map(({ hz }) => hz)).toEqual(expected.map(({ hz }) => hz))
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => a - b))
  expect(new Set(each.map((melody) => JSON.stringify(melody))).size).toBe(5)
})

test('a clock behind the server’s does not silence the alarm', () => {
  expect(ringing(alarm(-30))?.urgency).toBe(1)
})
