import type { Page } from '@playwright/test'
import { dialog, expect, openOrder, rowOf, test, toast } from './desk.ts'
import { stored } from './orders/deciding.ts'
import { openNewOrders, selectLoaded } from './orders/selection.ts'
import { openPlainGateway, type PlainGateway } from './servers/plain-gateway.ts'

let gateway: PlainGateway
test.beforeEach(async ({ url }) => {
  gateway = await openPlainGateway(url)
})
test.afterEach(() => gateway.remove())

const failed = (page: Page) => page.getByText('Something on this page failed')

test('ENT-020 the list and the order view live on the documented fields of their replies', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page } = await openNewOrders({ openDesk, outside, dataDir, baseURL: gateway.url }, 1)
  const [order] = orders
  if (order === undefined) throw new Error('There is no order')
  const { message = '' } = order.on_track_status ?? {}
  await expect(rowOf(page, order)).toContainText(message.slice(0, 3))
  await openOrder(page, order)
  await expect(page.getByRole('heading', { level: 2, name: 'History' })).toBeVisible()
  await expect(failed(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click()
  await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT' }).click()
  await expect.poll(async () => (await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
  await expect(page.getByRole('button', { name: 'Print Receipt' }).first()).toBeEnabled()
  await expect(failed(page)).toHaveCount(0)
})

test('BULK-002 BULK-012 GAP-145 a bulk accept is told by its counts where nobody names the rejected', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page, bar } = await openNewOrders({ openDesk, outside, dataDir, baseURL: gateway.url }, 2)
  await selectLoaded(page)
  await bar.getByRole('button', { name: 'Accept 2' }).click()
  const question = dialog(page, 'Accept Orders')
  await expect(question.getByRole('button', { name: 'ACCEPT 2' })).toBeVisible()
  if (orders[0]) await outside.tell(orders[0], { status: 'CANCELLED' })
  await question.getByRole('button', { name: 'ACCEPT 2' }).click()
  await expect(toast(page, 'Some accept request rejected')).toBeVisible()
  await expect(question).toHaveCount(0)
  await expect(rowOf(page, orders[1] ?? { id: '' })).toContainText('Accepted')
})

test('ENT-057 a batch is followed by its counts where nobody names the failed', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { page, bar } = await openNewOrders({ openDesk, outside, dataDir, baseURL: gateway.url }, 1)
  await selectLoaded(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Details CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('orders-1.csv')
  await expect(page.getByRole('dialog')).toContainText('Ready.')
  await expect(failed(page)).toHaveCount(0)
})
