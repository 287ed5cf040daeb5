import { dialog, expect, openOrder, openOrders, test, toast } from './desk.ts'
import { signIn } from './people.ts'

test('STATE-014 billing and found orders are kept in the page, and show again while the server is silent', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrders(page)
  const search = page.getByRole('combobox', { name: 'Order #' })
  const hit = page.getByRole('option')
  await search.fill(order.id)
  await expect(hit).toContainText(`#${order.id}`)
  await search.fill('')
  await expect(hit).toHaveCount(0)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Company' }).click()
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await settings.getByRole('link', { name: 'Billing' }).click()
  const billing = page.getByRole('button', { name: 'Accept the terms of service' })
  await expect(billing).toBeVisible()

  cable.hold()
  await settings.getByRole('link', { name: 'Company' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Company' })).toBeVisible()
  await settings.getByRole('link', { name: 'Billing' }).click()
  await expect(billing).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click()
  await search.fill(order.id)
  await expect(hit).toContainText(`#${order.id}`)
})

test('STATE-014 a text message under way shows as such until its answer comes', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key, { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Send Directions to Phone' }).click()
  const box = dialog(page, 'Send Directions to Phone')
  await box.getByLabel('Phone number').fill('2125550188')
  cable.holdAnswers('POST /m/v2/sms')
  const send = box.getByRole('button', { name: 'SEND', exact: true })
  await send.click()
  await expect(send).toHaveAttribute('aria-busy', 'true')
  await expect(box.getByRole('button', { name: 'CLOSE', exact: true })).toBeDisabled()
  cable.mend()
  await expect(toast(page, /^We have sent directions to /)).toBeVisible()
})
