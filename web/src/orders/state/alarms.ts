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

const RETRY_MS = 5_000
/** The server's own list. Only what left this list is known to the server as noticed. */
let told = silence
/** Noticed on this screen; the server may not know it yet. */
const noticed = new Map<string, Alarm>()
let retry: ReturnType<typeof setTimeout> | undefined

const keyOf = ({ order_id, kind, raised_at }: Alarm): string => `${kind} ${order_id} ${raised_at}`

export function takeAlarms(now: Alarms): void {
  told = now
  const still = new Set(told.items.map(keyOf))
  for (const key of noticed.keys()) if (!still.has(key)) noticed.delete(key)
  showUnnoticed()
}

/** The server's alarms, without those noticed here a moment ago. */
function showUnnoticed(): void {
  const isQuiet = (alarm: Alarm): boolean => noticed.has(keyOf(alarm))
  const quiet = told.items.filter(isQuiet)
  alarms.set({
    total: told.total - quiet.length,
    cancelled: told.cancelled - quiet.filter(({ kind }) => kind === 'cancelled').length,
    items: told.items.filter((alarm) => !isQuiet(alarm)),
  })
}

/** The same as the stream's event; undefined if the server does not answer. */
export function askAlarms(tmk: string): Promise<Alarms | undefined> {
  return call('GET /m/v2/merchant/{tmk}/alarms', { params: { tmk } }).catch(() => undefined)
}

export function forgetAlarms(): void {
  clearTimeout(retry)
  noticed.clear()
  takeAlarms(silence)
}

/** Silences them here at once, and on every other screen once the server knows. */
export function notice(items: readonly Alarm[]): void {
  if (items.length === 0) return
  for (const alarm of items) noticed.set(keyOf(alarm), alarm)
  showUnnoticed()
  void tell()
}

export function noticeOrders(ids: readonly string[]): void {
  notice(alarms.get().items.filter(({ order_id }) => ids.includes(order_id)))
}

/** Repeats until the server knows, so that after a broken connection nobody has to notice twice. */
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
