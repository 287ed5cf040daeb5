import type { Alarm, Alarms } from '@cellarhand/contract/live'
import { call, CallError } from '#lib/calls/call.ts'
import { createStore } from '#lib/kept/store.ts'
import { createStoredSettings } from '#lib/kept/stored-settings.ts'
import { merchantKey } from '#sign-in/public.ts'
import { toast } from '#ui/notes/toasts.tsx'

const silence: Alarms = { total: 0, cancelled: 0, items: [] }

/** What nobody of the merchant has noticed yet. */
export const alarms = createStore<Alarms>(silence)

interface AlarmSettings {
  /** Whether this browser is to sound; unset until somebody has said so. */
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

/** Whether this browser lets sound out; blocked until somebody presses something on the page. */
export const sound = createStore<'none' | 'blocked' | 'ready'>('none')
/** Of the tabs of one browser only one sounds. */
export const soundsHere = createStore(false)

const RETRY_MS = 5_000
/** Noticed on this screen, though the server may not have heard of it yet. */
const noticed = new Map<string, Alarm>()
let retry: ReturnType<typeof setTimeout> | undefined

const keyOf = ({ order_id, kind, raised_at }: Alarm): string => `${kind} ${order_id} ${raised_at}`

/** What the server says rings, less what was noticed here a moment ago. */
export function takeAlarms(told: Alarms): void {
  const still = new Set(told.items.map(keyOf))
  for (const key of noticed.keys()) if (!still.has(key)) noticed.delete(key)
  const items = told.items.filter((alarm) => !noticed.has(keyOf(alarm)))
  const quiet = told.items.filter((alarm) => noticed.has(keyOf(alarm)))
  alarms.set({
    total: told.total - quiet.length,
    cancelled: told.cancelled - quiet.filter(({ kind }) => kind === 'cancelled').length,
    items,
  })
}

/** What the stream would tell; undefined where the server does not answer. */
export function askAlarms(tmk: string): Promise<Alarms | undefined> {
  return call('GET /m/v2/merchant/{tmk}/alarms', { params: { tmk } }).catch(() => undefined)
}

export function forgetAlarms(): void {
  clearTimeout(retry)
  noticed.clear()
  alarms.set(silence)
}

/** Silent here at once, and on every other screen as soon as the server has heard. */
export function notice(items: readonly Alarm[]): void {
  if (items.length === 0) return
  for (const alarm of items) noticed.set(keyOf(alarm), alarm)
  takeAlarms(alarms.get())
  void tell()
}

export function noticeOrders(ids: readonly string[]): void {
  notice(alarms.get().items.filter(({ order_id }) => ids.includes(order_id)))
}

/** A line that is cut does not make anybody notice twice: it is told again until the server has heard. */
async function tell(): Promise<void> {
  clearTimeout(retry)
  const items = [...noticed.values()]
  if (items.length === 0) return
  const body = { alarms: items.map(({ order_id, kind }) => ({ order_id, kind })) }
  try {
    await call('POST /m/v2/merchant/{tmk}/alarms/acknowledge', { params: { tmk: merchantKey() }, body })
  } catch (error) {
    if (!(error instanceof CallError) || error.status >= 500) {
      retry = setTimeout(() => void tell(), RETRY_MS)
    } else if (error.status !== 401) {
      noticed.clear()
      toast('error', 'The alarm could not be stopped for the other screens.', error.message)
    }
  }
}
