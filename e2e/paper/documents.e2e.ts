import fs from 'node:fs/promises'
import { expect, openOrders, rowOf, test, toast } from '../desk.ts'
import { printed } from '../faults.ts'
import { openNewOrders, selectLoaded } from '../orders/selection.ts'
import { openShop } from '../shop.ts'

test('GEN-013 LIST-022 PRINT-004 PRINT-006 ERR-019 one press in the list saves the slip, opens the print dialog on it, and makes a new order printed @prints', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner)
  await openOrders(page)
  const [slip] = await Promise.all([
    page.waitForEvent('download'),
    expect(toast(page, 'Print Packaging Slip downloaded successfully!')).toBeVisible(),
    page.getByRole('button', { name: `Print packing slip of #${order.id}` }).click(),
  ])
  expect(slip.suggestedFilename()).toBe(`${order.id}-${order.customer.last_name}-PackingSlip.pdf`)
  expect((await fs.readFile(await slip.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await expect(printed(page)).toHaveAttribute('src', /^blob:/)
  await expect(printed(page).contentFrame().locator('html')).toHaveAttribute('data-printed', 'yes')
  await expect(rowOf(page, order)).toContainText('Printed')
})

test('GEN-014 PRINT-001 PRINT-002 VIEW-031 ERR-019 a key prints the slip in the order view, and the receipt once the order is accepted @prints', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner)
  await page.goto(`/orders/view/${order.id}`)
  const receipt = page.getByRole('button', { name: 'Print Receipt' })
  await expect(receipt).toBeDisabled()
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click()
  await page
    .getByRole('dialog', { name: 'Accept & Confirm' })
    .getByRole('button', { name: 'ACCEPT', exact: true })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(receipt).toBeEnabled()
  const [receiptFile] = await Promise.all([page.waitForEvent('download'), receipt.click()])
  expect(receiptFile.suggestedFilename()).toBe(`${order.id}-${order.customer.last_name}-Receipt.pdf`)
  await expect(toast(page, 'Receipt downloaded successfully!')).toBeVisible()
  const [slip] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('p')])
  expect(slip.suggestedFilename()).toBe(`${order.id}-${order.customer.last_name}-PackingSlip.pdf`)
  await expect(toast(page, 'Print Packaging Slip downloaded successfully!')).toBeVisible()
})

test('PRINT-003 PRINT-005 ERR-019 when the server cannot be reached, each document says that it could not be loaded', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner)
  await page.goto(`/orders/view/${order.id}`)
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click()
  await page.getByRole('dialog', { name: 'Accept & Confirm' }).getByRole('button', { name: 'ACCEPT' }).click()
  const receipt = page.getByRole('button', { name: 'Print Receipt' })
  await expect(receipt).toBeEnabled()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Print Packing Slip' }).click()
  await expect(toast(page, "Something went wrong, couldn't download the Print Packaging Slip.")).toBeVisible()
  await receipt.click()
  await expect(toast(page, "Something went wrong, couldn't download the Receipt.")).toBeVisible()
})

test('BULK-001 BULK-002 BULK-011 BULK-012 BULK-013 selected orders are accepted at once, and the rest are listed with their reasons', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 3)
  await selectLoaded(page)
  await bar.getByRole('button', { name: 'Accept 3' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept Orders' })
  // A browser that knows it is offline would keep the accepts on the device.
  await page.route('**/orders/bulk/accept', (route) => route.abort())
  await dialog.getByRole('button', { name: 'ACCEPT 3' }).click()
  await expect(toast(page, 'Error on accepting selected orders, Please try again')).toBeVisible()
  await page.unroute('**/orders/bulk/accept')
  if (orders[0]) await outside.tell(orders[0], { status: 'CANCELLED' })
  await dialog.getByRole('button', { name: 'ACCEPT 3' }).click()
  await expect(toast(page, 'Some accept request rejected')).toBeVisible()
  await expect(dialog.getByText(`#${orders[0]?.id}`)).toBeVisible()
  await expect(dialog).toContainText('1 of 3 was not accepted')
  await dialog.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await expect(rowOf(page, orders[1] ?? { id: '' })).toContainText('Accepted')
})

test('BULK-004 BULK-010 BULK-014 STATE-014 LIST-024 slips, receipts and details of a selection each come as one file, with progress @prints', async ({
  openDesk,
  outside,
  dataDir,
  cable,
}) => {
  const { shop, page, bar } = await openNewOrders({ openDesk, outside, dataDir, baseURL: cable.url }, 2)
  await selectLoaded(page)
  const asked: string[] = []
  page.on('request', (request) => /bulk\/[0-9a-f-]{36}$/.test(request.url()) && asked.push(request.url()))
  const [slips] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Packing slips' }).click(),
  ])
  expect(slips.suggestedFilename()).toBe('packing-slips-2.pdf')
  expect(asked.length).toBeGreaterThan(0)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 of 2')
  const polls = asked.length
  await dialog.getByRole('button', { name: 'CLOSE', exact: true }).click()

  // The receipts are under way as long as the cable holds the answer.
  cable.holdAnswers(`POST /m/v2/merchant/${shop.key}/orders/bulk/reports`)
  await bar.getByRole('button', { name: 'Receipts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'CLOSE', exact: true }).click()
  await bar.getByRole('button', { name: 'Details CSV' }).click()
  await expect(
    toast(page, /^Previous download in progress, please try after \d+ second\(s\)\.$/),
  ).toBeVisible()
  cable.mend()
  await expect(toast(page, "Some order reports couldn't be downloaded")).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText('The receipt is available once the order is accepted.')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'TRY 2 AGAIN' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'CLOSE', exact: true }).click()
  const [details] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Details CSV' }).click(),
  ])
  expect(details.suggestedFilename()).toBe('orders-2.csv')
  // The page never asked again about the finished report while the other two were still running.
  expect(asked.filter((address) => address === asked[0])).toHaveLength(polls)
})
