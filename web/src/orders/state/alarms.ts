import type { Alarm, AlarmKind, Alarms } from '@cellarhand/contract/live'
import { call } from '#lib/calls/call.ts'
import { createStore } from '#lib/kept/store.ts'
import { createStoredSettings } from '#lib/kept/stored-settings.ts'

const silence: Alarms = { total: 0, cancelled: 0, items: [] }

/** What nobody of the merchant has noticed yet. */
export interface Unnoticed {
  total: number
  counts: Record<AlarmKind, number>
  items: readonly Alarm[]
  /** The shop is closed and wants no sound then. */
  isQuiet: boolean
}

/** The server's own list. Only what left this list is known to the server as noticed. */
let told = silence
/** Noticed on this screen; the server may not know it yet. */
export const noticed = new Map<string, Alarm>()

export const alarms = createStore(withoutNoticed())

interface AlarmSettings {
  /** Whether this browser shall sound; unset until somebody decides. */
  wish: 'unset' | 'on' | 'off'
  volume: number
  mutedUntil: number
  notifies: boolean
}

export const alarmSettings = createStoredSettings<AlarmSettings>('cellarhand-alarm', {
  wish: 'unset',
  volume: 0.7,
  mutedUntil: 0,
  notifies: false,
})

/** Whether this browser allows sound; blocked until somebody presses something on the page. */
export const sound = createStore<'none' | 'blocked' | 'ready'>('none')
/** Only one tab of a browser sounds. */
export const soundsHere = createStore(false)

/** Tells the server what was noticed, once that part has arrived. */
export const telling: { tell?: () => void } = {}

function keyOf({ order_id, kind, raised_at }: Alarm): string {
  return `${kind} ${order_id} ${raised_at}`
}

export function takeAlarms(now: Alarms): void {
  told = now
  const still = new Set(itemsOf(told).map(keyOf))
  for (const key of noticed.keys()) if (!still.has(key)) noticed.delete(key)
  showUnnoticed()
}

function showUnnoticed(): void {
  alarms.set(withoutNoticed())
}

function itemsOf({ items, due }: Alarms): Alarm[] {
  return [...items, ...(due?.items ?? [])]
}

/** The server's alarms, without those noticed here a moment ago. */
function withoutNoticed(): Unnoticed {
  const { total, cancelled, due, is_quiet: isQuiet = false } = told
  const counts = { new: total - cancelled, cancelled, late: due?.late ?? 0, soon: due?.soon ?? 0 }
  const items = itemsOf(told).filter((alarm) => !noticed.has(keyOf(alarm)) || (counts[alarm.kind]--, false))
  return {
    total: counts.new + counts.cancelled + counts.late + counts.soon,
    counts,
    items,
    isQuiet,
  }
}

/** The same as the stream's event; undefined if the server does not answer. */
export function askAlarms(tmk: string): Promise<Alarms | undefined> {
  return call('GET /m/v2/merchant/{tmk}/alarms', { params: { tmk } }).catch(() => undefined)
}

export function forgetAlarms(): void {
  noticed.clear()
  takeAlarms(silence)
}

/** Silences them here at once, and on every other screen once the server knows. */
export function notice(items: readonly Alarm[]): void {
  if (items.length === 0) return
  for (const alarm of items) noticed.set(keyOf(alarm), alarm)
  showUnnoticed()
  telling.tell?.()
}

export function noticeOrders(ids: readonly string[]): void {
  notice(alarms.get().items.filter(({ order_id }) => ids.includes(order_id)))
}
