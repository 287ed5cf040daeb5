import { useLayoutEffect } from 'react'

/** A dialog, a menu, a panel, or the place where one of them is about to appear. */
interface Owner {
  /** Keeps the focus while the owner is on top. An owner without a box leaves the focus free. */
  readonly box: HTMLElement | null
  /** The moment from which the owner receives keys. Keys pressed earlier are not for it. */
  since: number
}

/** Every open owner, the topmost last. The page owns the keys while the list is empty. */
const owners: Owner[] = []
let pageSince = 0

const presses = new Map<string, { readonly at: number; readonly on: EventTarget | null }>()
const dropped = new Set<string>()
let hasLostText = false
/** When a digit was last pressed, or another sign that is no letter. */
export let lastSignAt = -Infinity
/** When the last key of an ID came, if any. */
let idAt = NaN

/** A hand scanner types a character every few milliseconds, over a busy radio with pauses. After a longer one, a new text begins. */
export const scanGapMs = 500

/** Takes the keys in the same tick. The owner receives them after `start`; until then nobody does. */
export function takeKeys(box: HTMLElement | null) {
  const owner: Owner = { box, since: Infinity }
  owners.push(owner)
  return {
    start() {
      owner.since = performance.now()
      hidePage()
    },
    isOnTop: () => owners.at(-1) === owner,
    giveBack() {
      const at = owners.indexOf(owner)
      owners.splice(at, 1)
      hidePage()
      if (at < owners.length) return
      const next = owners.at(-1)
      if (next) next.since = Math.max(next.since, performance.now())
      else pageSince = performance.now()
    },
  }
}

/** Hides the page from screen readers too. `inert` would do the same, and the browser would style every element anew. */
function hidePage(): void {
  const page = document.getElementById('root')
  if (owners.some(({ box, since }) => box && since < Infinity)) page?.setAttribute('aria-hidden', 'true')
  else page?.removeAttribute('aria-hidden')
}

/** The page's single keys work only while the page owns the keyboard. Ctrl+K works unless a dialog owns it. */
export function isPageInFront(isMod: boolean): boolean {
  return owners.every(({ box }) => isMod && !box)
}

/** For a menu or panel, which leaves the focus free: the page's keys pause while it is open. */
export function useKeys(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const keys = takeKeys(null)
    keys.start()
    return keys.giveBack
  }, [isOpen])
}

/**
 * A key belongs to the owner at the moment of the press. A slow machine may handle the key later, when a dialog has the
 * focus that the clerk had not seen yet; the guard then drops the key. A held key counts from the first press. A held
 * Enter or Space is for the element that it first pressed, and not for the next step that this press has opened.
 */
function guard(event: KeyboardEvent): void {
  // When the browser fills in a form, it sends key events without a key.
  if (!event.key) return
  const code = event.code || event.key
  if (isOfId(event)) {
    dropped.add(code)
    event.preventDefault()
    return
  }
  // The names of other keys begin with a letter.
  if (event.key < ':') lastSignAt = event.timeStamp
  if (!event.repeat) presses.set(code, { at: event.timeStamp, on: event.target })
  if (event.isComposing || isForBrowser(event)) return
  const owner = owners.at(-1)
  const isEarly = (presses.get(code)?.at ?? 0) < (owner?.since ?? pageSince)
  if (
    (isEarly && !isKept(event, owner)) ||
    hasMoved(event) ||
    isBehind(event.target) ||
    endsLostText(event)
  ) {
    event.preventDefault()
    event.stopImmediatePropagation()
    dropped.add(code)
  } else dropped.delete(code)
  noteText(event)
}

/**
 * The ID that a hand scanner types at the page begins with an @ and has digits, slashes and an Enter for each of its lines.
 * From the first paint none of them acts: a digit would open the search, which sends its text to the server.
 */
function isOfId({ key, repeat, target, timeStamp }: KeyboardEvent): boolean {
  // No scanner holds a key, or sends an arrow.
  if (owners.length > 0 || isField(target) || repeat || !/^(.|Enter|Tab)$/.test(key)) return false
  if (key === '@' || timeStamp - idAt < scanGapMs) idAt = timeStamp
  return idAt === timeStamp
}

/** Firefox presses a button with Space on key-up. */
function guardRelease(event: KeyboardEvent): void {
  if (dropped.delete(event.code || event.key)) event.preventDefault()
}

/** Escape always passes: it decides nothing, and it can close a dialog that is still opening. */
function isForBrowser({ key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key === 'Enter') return false
  return (
    ctrlKey ||
    metaKey ||
    altKey ||
    /^(F\d+|Shift|Control|Meta|Alt)/.test(key) ||
    (key === 'Escape' && !repeat)
  )
}

/** A field that already has the focus keeps early letters. One with `data-keeps-keys` also keeps the next keys. */
function isKept({ target, repeat, key }: KeyboardEvent, owner: Owner | undefined): boolean {
  if (!isField(target)) return false
  if (owner?.box === null) return true
  if (repeat) return false
  return key.length === 1 || ('keepsKeys' in target.dataset && (key !== 'Enter' || target.value !== ''))
}

function hasMoved({ key, code, repeat, target }: KeyboardEvent): boolean {
  return repeat && (key === 'Enter' || key === ' ') && presses.get(code || key)?.on !== target
}

function isBehind(target: EventTarget | null): boolean {
  const box = owners.at(-1)?.box
  if (!box || !(target instanceof Element) || box.contains(target)) return false
  return target.closest('#root, [aria-modal]') !== null
}

/**
 * Text that no field received was meant for another place, such as a name or a scanned number. The Enter or Space at
 * its end is part of it, and must not press the focused button.
 */
function endsLostText({ key, target }: KeyboardEvent): boolean {
  return hasLostText && (key === 'Enter' || (key === ' ' && !isField(target)))
}

function noteText({ key, repeat, target }: KeyboardEvent): void {
  if (repeat) return
  if (owners.length === 0 || key.length > 1 || key === ' ') hasLostText = false
  else if (!isField(target) && !(target instanceof HTMLSelectElement)) hasLostText = true
}

const pressed = ['button', 'checkbox', 'color', 'file', 'radio', 'range', 'submit']

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLInputElement) return !pressed.includes(target.type)
  return target instanceof HTMLTextAreaElement
}

addEventListener('keydown', guard, true)
addEventListener('keyup', guardRelease, true)
addEventListener('pointerdown', () => (hasLostText = false), true)
// A row that takes the focus a moment late must not move it behind the dialog.
addEventListener('focusin', ({ target, relatedTarget }) => {
  const box = owners.at(-1)?.box
  if (!box || !isBehind(target)) return
  const before = relatedTarget instanceof HTMLElement && box.contains(relatedTarget) ? relatedTarget : box
  before.focus({ preventScroll: true })
})
