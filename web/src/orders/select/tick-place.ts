import { useEffect, type RefObject } from 'react'
import { lastTick } from './use-row-selection.ts'

/** Tab leads from the order that was selected last into the bar once, and from the bar's end on to what follows there. */
export function useTabFromTick(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let cameFrom: HTMLElement | undefined
    let doneWith: typeof lastTick.at
    const listen = (event: KeyboardEvent): void => {
      const { key, shiftKey, target, defaultPrevented } = event
      if (key !== 'Tab' || defaultPrevented || !(target instanceof HTMLElement)) return
      const stops = [...(bar.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
      const [first, last] = [stops.at(0), stops.at(-1)]
      if (!shiftKey && isAtTick(target) && doneWith !== lastTick.at && first) {
        event.preventDefault()
        cameFrom = target
        doneWith = lastTick.at
        first.focus()
      } else if (shiftKey && target === first && cameFrom?.isConnected) {
        event.preventDefault()
        doneWith = undefined
        cameFrom.focus()
      } else if (!shiftKey && target === last && cameFrom?.isConnected) {
        // The browser goes on from there by itself.
        cameFrom.focus()
      }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [bar])
}

function isAtTick(target: HTMLElement): boolean {
  const { at } = lastTick
  if (typeof at !== 'string') return target === at
  return Boolean(target.closest('[data-index]')?.querySelector(`[aria-label="Select #${at}"]`))
}
