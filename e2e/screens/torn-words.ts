import type { Page } from '@playwright/test'

/**
 * The words of everyday length that a line's end breaks in two, and those that the edge of a picture or a box cuts off.
 * A longer one, such as an address of a page, may break, and a name that ends in three dots says that it goes on.
 */
export function tornWordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const longest = 20
    // After these, and between the characters of writings without spaces, a line may end.
    const breaks = /[^\p{L}\p{M}\p{N}'’.:]|[\u0e00-\u0eff\u2e80-\ud7ff\uf900-\ufaff]|[\ud800-\udfff]/u
    const isSeen = (part: Element): boolean =>
      part.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      part.closest('[inert], .visually-hidden') === null
    /** For readers of the screen alone: a box of one pixel, in which each letter has a line. */
    const isOutOfSight = (part: Element | null): boolean =>
      part !== null && (getComputedStyle(part).clipPath === 'inset(50%)' || isOutOfSight(part.parentElement))
    const frame = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document.body
    const texts = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const found = new Set<string>()
    /** Whether an edge hides a part of it that no scrolling shows. */
    const isCut = (box: DOMRect, from: Element): boolean => {
      for (
        let part: Element | null = from;
        part !== null && part !== document.body;
        part = part.parentElement
      ) {
        const { overflowX, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(part)
        if (overflowX === 'visible') continue
        if (clipPath !== 'none' || overflowX === 'auto' || overflowX === 'scroll') return false
        if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return false
        const { left, right } = part.getBoundingClientRect()
        if (box.left < left - 1 || box.right > right + 1) return true
      }
      return false
    }
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const part = text.parentElement
      if (part === null || !isSeen(part) || isOutOfSight(part)) continue
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 1)
        const lines = new Set(boxes.map(({ top }) => Math.round(top)))
        const isShort = word.length <= longest && !breaks.test(word.slice(0, -1))
        if (lines.size > 1 && isShort) found.add(`broken: ${word}`)
        if (boxes.some((box) => isCut(box, part))) found.add(`cut: ${word}`)
      }
    }
    return [...found]
  })
}
