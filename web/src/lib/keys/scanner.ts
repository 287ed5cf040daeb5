import { isPageInFront, lastSignAt, scanGapMs } from './keyboard.ts'

const leastLength = 6

/**
 * Hands over each text that a hand scanner types into no field and ends with Enter. That Enter presses no button.
 * Returns the function that ends it.
 */
export function listenForScans(onScan: (code: string) => void): () => void {
  let text = ''
  let lastAt = lastSignAt
  // The end of a text whose beginning nobody heard is no code: it could be the number of another order.
  let isCut = true
  const listen = (event: KeyboardEvent): void => {
    const { key, timeStamp, target } = event
    const isField =
      target instanceof Element && target.matches('input:not([type="checkbox"]), textarea, select')
    // A prevented key is part of an ID, whose lines are no codes. Another listener may have prevented its Enter alone.
    const isOfId = event.defaultPrevented && key !== 'Enter'
    const isOther = isOfId || event.ctrlKey || event.metaKey || event.altKey
    if (isField || isOther || !isPageInFront(false)) {
      text = ''
      return
    }
    if (timeStamp - lastAt > scanGapMs) {
      text = ''
      isCut = false
    }
    // A scanner holds no key down; a clerk holds j to move.
    if (event.repeat) return
    if (key.length === 1) {
      text += key
      lastAt = timeStamp
    } else if (key === 'Enter' && text.length >= leastLength) {
      event.preventDefault()
      event.stopPropagation()
      const code = text
      text = ''
      if (!isCut) onScan(code)
      isCut = false
    }
  }
  addEventListener('keydown', listen, true)
  return () => removeEventListener('keydown', listen, true)
}
