import type { Page } from '@playwright/test'
import { layCable, type Cable } from '../cable.ts'
import { dialog, expect, rowOf, test, toast } from '../desk.ts'
import { cutBand, LATE, openKeptList } from './on-device.ts'
import { firstScript, ofNext, openNextBuild } from './next-build.ts'

test.use({ serviceWorkers: 'allow' })

const live = (page: Page) => page.getByRole('banner').getByRole('status').getByText('Live', { exact: true })

/** Why the worker gave the page in place of the server: the line is known to be lost, or the answer is late. */
const keptBecause = (page: Page) => page.locator('meta[name=cellarhand-kept]').getAttribute('content')

/** Every word of a lost line that the page shows from now on, however short. */
async function noteOfflineWords(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const found: string[] = []
    Object.assign(globalThis, { offlineWords: found })
    new MutationObserver(() => {
      const text = /No connection|Offline since [\d:]+/.exec(document.body?.innerText ?? '')?.[0]
      if (text && found.at(-1) !== text) found.push(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { offlineWords: string[] }).offlineWords)
}

test('the first reload on a silent line that nobody has noticed shows the rows while the answer is still to come', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  cable.hold()
  await page.reload()
  await expect(rowOf(page, order)).toBeVisible()
  expect(await keptBecause(page)).toBe('late')
  // The silence counts as a lost line once the page has asked for some seconds.
  await expect(cutBand(page)).toContainText('You see the orders as of ')
  await expect(rowOf(page, order)).toBeVisible()
  cable.cut()
  await page.reload()
  await expect(rowOf(page, order)).toBeVisible()
  expect(await keptBecause(page)).toBe('away')
})

for (const [what, breakLine] of [
  ['falls silent', (line: Cable) => line.hold()],
  ['is cut', (line: Cable) => line.cut()],
] as const)
  test(`a page that the server gave opens again with the kept rows if the line ${what} before the orders come`, async ({
    openDesk,
    outside,
    ownShop,
    cable,
  }) => {
    const order = await outside.order(ownShop.key)
    const page = await openDesk(ownShop.owner, { baseURL: cable.url })
    await openKeptList(page, () => outside.order(ownShop.key))
    let loads = 0
    page.on('domcontentloaded', () => (loads += 1))
    cable.holdAnswers('GET /m/')
    // A server that takes a quarter of a second for it gives way to the kept page, so a busy machine needs some tries.
    test.slow()
    await expect(async () => {
      loads = 0
      await page.reload()
      expect(await page.locator('[name=cellarhand-kept]').count()).toBe(0)
    }).toPass({ timeout: 180_000 })
    breakLine(cable)
    await expect(rowOf(page, order)).toBeVisible()
    await expect(page.locator('[name=cellarhand-kept]')).toBeAttached()
    await expect(cutBand(page)).toContainText('You see the orders as of ')
    cable.mend()
    await expect(live(page)).toBeAttached(LATE)
    await expect(rowOf(page, order)).toBeVisible()
    expect(loads).toBe(2)
  })

test('a page whose shop does not answer is left alone while the server does', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  let loads = 0
  page.on('domcontentloaded', () => (loads += 1))
  cable.holdAnswers('GET /m/')
  await page.reload()
  await expect(page.getByText('There was an error fetching your orders').first()).toBeVisible(LATE)
  expect(loads).toBe(1)
})

test('a slow line that answers after 2 seconds ends with a live page and fresh rows, and never calls itself lost', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  const offlineWords = await noteOfflineWords(page)
  await openKeptList(page, () => outside.order(ownShop.key))
  // The page hears nothing of what changes now.
  cable.hold()
  const [gone, came] = [order, await outside.order(ownShop.key)]
  await outside.tell(gone, { status: 'CANCELLED', comment: 'No longer wanted' })
  cable.mend()
  cable.slow(2_000)
  // The page drops the mark with the first answer, which may come before the page has loaded.
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('[name=cellarhand-kept]')).toHaveAttribute('content', 'late')
  await expect(rowOf(page, came)).toBeVisible()
  await expect(rowOf(page, gone)).toHaveCount(0)
  await expect(live(page)).toBeAttached()
  expect(await offlineWords()).toEqual([])
})

async function onKeptPage(
  open: (url: string) => Promise<Page>,
  server: { url: string },
  keep: () => Promise<unknown>,
): Promise<{ page: Page; line: Cable }> {
  const line = await layCable(server.url)
  const page = await open(line.url)
  await openKeptList(page, keep)
  return { page, line }
}

test('a kept page that a slow server overtakes goes to the newer build by itself', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const server = await openNextBuild(url)
  const { page, line } = await onKeptPage(
    (baseURL) => openDesk(ownShop.owner, { baseURL }),
    server,
    () => outside.order(ownShop.key),
  )
  try {
    server.install()
    // The newer build replaces the kept page by itself, so its answer comes once the test has seen the kept one.
    line.hold()
    await page.reload()
    await expect(page.locator('[name=cellarhand-kept]')).toBeAttached()
    line.mend()
    line.slow(2_000)
    await expect.poll(() => firstScript(page).catch(() => '')).toMatch(ofNext)
    line.slow(0)
    await expect(live(page)).toBeAttached()
    await page.reload()
    expect(await firstScript(page)).toMatch(ofNext)
  } finally {
    await line.remove()
    await server.remove()
  }
})

test('a clerk who has begun on the kept page keeps the dialog and its words, and the next page is of the newer build', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const order = await outside.order(ownShop.key)
  const server = await openNextBuild(url)
  const { page, line } = await onKeptPage(
    (baseURL) => openDesk(ownShop.owner, { baseURL }),
    server,
    () => outside.order(ownShop.key),
  )
  try {
    server.install()
    // However slow the machine is, the clerk presses before the answer comes.
    line.hold()
    await page.reload()
    await rowOf(page, order)
      .getByRole('button', { name: `Accept #${order.id}` })
      .click()
    await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
    line.mend()
    await expect(toast(page, 'A newer version of the desk is there')).toBeVisible()
    await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
    expect(await firstScript(page)).not.toMatch(ofNext)
    line.slow(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('link', { name: /^Cancelled/ }).click()
    await expect(page).toHaveURL(/\/orders\/cancelled/)
    await expect.poll(() => firstScript(page).catch(() => '')).toMatch(ofNext)
    await expect(page).toHaveURL(/\/orders\/cancelled/)
    await expect(live(page)).toBeAttached()
  } finally {
    await line.remove()
    await server.remove()
  }
})
