const controls = 'a[href], button, input, select, textarea, [tabindex="0"]'

let opener: HTMLElement | undefined

/** For a press that opens a dialog in which the control's own step is done: the control goes before the dialog does. */
export function noteOpener(element: HTMLElement): void {
  opener = element
}

/**
 * The `ref` of a control that its own press removes. Without it, the keys of a clerk would be with nothing. The focus
 * goes to the control that comes in its place or came behind it, else to the one before it, in the smallest part of the
 * page that stays and has one; a part that has only a heading gives that.
 */
export function keepFocusNear(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined
  // React calls this while the element is still in the page.
  return () => {
    const hasDialog = element === opener && document.activeElement?.closest('[role="dialog"]')
    if (document.activeElement !== element && !hasDialog) return
    const parts = partsAround(element)
    const all = [...document.querySelectorAll<HTMLElement>(controls)]
    const before = new Set(all.slice(0, all.indexOf(element)))
    // Once the page is as it will be: what comes in the control's place may itself ask for the focus.
    setTimeout(() => {
      if (document.activeElement === document.body) focusIn(parts, before)
    })
  }
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
