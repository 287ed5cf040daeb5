import type { Page } from '@playwright/test'
import { expect, openOrder, openOrders, test } from '../desk.ts'

/** The name of the focused element if other parts of the page cover all of it. */
function coveredFocus(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    const part = document.activeElement
    if (!(part instanceof HTMLElement) || part === document.body) return null
    const { left, top, width, height } = part.getBoundingClientRect()
    const labels = 'labels' in part ? [...((part as HTMLInputElement).labels ?? [])] : []
    const isSeen = [0.1, 0.5, 0.9].some((across) =>
      [0.2, 0.5, 0.8].some((down) => {
        const hit = document.elementFromPoint(left + width * across, top + height * down)
        // A native box may be drawn by its parent, and a switch by its label.
        return [part, part.parentElement, ...labels].some((each) => hit !== null && each?.contains(hit))
      }),
    )
    return isSeen ? null : `${part.tagName} ${part.ariaLabel ?? part.textContent} at ${Math.round(top)} px`
  })
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`the header and the bars cover no element that Tab or Shift+Tab reaches, at ${width} px`, async ({
    openDesk,
    outside,
    ownShop,
  }) => {
    test.slow()
    // News of other tests' orders would move the page between a key and the look at it.
    const order = await outside.order(ownShop.key)
    const page = await openDesk(ownShop.owner, { viewport: { width, height } })
    const screens: readonly (() => Promise<unknown>)[] = [
      async () => {
        await openOrder(page, order)
        await page.getByRole('button', { name: 'Add note' }).waitFor()
      },
      () => openOrders(page),
      async () => {
        await page.goto('/settings/company')
        await page.getByLabel('Store name').waitFor()
      },
    ]
    for (const show of screens) {
      await show()
      const covered: (string | null)[] = []
      for (const key of [...Array<string>(55).fill('Tab'), ...Array<string>(55).fill('Shift+Tab')]) {
        await page.keyboard.press(key)
        covered.push(await coveredFocus(page))
      }
      expect(
        covered.filter((found) => found !== null),
        page.url(),
      ).toEqual([])
    }
  })
}
