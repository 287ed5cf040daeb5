import type { Page } from '@playwright/test'

/** The controls too small for a finger, with their labels: under 44 pixels high or wide. Links in a sentence may be. */
export function smallTargetsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // A row's line of one pixel belongs to its height.
    const enoughPx = 43
    const pressed =
      'a[href], button, select, textarea, summary, input:not([type=hidden]), [role=button], [role=tab]'
    const isLarge = (part: Element) => {
      const { width, height } = part.getBoundingClientRect()
      return width >= enoughPx && height >= enoughPx
    }
    const isShown = (part: HTMLElement) =>
      part.checkVisibility({ visibilityProperty: true }) &&
      part.offsetWidth > 1 &&
      part.closest('[inert]') === null
    const isInSentence = (part: HTMLElement) =>
      getComputedStyle(part).display === 'inline' &&
      (part.parentElement?.textContent ?? '').trim() !== (part.textContent ?? '').trim()
    // The whole row or card opens the order, and its number only names it for the keyboard.
    const namesARow = (part: HTMLElement) =>
      part.matches('a[href*="/orders/view/"]') && part.closest('tr, article, li') !== null
    const dialog = document.querySelector('[role=dialog]')
    return [...(dialog ?? document).querySelectorAll<HTMLElement>(pressed)]
      .filter((part) => isShown(part) && !isInSentence(part) && !namesARow(part))
      .filter(
        (part) =>
          ![part, ...('labels' in part ? ((part as HTMLInputElement).labels ?? []) : [])].some(isLarge),
      )
      .map((part) => {
        const { width, height } = part.getBoundingClientRect()
        const name = part.getAttribute('aria-label') ?? part.textContent ?? ''
        return `${part.tagName} ${name.trim().slice(0, 40)}: ${Math.round(width)} x ${Math.round(height)}`
      })
  })
}
