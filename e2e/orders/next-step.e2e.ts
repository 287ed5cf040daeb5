import type { Locator } from '@playwright/test'
import { anItem, anOrder } from '../../server/test/orders.ts'
import { GUARD_MS } from '../../web/src/lib/parts/late-press.ts'
import { dialog, expect, openOrder, openOrders, rowOf, test } from '../desk.ts'
import { runUntil, stopTime } from '../page-time.ts'
import { signIn } from '../people.ts'

test('a shop without a carrier account is led to Add Tracking, and to Buy Label once it has one', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const inRow = (name: string) => rowOf(page, order).getByRole('button', { name: `${name} #${order.id}` })
  await expect(inRow('Add Tracking')).toBeVisible()
  await expect(inRow('Buy Label')).toHaveCount(0)
  await openOrder(page, order)
  // The likeliest stands last.
  const names = page.locator('main').getByRole('button', { name: /^(Add Tracking|Buy Label)$/ })
  await expect(names).toHaveText([/Buy Label/, /Add Tracking/])

  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Carrier' }).click()
  await page.getByLabel('Carrier', { exact: true }).selectOption('UPS')
  await page.getByLabel('Account number').fill('A1B2C3')
  await page.getByLabel('Account ZIP').fill('10004')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible()
  // Without a reload.
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await expect(inRow('Buy Label')).toBeVisible()
})

test('why a label was refused stays beside its button through later entries of the history, with Support’s address, until the address is corrected', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', {
    recipient: { ...anOrder('x').recipient, street_1: '0 Nowhere Street', phone_number: '+12125550123' },
    order_weight: 4,
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Buy Label', exact: true }).first().click()
  const label = dialog(page, 'Create Shipping Label')
  await label.getByRole('button', { name: 'PRINT', exact: true }).click()
  const mail = `mailto:support@cellarhand.test?subject=Shipping%20label%20of%20order%20%23${order.id}`
  const support = (at: Locator) => at.getByRole('link', { name: 'Support', exact: true })
  await expect(support(label)).toHaveAttribute('href', mail)
  await label.getByRole('button', { name: 'CLOSE', exact: true }).click()

  await page.getByRole('button', { name: 'Packing Slip' }).first().click()
  await expect(page.getByText(/^Packing slip printed/)).toBeVisible()
  const reason = page.getByRole('definition').filter({ hasText: 'This address is invalid.' })
  await expect(support(reason)).toHaveAttribute('href', mail)
  await reason.getByRole('button', { name: 'Correct Address' }).click()
  const address = dialog(page, 'Correct Address')
  await address.getByLabel('Street').fill('7 Real Street')
  await address.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('The address was corrected.')).toBeVisible()
  await label.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await expect(reason).toHaveCount(0)
})

test('an order whose label the carrier refused leads from its row to the address, and from there to the label', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.connectCarrier(bearer, ownShop.key)
  const order = await outside.order(ownShop.key, {
    recipient: { ...anOrder('x').recipient, street_1: '0 Nowhere Street' },
    order_weight: 4,
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner)
  await page.clock.install()
  const buy = () => page.getByRole('button', { name: `Buy Label #${order.id}` })
  await openOrders(page)
  await buy().click()
  const label = dialog(page, 'Create Shipping Label')
  const print = label.getByRole('button', { name: 'PRINT', exact: true })
  // The dialog has read the order, so the next answer about it is that after the refusal.
  await expect(print).toBeVisible()
  const recorded = page.waitForResponse((answer) => answer.url().endsWith(`/m/v2/orders/${order.id}`))
  await print.click()
  await expect(label.getByRole('alert')).toBeVisible()
  await (await recorded).finished()
  await label.getByRole('button', { name: 'CLOSE', exact: true }).click()
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/recipient')) sent.push(request.postDataJSON())
  })
  await stopTime(page)
  await buy().press('Enter')
  const address = dialog(page, 'Correct Address')
  const street = address.getByLabel('Street')
  await runUntil(page, async () => expect(street).toBeFocused({ timeout: 200 }), 50)
  await expect(address.getByText('This address is invalid.')).toBeVisible()
  // The same Enter bounces: it was for Buy Label, and saves nothing.
  await page.keyboard.press('Enter')
  await page.clock.runFor(GUARD_MS)
  await page.keyboard.type('7 Real Street')
  await page.keyboard.press('Enter')
  const weight = label.getByLabel('Weight (lbs)')
  await runUntil(page, async () => expect(weight).toBeFocused({ timeout: 200 }), 20)
  expect(sent).toEqual([expect.objectContaining({ street_1: '7 Real Street' })])
  // The same Enter bounces: it was for SAVE, and buys nothing.
  await page.keyboard.press('Enter')
  await page.clock.resume()
  await expect(print).toBeEnabled()
  await expect(print).not.toHaveAttribute('aria-busy', 'true')
  await print.click()
  await expect(page.getByText('Shipping label created successfully!')).toBeVisible()
})

test('the day of a presale brings its next step to the row of a desk that stood open overnight', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const day = new Date(Date.now() + 13 * 86_400_000).toISOString().slice(0, 10)
  const items = [{ ...anItem({}), aux_data: { preorder_available_date: day } }]
  const order = await outside.order(ownShop.key, { items })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner)
  await page.clock.install()
  await openOrders(page)
  const next = rowOf(page, order).getByRole('button', { name: `Add Tracking #${order.id}` })
  await expect(rowOf(page, order).getByRole('button', { name: `More for #${order.id}` })).toBeVisible()
  await expect(next).toHaveCount(0)
  // No answer tells the page another time.
  await page.context().setOffline(true)
  await page.clock.fastForward(4 * 86_400_000)
  await expect(next).toBeVisible()
})
