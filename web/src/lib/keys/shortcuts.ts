import { useRouter } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { preferences } from '../kept/preferences.ts'
import { isPageInFront } from './keyboard.ts'

type Keys = Record<string, (event: KeyboardEvent) => void>

const PAIR_MS = 1000
let lastKey = ''
let lastAtMs = 0

/**
 * Single keys, or two in a row written "g o". They work only while no field has the focus, no dialog or panel owns the
 * keys, and no page is loading (two keys in a row work then too). "mod k", K with Ctrl or ⌘, types nothing, so it works in a field too.
 * A person who speaks to the device, or whose hand trembles, can switch off the keys that type a character (WCAG 2.1.4).
 */
export function useShortcuts(keys: Keys): void {
  const router = useRouter()
  const find = useEffectEvent((name: string) => keys[name])
  // Before the screen shows what the keys act on.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isMod = event.metaKey || event.ctrlKey
      if (event.defaultPrevented || event.altKey) return
      const before = event.timeStamp - lastAtMs < PAIR_MS ? lastKey : ''
      const pair = find(`${isMod ? 'mod' : before} ${event.key}`)
      // A held key, or one pressed in a dialog, would otherwise reach the browser and open its search.
      if (isMod && pair) event.preventDefault()
      if (!isPageInFront(isMod)) return
      // Two keys in a row lead to another page, whichever page is still on its way.
      const isLoading = !pair && router.state.status === 'pending'
      if (!isMod && (isLoading || isNoShortcut(event))) return
      // A held movement key keeps moving. Every other key acts once.
      if (event.repeat && (isMod || !['j', 'k'].includes(event.key))) return
      const act = pair ?? (isMod ? undefined : find(event.key))
      act?.(event)
      if (act) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [router])
}

// Once, and after every page's own listener: a page painted between the two keys would not know the first.
addEventListener('keydown', (event) => {
  lastKey = !event.defaultPrevented && isPageInFront(false) && !isNoShortcut(event) ? event.key : ''
  lastAtMs = event.timeStamp
})

function isNoShortcut({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
    return true
  // The name of a key that types no character, such as Enter, is longer.
  if (!key[1] && preferences.get().hasKeysOff) return true
  return key === 'Enter' && target.closest('a, button, summary') !== null
}
