import type { Page } from '@playwright/test'
import {
  dialog,
  expect,
  newOrders,
  openNewest,
  openOrder,
  openOrders,
  pickCarrier,
  rowOf,
  tabLink,
  test,
  toast,
} from '../desk.ts'
import { pressPair } from '../fields.ts'
import { signIn } from '../people.ts'

const onDemand = { delivery: { method: 'on_demand' } }

// The other files leave the motion out (playwright.config.ts).
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe('in a shop of its own', () => {
  test('ACT-001 ACT-002 SHIP-020 LIST-034 LIST-038 LIST-039 ROUTE-016 VIEW-027 a parcel: it arrives by itself, is accepted, tracked and closed by the carrier', async ({
    openDesk,
    simulate,
    shop,
  }) => {
    const page = await openDesk(shop.owner)
    await openNewest(page)
    // The first order of this seed is a parcel, and its customer pays and keeps the order.
    simulate(shop.key, { seed: 8 })
    const arrived = page.getByRole('link', { name: /^#\d+ Shipping$/ }).first()
    const id = /\d+/.exec(await arrived.innerText())?.[0] ?? ''
    await expect(newOrders(page, /^\d+ new orders?$/)).toBeVisible()
    await expect(rowOf(page, { id })).toHaveCount(0)
    await page.getByRole('button', { name: 'Show' }).click()
    const row = rowOf(page, { id })
    await expect(row).toContainText('New: ')

    await row.getByRole('button', { name: `Accept #${id}` }).click()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/orders/view/${id}$`))
    await expect(page.getByText(/^Accepted by Ada Marsh/)).toBeVisible()

    await page.getByRole('button', { name: 'Add Tracking' }).click()
    const tracking = dialog(page, 'Tracking Information')
    await pickCarrier(tracking, 'FedEx')
    await tracking.getByLabel('Tracking number').fill('7946 1234 5678')
    await tracking.getByRole('button', { name: 'SAVE' }).click()
    await expect(tracking).toHaveCount(0)
    const link = page.getByRole('link', { name: /794612345678/ })
    await expect(link).toHaveAttribute('href', /^https:\/\/www\.fedex\.com\/.*794612345678/)
    await expect(page.getByText(/^Tracking saved by Ada Marsh/)).toBeVisible()

    await expect(page.getByText(/^Delivered by the carrier/)).toBeVisible()
    await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
    await tabLink(page, 'Completed').click()
    await expect(rowOf(page, { id })).toContainText('Completed')
  })

  test('DELIV-003 DELIV-004 DELIV-006 DELIV-010 a local order: accepted, out for delivery, delivered', async ({
    openDesk,
    outside,
    shop,
  }) => {
    const order = await outside.order(shop.key, onDemand)
    const page = await openDesk(shop.owner)
    await openNewest(page)
    await rowOf(page, order).getByText('Dee Nakamura').click()
    await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
    await page.getByRole('button', { name: 'Accept' }).first().click()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()

    await page.getByRole('button', { name: 'Deliver' }).first().click()
    const deliver = dialog(page, 'Deliver Order')
    await deliver.getByRole('button', { name: 'OUT FOR DELIVERY' }).click()
    await expect(toast(page, 'Delivery status updated successfully!')).toBeVisible()
    await expect(page.getByText(/^Out for delivery by Ada Marsh/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add Tracking' })).toHaveCount(0)

    await page.getByRole('button', { name: 'Mark Delivered' }).first().click()
    await deliver.getByRole('button', { name: 'Now' }).click()
    await deliver.getByLabel('Delivered by').fill('Sam')
    await deliver.getByLabel('Signed by').fill('Dee Nakamura')
    await deliver.getByRole('button', { name: 'Passport' }).click()
    await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
    await expect(deliver).toHaveCount(0)
    await expect(page.getByText(/^Delivered by Ada Marsh/)).toBeVisible()
    const facts = page.getByRole('definition')
    await expect(facts.filter({ hasText: /^Sam$/ })).toBeVisible()
    await tabLink(page, 'Completed').click()
    await expect(rowOf(page, order)).toContainText('Completed')
  })

  test('the same road by keyboard alone', async ({ openDesk, outside, shop }) => {
    const page = await openDesk(shop.owner)
    await openNewest(page)
    const order = await outside.order(shop.key, onDemand)
    await expect(newOrders(page, '1 new order')).toBeVisible()
    await tabTo(page, 'Show')
    await page.keyboard.press('Enter')
    await expect(rowOf(page, order)).toContainText('New: ')

    await expect(page.getByRole('link', { name: `#${order.id}`, exact: true })).toBeFocused()
    await page.keyboard.press('a')
    await expect(page.getByRole('button', { name: 'ACCEPT', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeFocused()

    await tabTo(page, 'Deliver')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'OUT FOR DELIVERY' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog(page, 'Deliver Order')).toHaveCount(0)

    await tabTo(page, 'Mark Delivered')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Delivery date')).toBeFocused()
    for (const name of ['Now', 'Passport', 'MARK DELIVERED']) {
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    }
    await expect(page.getByText(/^Delivered by Ada Marsh/)).toBeVisible()
    await pressPair(page, 'g', 'o')
    await expect(page).toHaveURL(/\/orders\/active$/)
  })

  test('the same road on a phone, by touch', async ({ openDesk, outside, shop }) => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await openDesk(shop.owner, phone)
    await openOrders(page)
    const order = await outside.order(shop.key, onDemand)
    await expect(newOrders(page, '1 new order')).toBeVisible()
    await page.getByRole('button', { name: 'Show' }).tap()
    // The bar leaves its place to the cards below.
    await expect(newOrders(page, '1 new order')).toHaveCount(0)
    await page.getByRole('button', { name: `Accept #${order.id}` }).tap()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).tap()

    await expect(page.getByText(/^Accepted by Ada Marsh/)).toBeAttached()
    await expect(page.getByRole('button', { name: 'Deliver' })).toBeInViewport()
    await page.getByRole('button', { name: 'Deliver' }).tap()
    const deliver = dialog(page, 'Deliver Order')
    await deliver.getByRole('button', { name: 'OUT FOR DELIVERY' }).tap()
    await expect(deliver).toHaveCount(0)
    await page.getByRole('button', { name: 'Mark Delivered', exact: true }).tap()
    for (const name of ['Now', 'Passport', 'MARK DELIVERED'])
      await deliver.getByRole('button', { name }).tap()
    await expect(deliver).toHaveCount(0)
    await expect(page.getByText(/^Delivered by Ada Marsh/)).toBeAttached()
  })
})

test.describe('in another shop of its own', () => {
  test('DELIV-001 DELIV-002 a local order that was delivered without a word before: MARK DELIVERED takes both steps in one dialog', async ({
    openDesk,
    outside,
    shop,
    url,
  }) => {
    const { bearer } = await signIn(url, shop.owner)
    const order = await outside.order(shop.key, onDemand)
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    const page = await openDesk(shop.owner)
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Deliver' }).first().click()
    const deliver = dialog(page, 'Deliver Order')
    await expect(deliver.getByRole('button', { name: 'OUT FOR DELIVERY' })).toBeFocused()
    await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
    // The first step is done, and the second asks for its moment.
    await expect(deliver.getByText('Is out for delivery')).toBeVisible()
    await expect(deliver.getByRole('button', { name: "Driver's license" })).toBeFocused()
    await deliver.getByLabel('Signed by').fill('Dee Nakamura')
    await deliver.getByRole('button', { name: 'Passport' }).click()
    await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
    await expect(deliver).toHaveCount(0)
    for (const words of [/^Out for delivery by Ada Marsh/, /^Delivered by Ada Marsh/])
      await expect(page.getByText(words)).toBeVisible()
  })
})

test('of two clerks on one order, the second sees the decision and its author', async ({
  page,
  openDesk,
  outside,
}) => {
  const order = await outside.order('demo')
  const second = await openDesk('member@demo.test')
  await openOrder(page, order)
  await openOrder(second, order)
  await page.getByRole('button', { name: 'Accept' }).first().click()
  await second.getByRole('button', { name: 'Accept' }).first().click()
  await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
  await expect(second.getByText('Accepted by Marguerite Okafor')).toBeAttached()
  await dialog(second, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()

  await expect(toast(second, `Something went wrong, the order ${order.id} wasn't updated.`)).toBeVisible()
  await expect(
    toast(second, /^Marguerite Okafor was faster: Accepted at \d+:\d\d [AP]M( on [\d.]{10})?\.$/),
  ).toBeVisible()
  await expect(dialog(second, 'Accept & Confirm')).toHaveCount(0)
  await expect(second.getByRole('button', { name: 'Add Tracking' }).first()).toBeVisible()
  await expect(second.getByText(/^Accepted by/)).toHaveCount(1)
})

/** Presses Tab until the button has the focus, as a person without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true }).first()
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((button) => button === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached the button ${name}`)
}
