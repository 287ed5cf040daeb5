import { expect, type Page } from '@playwright/test'

/** The page's own clock, as `page.clock` turns it. */
export function timeOf(page: Page): Promise<number> {
  return page.evaluate(() => Date.now())
}

/** From now on, only `page.clock.runFor` moves the page's time. */
export async function stopTime(page: Page): Promise<void> {
  // A busy machine may pass the moment before the clock is asked for it.
  await expect(async () => page.clock.pauseAt((await timeOf(page)) + 1_000)).toPass()
}

/** Gives the window another size, and resolves once the page has followed it: what it shows may depend on its width. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await nextFrames(page)
}

/** Resolves once the page has drawn what it knows. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))))
}

/**
 * Opens a page whose time only `page.clock.runFor` moves, from the start. Work for an idle page, such as fetching parts
 * early, has not begun.
 */
export async function openWithoutTime(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await stopTime(page)
  await page.goto(path)
  await runUntil(
    page,
    async () => expect(page.getByRole('main')).not.toContainText(/Loading(?! more)/, { timeout: 200 }),
    20,
  )
}

/** Moves the page's time piece by piece, because answers from the network arrive between two pieces. */
export async function runUntil(page: Page, isSo: () => Promise<void>, pieceMs = 500): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(pieceMs)
    await isSo()
  }).toPass({ intervals: [50] })
  // The result is on the screen a moment later.
  await page.clock.runFor(100)
}
