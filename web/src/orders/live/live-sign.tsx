import { formatTime } from '#lib/time/dates.ts'
import type { StreamState } from '#lib/calls/event-stream.ts'
import { useServerTime } from '#lib/time/server-clock.ts'
import { useTimezone } from '#merchants/public.ts'
import { liveState, OFFLINE_AFTER_MS } from '../state/live-state.ts'
import styles from './live-sign.module.css'

/** Whether this screen receives changes at once. */
export function LiveSign() {
  const state = liveState.use()
  useServerTime()
  const { kind, words } = describe(state, useTimezone())
  // A narrow header has no room for the usual words, and would move the page once they go.
  const isUsual = kind === 'live' || kind === 'connecting'
  return (
    <span className={styles.state} data-kind={kind} role="status">
      <i aria-hidden />
      <span className={isUsual ? styles.quiet : undefined}>{words}</span>
    </span>
  )
}

function describe(state: StreamState, timezone: string): { kind: string; words: string } {
  if (state.kind === 'live') return { kind: 'live', words: 'Live' }
  if (state.kind === 'connecting') return { kind: 'connecting', words: 'Connecting' }
  if (Date.now() - state.since < OFFLINE_AFTER_MS) return { kind: 'reconnecting', words: 'Reconnecting' }
  return { kind: 'offline', words: `Offline since ${formatTime(state.since, timezone)}` }
}
