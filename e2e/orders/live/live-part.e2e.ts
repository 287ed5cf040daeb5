import { expect, newOrders, rowOf, test, toast } from '../../desk.ts'
import { signIn } from '../../people.ts'

test('changes between the list and the start of its event stream show, even when the counts stay the same', async ({
  openDesk,
  outside,
  ownShop,
  url,
  cable,
}) => {
  const [accepted, cancelled] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
  cable.holdAnswers('GET /assets/live-desk-')
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await page.goto('/orders/active')
  await expect(rowOf(page, accepted)).toContainText('New')
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.update(bearer, accepted, { status: 'MERCHANT_ACCEPTED' })
  await outside.tell(cancelled, { status: 'CANCELLED' })
  await outside.order(ownShop.key)
  cable.mend()
  await expect(rowOf(page, accepted)).toContainText('Accepted')
  await expect(rowOf(page, cancelled)).toHaveCount(0)
  await expect(newOrders(page, '1 new order')).toBeVisible()
})

test('the same for a tab that is not the active one', async ({ openDesk, outside, ownShop, cable }) => {
  const order = await outside.order(ownShop.key)
  cable.holdAnswers('GET /assets/live-desk-')
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await page.goto('/orders/cancelled')
  await expect(page.getByText('No orders available', { exact: true })).toBeVisible()
  await outside.tell(order, { status: 'CANCELLED' })
  cable.mend()
  await expect(rowOf(page, order)).toBeVisible()
})

test('GAP-81 a desk whose live part is missing says so, asks every 30 seconds and can be reloaded', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  cable.holdAnswers('GET /assets/live-desk-')
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await page.clock.install()
  await page.goto('/orders/active')
  await expect(page.getByText('No orders available', { exact: true })).toBeVisible()
  const order = await outside.order(ownShop.key)
  await page.clock.runFor(31_000)
  await expect(rowOf(page, order)).toBeVisible()
  await expect(page.getByRole('banner').getByText('1 not seen yet', { exact: true })).toBeVisible()
  await expect(page.getByRole('status').getByText(/^(Reconnecting|Offline since .+)$/)).toBeVisible()
  await expect(toast(page, 'A part of this page is missing')).toBeVisible()
  cable.mend()
  await page.clock.resume()
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
})
