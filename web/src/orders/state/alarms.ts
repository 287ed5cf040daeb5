import type { Alarm, Alarms } from '@cellarhand/contract/live'
import { call } from '#lib/calls/call.ts'
import { createStore } from '#lib/kept/store.ts'
import { createStoredSettings } from '#lib/kept/stored-settings.ts'

const silence: Alarms = { total: 0, cancelled: 0, items: [] }

/** The server's own list. Only what left this list is known to the server as noticed. */
export const toldAlarms = createStore(silence)
/** Noticed on this screen; the server may not know it yet. The alarm desk tells it. */
export const noticed = createStore<readonly Alarm[]>([])

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

export function alarmsOf({ items, due, asked }: Alarms): Alarm[] {
  return [...items, ...(due?.items ?? []), ...(asked?.items ?? [])]
}

/** The same as the stream's event; undefined if the server does not answer. */
export function askAlarms(tmk: string): Promise<Alarms | undefined> {
  return call('GET /m/v2/merchant/{tmk}/alarms', { params: { tmk } }).catch(() => undefined)
}

export function forgetAlarms(): void {
  noticed.set([])
  toldAlarms.set(silence)
}

/** Silences them here at once, and on every other screen once the server knows. */
export function notice(items: readonly Alarm[]): void {
  if (items.length > 0) noticed.set([...noticed.get(), ...items])
}

export function noticeOrders(ids: readonly string[]): void {
  notice(alarmsOf(toldAlarms.get()).filter(({ order_id }) => ids.includes(order_id)))
}
