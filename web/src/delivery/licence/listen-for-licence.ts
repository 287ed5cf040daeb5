import type { Order } from '#orders/public.ts'

interface Scanned {
  readonly of: Pick<Order, 'id' | 'version'>
  readonly text: string
  readonly at: number
}

/** The dialog opens within this time. A later one has nothing to do with the person at the door. */
const keptMs = 10_000
let scanned: Scanned | undefined

/** What a scan on the order's page read, until its dialog takes it. It never leaves the browser. */
export function keepScan({ id, version }: Order, text: string): void {
  scanned = { of: { id, version }, text, at: Date.now() }
}

export function forgetScan(): void {
  scanned = undefined
}

/** The scan counts once, soon, and for the order as it was on the page: not for one that came back and went out again. */
export function takeScan({ id, version }: Order): string | undefined {
  const found = scanned
  forgetScan()
  if (found?.of.id !== id || found.of.version !== version) return undefined
  const ageMs = Date.now() - found.at
  // A clock that was set back says nothing about the age.
  return ageMs >= 0 && ageMs < keptMs ? found.text : undefined
}

/** The keys that a hand scanner sends for control characters, together with Ctrl. */
export const controls: Readonly<Record<string, string>> = {
  j: '\n',
  m: '\n',
  '^': '\n',
  '6': '\n',
  '[': '\n',
  ']': '\n',
}
/** A hand scanner types without such a pause, over a busy radio too. */
export const pauseMs = 500
/** Shorter than the head of any licence, or slower than any scanner: a person has typed it. */
const leastLength = 20
const slowestKeyMs = 80

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
  let firstAt = 0
  let lastAt = 0
  const end = (): void => {
    clearTimeout(timer)
    if (text === '') return
    const found = text
    text = ''
    const isScan = found.length >= leastLength && (lastAt - firstAt) / found.length < slowestKeyMs
    if (isScan) onText(found)
    else if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      typeInto(target, found.endsWith('\n') ? found.slice(0, -1) : found)
  }
  const listen = (event: KeyboardEvent): void => {
    const { key, ctrlKey, altKey, metaKey, timeStamp } = event
    if (text === '') {
      const isOwnField = event.target instanceof Element && event.target.matches('[data-scanner]')
      if (key !== '@' || ctrlKey || altKey || metaKey || isOwnField || !isHere()) return
      target = event.target
      firstAt = timeStamp
    } else if (/^(Backspace|Delete|Arrow)/.test(key) || (ctrlKey && key === 'Enter')) {
      // No scanner sends these.
      end()
      return
    }
    lastAt = timeStamp
    event.preventDefault()
    event.stopImmediatePropagation()
    if (ctrlKey) text += controls[key.toLowerCase()] ?? ''
    else if (key.length === 1) text += key
    else if (key === 'Enter' || key === 'Tab') text += '\n'
    clearTimeout(timer)
    timer = setTimeout(end, pauseMs)
  }
  addEventListener('keydown', listen, true)
  // A button that is pressed sends what was typed before.
  addEventListener('pointerdown', end, true)
  return () => {
    clearTimeout(timer)
    removeEventListener('keydown', listen, true)
    removeEventListener('pointerdown', end, true)
  }
}

/** As if the keys had got there: React hears of it by the event. */
function typeInto(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (!field.isConnected) return
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
