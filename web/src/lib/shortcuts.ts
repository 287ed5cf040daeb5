import { useEffect, useEffectEvent } from 'react'

type Keys = Record<string, (event: KeyboardEvent) => void>

/**
 * Single keys, or two in a row written "g o". None fires while a field has the focus or a dialog or panel is open. Only "mod k",
 * K with Ctrl or ⌘, is heard in a field too: it types nothing there.
 */
export function useShortcuts(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent, before: string): boolean => {
    const act = keys[`${before} ${event.key}`] ?? (before === 'mod' ? undefined : keys[event.key])
    if (!act) return false
    act(event)
    return true
  })
  useEffect(() => {
    let before = ''
    const listen = (event: KeyboardEvent): void => {
      if (isTaken(event)) return
      const isHeard = isWithMod(event) ? onKey(event, 'mod') : onKey(event, before)
      if (isHeard) event.preventDefault()
      before = event.key
      setTimeout(() => (before = ''), 1000)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function isWithMod({ metaKey, ctrlKey }: KeyboardEvent): boolean {
  return metaKey || ctrlKey
}

function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey) return true
  if (document.querySelector('[aria-modal="true"], [role="menu"]')) return true
  if (isWithMod(event)) return false
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[data-no-shortcuts]') !== null) return true
  if (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
    return true
  return event.key === 'Enter' && target.closest('a, button, summary') !== null
}
