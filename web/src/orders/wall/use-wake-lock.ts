import { useEffect, useState } from 'react'

export type WakeState = 'asking' | 'awake' | 'refused'

/** Keeps the device's screen on while the page is visible. The browser ends the lock when the page is hidden. */
export function useWakeLock(): WakeState {
  const [state, setState] = useState<WakeState>('asking')
  useEffect(() => {
    let isOver = false
    let lock: WakeLockSentinel | undefined
    const ask = async (): Promise<void> => {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return
      // Only on https and this machine itself.
      const given =
        'wakeLock' in navigator ? await navigator.wakeLock.request().catch(() => undefined) : undefined
      if (isOver) return void given?.release()
      lock = given
      setState(given ? 'awake' : 'refused')
      given?.addEventListener('release', () => isOver || setState('asking'))
    }
    void ask()
    const again = (): void => void ask()
    document.addEventListener('visibilitychange', again)
    // A device that is low on power ends the lock of a page in sight.
    const timer = setInterval(again, 60_000)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [])
  return state
}
