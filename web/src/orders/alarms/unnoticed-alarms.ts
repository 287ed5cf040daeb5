import type { Alarm, AlarmKind, Alarms } from '@cellarhand/contract/live'
import { can, session } from '#sign-in/public.ts'
import { createStore } from '#lib/kept/store.ts'
import { alarmsOf, noticed, toldAlarms } from '../state/alarms.ts'

/** What nobody of the merchant has noticed yet. */
interface Unnoticed {
  total: number
  counts: Record<AlarmKind, number>
  items: readonly Alarm[]
}

interface AlarmWords {
  one: (id: string) => string
  many: string
}

export const alarmWords: Record<AlarmKind, AlarmWords> = {
  cancelled: { one: (id) => `#${id} cancelled`, many: 'cancelled' },
  late: { one: (id) => `#${id} is late`, many: 'late' },
  new: { one: () => '1 not seen yet', many: 'not seen yet' },
  asked: { one: (id) => `#${id}: you are asked`, many: 'wait for your answer' },
  soon: { one: (id) => `#${id} is nearly late`, many: 'nearly late' },
}

/** The server's alarms for this person, without those noticed here a moment ago. */
export const alarms = createStore(unnoticedOf(toldAlarms.get()))

function show(): void {
  alarms.set(unnoticedOf(toldAlarms.get()))
}

function forgetTold(): void {
  const still = new Set(alarmsOf(toldAlarms.get()).map(keyOf))
  const left = noticed.get().filter((alarm) => still.has(keyOf(alarm)))
  if (left.length < noticed.get().length) noticed.set(left)
  show()
}

export function followAlarms(): () => void {
  forgetTold()
  const ends = [toldAlarms.listen(forgetTold), noticed.listen(show), session.listen(show)]
  return () => ends.forEach((end) => end())
}

export function keyOf({ order_id, kind, raised_at }: Alarm): string {
  return `${kind} ${order_id} ${raised_at}`
}

/** A clerk's question is for those who can answer it. */
export function isForMe({ kind }: Pick<Alarm, 'kind'>): boolean {
  return kind !== 'asked' || can('duties.decide')
}

function unnoticedOf(now: Alarms): Unnoticed {
  const { total, cancelled, due, asked } = now
  const counts = {
    new: total - cancelled,
    cancelled,
    late: due?.late ?? 0,
    soon: due?.soon ?? 0,
    asked: isForMe({ kind: 'asked' }) ? (asked?.total ?? 0) : 0,
  }
  const seen = new Set(noticed.get().map(keyOf))
  const items = alarmsOf(now)
    .filter(isForMe)
    .filter((alarm) => !seen.has(keyOf(alarm)) || (counts[alarm.kind]--, false))
  return { total: Object.values(counts).reduce((sum, count) => sum + count), counts, items }
}
