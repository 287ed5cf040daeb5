import { expect, type Page } from '@playwright/test'

/** The page's own clock, as `page.clock` turns it. */
export function timeOf(page: Page): Promise<number> {
  return page.evaluate(() => Date.now())
}

/** From here on time passes by `page.clock.runFor` alone. */
export async function stopTime(page: Page): Promise<void> {
  // A machine that is busy may have let the moment pass before it is asked for.
  await expect(async () => page.clock.pauseAt((await timeOf(page)) + 1_000)).toPass()
}

/**
 * Opens a page whose time passes by `page.clock.runFor` alone from the first: what it does once it is idle, such as
 * fetching what may be wanted next, it has not begun.
 */
export async function openWithoutTime(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  await page.goto(path)
  await runUntil(
    page,
    async () => expect(page.getByRole('main')).not.toContainText(/Loading(?! more)/, { timeout: 200 }),
    20,
  )
}

/** A piece of the page's time after the other, since what the network answers comes between two of them. */
export async function runUntil(page: Page, isSo: () => Promise<void>, pieceMs = 500): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(pieceMs)
    await isSo()
  }).toPass({ intervals: [50], timeout: 40_000 })
  // What follows from it is on the screen a moment later.
  await page.clock.runFor(100)
}
