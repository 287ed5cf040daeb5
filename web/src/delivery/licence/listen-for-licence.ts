import { createStore } from '#lib/kept/store.ts'

/** What a scan on the order's page read, until its dialog takes it. It never leaves the browser. */
export const scannedLicence = createStore<{ readonly orderId: string; readonly text: string } | null>(null)

/** The keys that a hand scanner sends for control characters, together with Ctrl. */
export const controls: Readonly<Record<string, string>> = {
  j: '\n',
  m: '\n',
  '^': '\n',
  '6': '\n',
  '[': '\n',
  ']': '\n',
}
/** A hand scanner types without such a pause. */
export const pauseMs = 400
/** Shorter than the head of any licence: a person has typed it. */
const leastLength = 20

interface Listener {
  isHere: () => boolean
  onText: (text: string) => void
}

/**
 * Hands over the licence that a hand scanner types anywhere but in a field of its own. Every one begins with @. None of
 * its characters gets into a field, and no Enter in it presses a button. What turns out to be typed by a person goes where it
 * was meant to go, a moment later.
 */
export function listenForLicence({ isHere, onText }: Listener): () => void {
  let text = ''
  let target: EventTarget | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (): void => {
    const found = text
    text = ''
    if (found.length >= leastLength) onText(found)
    else if (target instanceof HTMLInputElement) typeInto(target, found.trimEnd())
  }
  const listen = (event: KeyboardEvent): void => {
    const { key, ctrlKey, altKey, metaKey } = event
    if (text === '') {
      const isOwnField = event.target instanceof HTMLTextAreaElement
      if (key !== '@' || ctrlKey || altKey || metaKey || isOwnField || !isHere()) return
      target = event.target
    }
    event.preventDefault()
    event.stopImmediatePropagation()
    if (ctrlKey) text += controls[key.toLowerCase()] ?? ''
    else if (key.length === 1) text += key
    else if (key === 'Enter' || key === 'Tab') text += '\n'
    clearTimeout(timer)
    timer = setTimeout(end, pauseMs)
  }
  addEventListener('keydown', listen, true)
  return () => {
    clearTimeout(timer)
    removeEventListener('keydown', listen, true)
  }
}

/** As if the keys had got there: React hears of it by the event. */
function typeInto(field: HTMLInputElement, text: string): void {
  if (!field.isConnected) return
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
