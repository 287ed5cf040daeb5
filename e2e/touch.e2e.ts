import type { Locator } from '@playwright/test'
import { anOrder } from '../server/test/orders.ts'
import { chooseMore, dialog, expect, openNewest, openOrder, test } from './desk.ts'
import { resize } from './page-time.ts'
import { signIn } from './people.ts'
import { smallTargetsOf } from './screens/touch-targets.ts'

const FINGER_PX = 44

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

async function sideOf(part: Locator): Promise<number> {
  const { width, height } = (await part.boundingBox()) ?? { width: 0, height: 0 }
  return Math.min(width, height)
}

test('on a phone a number to call, the parts of the label dialog and the reasons of a reject are as high as a finger', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const items = [{ id: 'a', name: 'Rye', quantity: 2, price: 20, subtotal: 40 }]
  const order = await outside.order('demo', {
    items,
    transaction: { subtotal: 40, total: 40 },
    order_weight: 6,
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await openOrder(page, order)
  expect(await sideOf(page.getByRole('link', { name: '+1 (212) 555-0123' }))).toBeGreaterThanOrEqual(
    FINGER_PX,
  )

  await page.getByRole('button', { name: 'Buy Label', exact: true }).last().tap()
  const label = dialog(page, 'Create Shipping Label')
  await label.getByRole('button', { name: 'Add Additional Box' }).tap()
  for (const part of [
    label.getByRole('button', { name: 'Remove box 2' }),
    label.getByRole('link', { name: 'Adjust label size and format' }),
  ])
    expect(await sideOf(part)).toBeGreaterThanOrEqual(FINGER_PX)
  await label.getByRole('button', { name: 'CLOSE', exact: true }).tap()

  await page.getByRole('button', { name: 'Reject', exact: true }).last().tap()
  const reject = dialog(page, 'Reject Order')
  const reason = reject.getByRole('radio', { name: 'Store closed' })
  expect(await sideOf(reject.getByText('Store closed', { exact: true }))).toBeGreaterThanOrEqual(FINGER_PX)
  const circle = await reason.boundingBox()
  // Above the circle, and nearer to it than to the reason before.
  await page.touchscreen.tap(Number(circle?.x) + 10, Number(circle?.y) - 9)
  await expect(reason).toBeChecked()
})

test('on a tablet on its side, which has the whole header, a finger meets all of the list', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1366, height: 1024 })
  await page.goto('/orders/active')
  await expect(page.getByRole('button', { name: 'Print Packing Slip' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Commands/ })).toBeVisible()
  expect(await smallTargetsOf(page)).toEqual([])
})

test('on a phone the links of the settings are as high as a finger', async ({ page }) => {
  await page.goto('/settings/users')
  expect(await sideOf(page.getByRole('link', { name: 'Billing', exact: true }))).toBeGreaterThanOrEqual(
    FINGER_PX,
  )
})

test('an address keeps its room beside the map or above it, on the page and in the review, at every width', async ({
  openDesk,
  outside,
  shop,
}) => {
  const order = await outside.order(shop.key, { delivery: { method: 'on_demand' } })
  const page = await openDesk(shop.owner)
  const narrowest = async () => {
    const lines = page.getByRole('definition').filter({ hasText: '118 Pearl St' }).filter({ visible: true })
    const boxes = await Promise.all((await lines.all()).map((line) => line.boundingBox()))
    return Math.min(...boxes.map((box) => box?.width ?? 0))
  }
  const widths = [320, 390, 781, 834, 1024, 1180, 1440]
  await openOrder(page, order)
  for (const width of widths) {
    await resize(page, { width, height: 900 })
    expect(await narrowest(), `on the page at ${width} px`).toBeGreaterThanOrEqual(110)
  }
  await resize(page, { width: 1440, height: 900 })
  await openNewest(page)
  await chooseMore(page, order, 'Review Order')
  await expect(dialog(page, 'Review Order').getByText('118 Pearl St')).toBeVisible()
  for (const width of widths) {
    await resize(page, { width, height: 900 })
    expect(await narrowest(), `in the review at ${width} px`).toBeGreaterThanOrEqual(110)
  }
})

test('on the narrowest phone what an order needs has its button whole, and a long name stays inside its dialog', async ({
  openDesk,
  outside,
  shop,
}) => {
  const recipient = { ...anOrder(shop.key).recipient, last_name: 'Wolfeschlegelsteinhausenbergerdorff' }
  const order = await outside.order(shop.key, { recipient })
  const page = await openDesk(shop.owner, { viewport: { width: 320, height: 640 }, hasTouch: true })
  await openOrder(page, order)
  const needs = page.getByRole('region', { name: 'What this order needs' })
  await expect(needs.getByRole('button', { name: /^Good to know/ })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Accept', exact: true }).last().tap()
  const words = dialog(page, 'Accept & Confirm').getByText(recipient.last_name)
  const beyond = await words.evaluate((element) => element.scrollWidth - element.clientWidth)
  expect(beyond).toBe(0)
})
