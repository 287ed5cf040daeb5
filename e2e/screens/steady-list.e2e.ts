import { changeAsAdmin } from '../database.ts'
import { expect, newOrders, openOrders, test } from '../desk.ts'
import { cutBand, noticeCut } from '../offline/on-device.ts'
import { runUntil } from '../page-time.ts'
import { signIn } from '../people.ts'
import type { Shop } from '../shop.ts'
import { watchFirstRow, watchMoves } from './layout-shift.ts'

function endAlarms(dataDir: string, shop: Shop): Promise<unknown> {
  return changeAsAdmin(dataDir, ({ query }) =>
    query('update order_alarms set ended_at = now() where merchant_id = $1', [shop.key]),
  )
}

// A press that begins on one row must not end on another: a late part of the page has its place from the start.
for (const width of [320, 390, 600, 834, 1180, 1440, 1920])
  test(`what comes after the first paint moves no row and no button, at ${width} px`, async ({
    openDesk,
    outside,
    dataDir,
    ownShop: shop,
    url,
  }) => {
    const { bearer } = await signIn(url, shop.owner)
    const first = await outside.order(shop.key)
    await outside.update(bearer, first, { status: 'MERCHANT_ACCEPTED' })
    for (let count = 0; count < 20; count++) await outside.order(shop.key)
    await endAlarms(dataDir, shop)
    const page = await openDesk(shop.owner, { viewport: { width, height: 900 } })
    const [moved, places] = [await watchMoves(page), await watchFirstRow(page)]
    await openOrders(page)
    await expect(page.getByRole('group', { name: 'Show' })).toBeVisible()
    const next = page.getByRole('group', { name: 'Next orders' })
    await expect(next.getByText('#').first()).toBeVisible()
    if (width > 780) await expect(next.locator('[data-part=do] b').first()).not.toHaveText('')
    await expect(
      page
        .getByRole('main')
        .getByRole('button', { name: /^Accept #/ })
        .first(),
    ).toBeVisible()
    expect(await moved()).toEqual([])
    expect(await places()).toHaveLength(1)
  })

for (const [width, anchors] of [
  [320, true],
  [390, true],
  [390, false],
  [600, true],
] as const)
  test(`an alarm that comes and goes moves no row, from the top of the list or further down, at ${width} px, in a browser ${anchors ? 'that' : 'that never'} keeps its place by itself`, async ({
    openDesk,
    outside,
    dataDir,
    ownShop: shop,
  }) => {
    for (let count = 0; count < 12; count++) await outside.order(shop.key)
    await endAlarms(dataDir, shop)
    const page = await openDesk(shop.owner, { viewport: { width, height: 800 } })
    const moved = await watchMoves(page)
    if (!anchors)
      await page.addInitScript(() => {
        const supports = CSS.supports.bind(CSS)
        CSS.supports = (...asked: [string, string?]) =>
          asked[0] !== 'overflow-anchor' && supports(...(asked as [string, string]))
        addEventListener('DOMContentLoaded', () => (document.documentElement.style.overflowAnchor = 'none'))
      })
    await openOrders(page)
    const row = page.getByRole('main').locator('article, tbody tr').nth(4)
    await expect(row).toBeVisible()
    await expect(page.getByRole('banner').getByText('Live', { exact: true })).toBeAttached()
    const top = () => row.evaluate((element) => Math.round(element.getBoundingClientRect().top))
    const alarm = page.getByRole('banner').getByText(/not seen yet/)
    const skip = page.getByRole('link', { name: 'Skip to content' })
    for (const down of [0, 150]) {
      await page.evaluate((y) => scrollTo(0, y), down)
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(down)
      const [before, earlier] = [await top(), await moved()]
      // The one element in sight that would scroll with the page, and has the focus.
      await skip.evaluate((link) => link.focus({ preventScroll: true }))
      const order = await outside.order(shop.key)
      await expect(alarm).toBeVisible()
      await expect(skip).toBeInViewport({ ratio: 1 })
      await expect.poll(top, `at ${down}`).toBe(before)
      expect(await moved()).toEqual(earlier)
      // Somebody else notices it.
      await changeAsAdmin(dataDir, ({ query }) =>
        query('update order_alarms set ended_at = now() where order_id = $1', [order.id]),
      )
      await expect(alarm).toHaveCount(0)
      await expect.poll(top, `at ${down}`).toBe(before)
    }
  })

for (const width of [390, 834, 1024, 1180, 1440])
  test(`new orders that arrive move no row, and cover none for good, at ${width} px`, async ({
    openDesk,
    outside,
    ownShop: shop,
  }) => {
    for (let count = 0; count < 12; count++) await outside.order(shop.key)
    const page = await openDesk(shop.owner, { viewport: { width, height: 800 } })
    await openOrders(page)
    const rows = page.getByRole('main').locator('article, tbody [role=row], tbody tr')
    await expect(rows.nth(4)).toBeVisible()
    await expect(page.getByText('12 not seen yet')).toBeVisible()
    const places = () =>
      rows.evaluateAll((all) => all.slice(0, 5).map((row) => row.getBoundingClientRect().top))
    const before = await places()
    for (let count = 0; count < 5; count++) await outside.order(shop.key)
    const bar = newOrders(page, '5 new orders')
    await expect(bar).toBeVisible()
    await expect.poll(places).toEqual(before)
    const coverTop = async () =>
      (await page.getByRole('button', { name: 'Show', exact: true }).boundingBox())?.y ?? 0
    for (let press = 0; press < 11; press++) {
      await page.keyboard.press('j')
      const reached = await page.locator(':focus').boundingBox()
      expect((reached?.y ?? 0) + (reached?.height ?? 0)).toBeLessThanOrEqual(await coverTop())
    }
    const last = rows.last()
    await last.evaluate((row) => {
      for (let box = row.parentElement; box; box = box.parentElement) box.scrollTop = box.scrollHeight
    })
    const row = await last.boundingBox()
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(await coverTop())
  })

for (const width of [390, 834, 1180])
  test(`the band of a cut line moves no row when it comes and when it goes, at ${width} px`, async ({
    openDesk,
    outside,
    ownShop: shop,
    dataDir,
    cable,
  }) => {
    // It has four lines on a phone, and two beside the word that the line is gone.
    const called = 'Konstantinopoulos Brothers and Daughters, Wines and Spirits of the Old Harbour'
    await changeAsAdmin(dataDir, ({ query }) =>
      query('update merchants set name = $2 where merchant_id = $1', [shop.key, called]),
    )
    for (let count = 0; count < 25; count++) await outside.order(shop.key)
    const page = await openDesk(shop.owner, { baseURL: cable.url, viewport: { width, height: 800 } })
    await page.clock.install()
    const parts: string[] = []
    page.on('requestfinished', (request) => parts.push(request.url()))
    await openOrders(page)
    const links = page.getByRole('main').getByRole('link', { name: /^#\d+$/ })
    const name = (await links.nth(2).textContent()) ?? ''
    const link = page.getByRole('main').getByRole('link', { name, exact: true })
    await link.focus()
    const next = page.getByRole('group', { name: 'Next orders' })
    await expect(next.getByText('#').first()).toBeVisible()
    await expect(page.getByText('25 not seen yet')).toBeVisible()
    // The page keeps its place from then on.
    await runUntil(page, async () => expect(parts.some((part) => part.includes('/idle-'))).toBe(true))
    const top = async () => Math.round((await link.boundingBox())?.y ?? 0)
    const before = await top()
    cable.cut()
    await noticeCut(page)
    await expect.poll(top).toBe(before)
    cable.mend()
    await runUntil(page, () => expect(cutBand(page)).toHaveCount(0, { timeout: 200 }), 2_000)
    await expect.poll(top).toBe(before)
  })
