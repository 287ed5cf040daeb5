import { isPageInFront } from './keyboard.ts'

/** A hand scanner types a character every few milliseconds, over a busy radio with pauses. After a longer one, a new text begins. */
const gapMs = 500
const leastLength = 6

/**
 * Hands over each text that a hand scanner types into no field and ends with Enter. That Enter presses no button.
 * Returns the function that ends it.
 */
export function listenForScans(onScan: (code: string) => void): () => void {
  let text = ''
  let lastAt = 0
  // An ID begins with @ and has an Enter in it for each of its lines: none of them is a code.
  let isId = false
  const listen = (event: KeyboardEvent): void => {
    const { key, timeStamp, target } = event
    const isField =
      target instanceof Element && target.matches('input:not([type="checkbox"]), textarea, select')
    if (isField || event.ctrlKey || event.metaKey || event.altKey || !isPageInFront(false)) {
      text = ''
      return
    }
    if (timeStamp - lastAt > gapMs) {
      text = ''
      isId = false
    }
    // A scanner holds no key down; a clerk holds j to move.
    if (event.repeat) return
    if (key === '@') isId = true
    if (isId) {
      text = ''
      lastAt = timeStamp
      // Nor is any of its letters a shortcut.
      event.preventDefault()
      event.stopPropagation()
    } else if (key.length === 1) {
      text += key
      lastAt = timeStamp
    } else if (key === 'Enter' && text.length >= leastLength) {
      event.preventDefault()
      event.stopPropagation()
      const code = text
      text = ''
      onScan(code)
    }
  }
  addEventListener('keydown', listen, true)
  return () => removeEventListener('keydown', listen, true)
}
