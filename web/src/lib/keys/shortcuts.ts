import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { isPageInFront } from './keyboard.ts'

type Keys = Record<string, (event: KeyboardEvent) => void>

/**
 * Single keys, or two in a row written "g o". They work only while no field has the focus, no dialog or panel owns the
 * keys, and no page is loading. "mod k", K with Ctrl or ⌘, types nothing, so it works in a field too.
 */
export function useShortcuts(keys: Keys): void {
  const router = useRouter()
  const onKey = useEffectEvent((event: KeyboardEvent, before: string): boolean => {
    const act = keys[`${before} ${event.key}`] ?? (before === 'mod' ? undefined : keys[event.key])
    if (!act) return false
    act(event)
    return true
  })
  const isTaken = useEffectEvent((name: string): boolean => name in keys)
  useEffect(() => {
    let before = ''
    const listen = (event: KeyboardEvent): void => {
      const isMod = event.metaKey || event.ctrlKey
      if (event.defaultPrevented || event.altKey) return
      // A held key, or one pressed in a dialog, would otherwise reach the browser and open its search.
      if (isMod && isTaken(`mod ${event.key}`)) event.preventDefault()
      if (!isPageInFront(isMod)) return
      if (!isMod && (router.state.status === 'pending' || isForElement(event))) return
      // A held movement key keeps moving. Every other key acts once.
      if (event.repeat && (isMod || !['j', 'k'].includes(event.key))) return
      const isHeard = onKey(event, isMod ? 'mod' : before)
      if (isHeard) event.preventDefault()
      before = event.key
      setTimeout(() => (before = ''), 1000)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [router])
}

function isForElement({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
    return true
  return key === 'Enter' && target.closest('a, button, summary') !== null
}
