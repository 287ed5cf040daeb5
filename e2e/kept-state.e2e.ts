import { dialog, expect, openOrder, openOrders, test, toast } from './desk.ts'
import { signIn } from './people.ts'

test('STATE-014 found orders are kept in the page, and show again while the server is silent', async ({
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

  cable.hold()
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
