import type { Page } from '@playwright/test'

/** How far the page has pushed visible content about since it last loaded. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() =>
      (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, each) => sum + each, 0),
    )
}

/** Where the first row of a list has been since the page last loaded. The browser tells of no shift below three pixels. */
export async function watchFirstRow(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const places = new Set<number>()
    Object.assign(globalThis, { places })
    const look = (): void => {
      const row = document.querySelector('main article, main tbody tr')
      if (row) places.add(row.getBoundingClientRect().top)
      requestAnimationFrame(look)
    }
    look()
  })
  return () => page.evaluate(() => [...(globalThis as unknown as { places: Set<number> }).places])
}

/** What of the page moved by itself since it last loaded: rows of a list, or a button. */
export async function watchMoves(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const moves: string[] = []
    Object.assign(globalThis, { moves })
    new PerformanceObserver((list) => {
      for (const { node, previousRect: from, currentRect: to } of (list.getEntries() as Shift[]).flatMap(
        ({ sources }) => sources,
      )) {
        if (!(node instanceof Element)) continue
        const isPressed =
          node.closest('button, article, [role=row]') ?? node.querySelector('article, [role=row]')
        const [x, y] = [to.x - from.x, to.y - from.y].map(Math.round)
        if (isPressed && (x || y)) moves.push(`${node.tagName} ${node.textContent.slice(0, 20)}: ${x}, ${y}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { moves: string[] }).moves)
}
