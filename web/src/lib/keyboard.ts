import { useLayoutEffect } from 'react'

/** A part that has the keys of the keyboard: a dialog, a menu, a panel, or the place where one is about to be. */
interface Owner {
  /** Holds the focus as long as the owner is on top. Without it the focus is free. */
  readonly box: HTMLElement | null
  /** From when on it can be seen and has the focus. */
  since: number
}

/** Who has the keys, the topmost last. The page has them while nobody is listed. */
const owners: Owner[] = []
let pageSince = 0

const pressedAt = new Map<string, number>()
const dropped = new Set<string>()
let hasLostText = false

/**
 * Takes the keys in the same tick. The owner gets them once it is painted, told by `onStart`; until then nobody does.
 * Without `onStart` it only keeps them from the page.
 */
export function takeKeys(box: HTMLElement | null, onStart?: () => void) {
  const owner: Owner = { box, since: Infinity }
  owners.push(owner)
  // A page that nobody sees is not painted, and gets no keys.
  const start = (): void => {
    if (!owners.includes(owner)) return
    owner.since = performance.now()
    onStart?.()
    hidePage()
  }
  if (onStart) requestAnimationFrame(() => setTimeout(start))
  return {
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

/**
 * From screen readers too, while something holds the focus. `inert` would say the same once more, and style every
 * element anew for it.
 */
function hidePage(): void {
  const isHidden = owners.some(({ box, since }) => box && since < Infinity)
  const page = document.getElementById('root')
  if (isHidden) page?.setAttribute('aria-hidden', 'true')
  else page?.removeAttribute('aria-hidden')
}

/** The page's own keys rest while something else has them. */
export function isPageInFront(): boolean {
  return owners.length === 0
}

/** For a menu or panel, which leaves the focus free: the page's keys rest while it is open. */
export function useKeys(isOpen: boolean): void {
  useLayoutEffect(() => (isOpen ? takeKeys(null, () => undefined).giveBack : undefined), [isOpen])
}

/**
 * A key is for whoever had the keys when it was pressed. On a slow machine it is heard late, and the dialog that it would
 * reach by then was not there to be seen. A key that is held down counts as pressed when it went down.
 */
function guard(event: KeyboardEvent): void {
  const code = event.code || event.key
  if (!event.repeat) pressedAt.set(code, event.timeStamp)
  if (event.isComposing || isForBrowser(event)) return
  const owner = owners.at(-1)
  const isEarly = (pressedAt.get(code) ?? 0) < (owner?.since ?? pageSince)
  if ((isEarly && !isKept(event, owner)) || isBehind(event.target) || endsLostText(event)) {
    event.preventDefault()
    event.stopImmediatePropagation()
    dropped.add(code)
  } else dropped.delete(code)
  noteText(event)
}

/** Firefox presses a button with Space when the key goes up. */
function guardRelease(event: KeyboardEvent): void {
  if (dropped.delete(event.code || event.key)) event.preventDefault()
}

/** Escape decides nothing, and whoever presses it wants out of what is opening. */
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

/** Letters that come early are kept by a field that is there already; `data-keeps-keys` keeps what ends them too. */
function isKept({ target, repeat, key }: KeyboardEvent, owner: Owner | undefined): boolean {
  if (!isField(target)) return false
  if (owner?.box === null) return true
  if (repeat) return false
  return key.length === 1 || ('keepsKeys' in target.dataset && target.value !== '')
}

function isBehind(target: EventTarget | null): boolean {
  const box = owners.at(-1)?.box
  if (!box || !(target instanceof Element) || box.contains(target)) return false
  return target.closest('#root, [aria-modal]') !== null
}

/**
 * Text that no field took was meant for another place: a name, a scanned number. The Enter or Space at its end belongs
 * to it, and does not press the button that happens to have the focus.
 */
function endsLostText({ key, target }: KeyboardEvent): boolean {
  return hasLostText && (key === 'Enter' || (key === ' ' && !isField(target)))
}

function noteText({ key, repeat, target }: KeyboardEvent): void {
  if (repeat) return
  if (owners.length === 0 || key.length > 1 || key === ' ') {
    hasLostText = false
  } else if (!isField(target) && !(target instanceof HTMLSelectElement)) hasLostText = true
}

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true
  return (
    target instanceof HTMLInputElement &&
    !['button', 'checkbox', 'color', 'file', 'radio', 'range', 'submit'].includes(target.type)
  )
}

addEventListener('keydown', guard, true)
addEventListener('keyup', guardRelease, true)
addEventListener('pointerdown', () => (hasLostText = false), true)
// Nothing behind an owner can have the focus: whatever takes it there gives it back.
addEventListener('focusin', ({ target }) => {
  if (isBehind(target)) owners.at(-1)?.box?.focus({ preventScroll: true })
})
