const controls = 'a[href], button, input, select, textarea, [tabindex="0"]'

/**
 * The `ref` of a control that its own press removes. Without it, the keys of a clerk would be with nothing. The focus
 * goes to the control that comes in its place or came behind it, else to the one before it, in the smallest part of the
 * page that stays and has one; a part that has only a heading gives that. A dialog that is open keeps the focus: it may
 * be the one that the control opened and in which its step was done.
 */
export function keepFocusNear(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined
  // React calls this while the element is still in the page.
  return () => {
    const parts = partsAround(element)
    if (document.activeElement !== element && !dialogOver(parts)) return
    const all = [...document.querySelectorAll<HTMLElement>(controls)]
    const before = new Set(all.slice(0, all.indexOf(element)))
    const settle = (): void => {
      const dialog = dialogOver(parts)
      if (dialog) whenGone(dialog, settle)
      else if (document.activeElement === document.body) focusIn(parts, before)
    }
    // Once the page is as it will be: what comes in the control's place may itself ask for the focus.
    setTimeout(settle)
  }
}

/** The one that has the focus, unless it is around these parts itself. */
function dialogOver(parts: readonly Element[]): Element | undefined {
  const dialog = document.activeElement?.closest('[role="dialog"]')
  return dialog && !parts.includes(dialog) ? dialog : undefined
}

/** Dialogs are children of the body. One may follow another in the same step. */
function whenGone(dialog: Element, act: () => void): void {
  const observer = new MutationObserver(() => {
    if (dialog.isConnected) return
    observer.disconnect()
    setTimeout(act)
  })
  observer.observe(document.body, { childList: true })
}

/** From the inside out, and never out of a dialog. */
function partsAround(element: HTMLElement): HTMLElement[] {
  const parts: HTMLElement[] = []
  for (let part = element.parentElement; part !== null; part = part.parentElement) {
    parts.push(part)
    if (part.matches('[role="dialog"]')) break
  }
  return parts
}

function focusIn(parts: readonly HTMLElement[], before: ReadonlySet<HTMLElement>): void {
  for (const part of parts.filter((each) => each.isConnected)) {
    const now = [...part.querySelectorAll<HTMLElement>(controls)].filter(canTakeFocus)
    const next = now[now.findLastIndex((each) => before.has(each)) + 1] ?? now.at(-1)
    const heading = part.querySelector<HTMLElement>('h1, h2, h3')
    if (next === undefined && heading === null) continue
    if (next === undefined && heading !== null) heading.tabIndex = -1
    ;(next ?? heading)?.focus({ preventScroll: true })
    return
  }
}

function canTakeFocus(element: HTMLElement): boolean {
  return element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility()
}
