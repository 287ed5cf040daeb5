import { useEffect, useLayoutEffect } from 'react'
import { useShortcuts } from '#lib/keys/shortcuts.ts'

/** Of the selection's bar. */
export const barKeys = { accept: 'a', slips: 'p', pick: 'w', take: 'm', focus: 'b' }
let waiting: string | undefined

/** In the bar's place after a tick: a key of the bar waits for it, unless another press follows. */
export function KeysAhead() {
  useShortcuts(Object.fromEntries(Object.values(barKeys).map((key) => [key, () => void (waiting = key)])))
  useLayoutEffect(() => {
    const forget = (): void => void (waiting = undefined)
    // Ahead of the shortcuts, which may keep the same key.
    addEventListener('keydown', forget, true)
    addEventListener('pointerdown', forget, true)
    return () => {
      removeEventListener('keydown', forget, true)
      removeEventListener('pointerdown', forget, true)
    }
  }, [])
  return null
}

/** Presses the key that has waited, once the bar and its parts listen. */
export function useKeyThatWaited(): void {
  useEffect(() => {
    const key = waiting
    waiting = undefined
    if (key !== undefined) document.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }))
  }, [])
}
