import { useEffect, useEffectEvent } from 'react'
import { isPageInFront } from '#lib/keys/keyboard.ts'

/** A hand scanner types a character every few milliseconds, over a busy radio with a pause. After a longer one, a new text begins. */
const gapMs = 500
const leastLength = 6

/** Hands over each text that a hand scanner types and ends with Enter. That Enter presses no button. */
export function useScanner(onScan: (code: string) => void): void {
  const scan = useEffectEvent(onScan)
  useEffect(() => {
    let text = ''
    let lastAt = 0
    const listen = (event: KeyboardEvent): void => {
      const { key, timeStamp } = event
      if (event.ctrlKey || event.metaKey || event.altKey || !isPageInFront(false)) return void (text = '')
      if (timeStamp - lastAt > gapMs) text = ''
      if (key.length === 1) {
        text += key
        lastAt = timeStamp
      } else if (key === 'Enter' && text.length >= leastLength) {
        event.preventDefault()
        event.stopPropagation()
        const code = text
        text = ''
        scan(code)
      }
    }
    addEventListener('keydown', listen, true)
    return () => removeEventListener('keydown', listen, true)
  }, [])
}
