import { useSyncExternalStore } from 'react'

let offsetMs = 0
let bestRoundTripMs = Number.POSITIVE_INFINITY

/** Learns from a reply's Date header. The header has whole seconds, so half a second is added. */
export function learnServerTime(date: string | null, sentAt: number): void {
  if (!date) return
  const receivedAt = Date.now()
  const roundTripMs = receivedAt - sentAt
  const serverMs = Date.parse(date) + 500
  if (Number.isNaN(serverMs)) return
  const offset = serverMs - (sentAt + roundTripMs / 2)
  const drifted = Math.abs(offset - offsetMs) > 2000
  if (roundTripMs <= bestRoundTripMs || drifted) {
    bestRoundTripMs = roundTripMs
    offsetMs = Math.abs(offset) < 1000 ? 0 : offset
  }
}

export function serverNow(): number {
  return Date.now() + offsetMs
}

const TICK_MS = 10_000
const listeners = new Set<() => void>()
let ticks = serverNow()
let timer: ReturnType<typeof setInterval> | undefined

/** Calls every ten seconds; returns the function that ends it. */
export function onTick(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    ticks = serverNow()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** The server's time, renewed every ten seconds: one timer for every badge on the page. */
export function useServerTime(): number {
  return useSyncExternalStore(onTick, () => (timer ? ticks : (ticks = roundToTick(serverNow()))))
}

function roundToTick(ms: number): number {
  return ms - (ms % 1000)
}
