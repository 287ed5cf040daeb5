import type { BrowserContext } from '@playwright/test'

/** By how many milliseconds frames, parts and answers come late: what chance does to a test on a busy machine. */
const stallMs = Number(process.env['E2E_STALL'] ?? 0)

/** The page may have gone on meanwhile. */
const none = (): void => undefined

/**
 * With `E2E_STALL`, each frame, part of the page and answer comes late, each by its own share of that time. A test that
 * acts before the page is ready for it then fails soon, and not once in fifty.
 */
export async function stall(context: BrowserContext): Promise<void> {
  if (stallMs === 0) return
  const late = (share: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, stallMs * share))
  await context.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await late(Math.random())
    await route.continue().catch(none)
  })
  await context.route(/\/[acm]\/v2\//, async (route) => {
    await late(Math.random())
    await route.continue().catch(none)
  })
  await context.addInitScript((ms) => {
    const { requestAnimationFrame: own, setTimeout: wait } = window
    // By the same time each: frames come in the sequence in which they were asked for.
    window.requestAnimationFrame = (draw) => own(() => wait(() => draw(performance.now()), ms / 2))
  }, stallMs)
}
