import { expect, openOrders, test } from '../desk.ts'
import { watchMoves } from './layout-shift.ts'

// A press that begins on one row must not end on another: a late part of the page has its place from the start.
for (const width of [320, 390, 600, 834, 1180, 1440, 1920])
  test(`what comes after the first paint moves no row and no button, at ${width} px`, async ({
    openDesk,
  }) => {
    const page = await openDesk('owner@demo.test')
    await page.setViewportSize({ width, height: 900 })
    const moved = await watchMoves(page)
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
  })
