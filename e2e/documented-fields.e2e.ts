import type { Page } from '@playwright/test'
import { expect, openOrder, test, toast } from './desk.ts'
import { openNewOrders, selectLoaded } from './orders/selection.ts'
import { openPlainGateway, type PlainGateway } from './plain-gateway.ts'

let gateway: PlainGateway
test.beforeEach(async ({ url }) => {
  gateway = await openPlainGateway(url)
})
test.afterEach(() => gateway.remove())

const failed = (page: Page) => page.getByText('Something on this page failed')

test('LIST-001 ENT-020 the list and the order view live on the documented fields of their replies', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page } = await openNewOrders({ openDesk, outside, dataDir, baseURL: gateway.url }, 1)
  const [order] = orders
  if (order === undefined) throw new Error('There is no order')
  await expect(page.getByRole('row').filter({ hasText: `#${order.id}` })).toContainText(/By |left|min/)
  await openOrder(page, order)
  await expect(page.getByRole('heading', { level: 2, name: 'History' })).toBeVisible()
  await expect(failed(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'ACCEPT', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /ACCEPT/ })
    .click()
  await expect(page.getByText('Accepted', { exact: false }).first()).toBeVisible()
  await expect(failed(page)).toHaveCount(0)
})

test('BULK-002 BULK-012 GAP-145 a bulk accept is told by its counts where nobody names the rejected', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { shop, orders, page, bar } = await openNewOrders(
    { openDesk, outside, dataDir, baseURL: gateway.url },
    2,
  )
  await selectLoaded(page)
  await bar.getByRole('button', { name: /^Accept/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'ACCEPT 2' })).toBeVisible()
  expect(shop.key).toBe(shop.key)
  const [first] = orders
  if (first === undefined) throw new Error('There is no order')
  await outside.tell(first, { status: 'CANCELLED' })
  await dialog.getByRole('button', { name: /^ACCEPT/ }).click()
  await expect(toast(page, 'Some accept request rejected')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(failed(page)).toHaveCount(0)
})

test('BULK-008 ENT-057 a batch is followed by its counts where nobody names the failed', async ({
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
