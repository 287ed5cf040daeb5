import type { Page } from '@playwright/test'

/** A connection on which every answer takes one second. */
export async function onSlowLine(page: Page): Promise<void> {
  const line = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 1_000, downloadThroughput: -1, uploadThroughput: -1 }
  await line.send('Network.emulateNetworkConditions', slow)
}

/** A machine at one sixth of the speed. */
export async function onSlowMachine(page: Page): Promise<void> {
  const machine = await page.context().newCDPSession(page)
  await machine.send('Emulation.setCPUThrottlingRate', { rate: 6 })
}

/** The first key keeps the page busy for a second. The other keys are pressed meanwhile, and handled afterwards. */
export async function pressWhileBusy(page: Page, [first, ...others]: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    const work = ({ key }: KeyboardEvent): void => {
      if (key === 'Control' || key === 'Meta') return
      document.removeEventListener('keydown', work, true)
      const until = performance.now() + 1_000
      while (performance.now() < until);
    }
    document.addEventListener('keydown', work, true)
  })
  const [key = '', modifier] = (first ?? '').split('+').toReversed()
  if (modifier) await page.keyboard.down(modifier)
  const pressed = [page.keyboard.down(key), page.keyboard.up(key)]
  if (modifier) pressed.push(page.keyboard.up(modifier))
  for (const other of others) pressed.push(page.keyboard.press(other))
  await Promise.all(pressed)
}
