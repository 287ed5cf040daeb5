import { openDatabase } from './database.ts'
import { expect, test, toast } from './desk.ts'
import { openNewOrders, selectLoaded } from './selection.ts'

test('BULK-008 an order that is gone is named, and the details of the others are there', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 2)
  const database = await openDatabase(dataDir)
  await database.query('delete from orders where order_id = $1', [orders[0]?.id])
  await database.end()
  await selectLoaded(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Details CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('orders-2.csv')
  await expect(toast(page, 'Some order details could not be downloaded')).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText(`#${orders[0]?.id}`)
})

test('BULK-009 a download that the server does not take says so, and can be tried again', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 1)
  await selectLoaded(page)
  const dialog = page.getByRole('dialog')
  const press = () => bar.getByRole('button', { name: 'Details CSV' }).click()
  const close = () => dialog.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await Promise.all([page.waitForEvent('download'), press()])
  await close()
  await page.context().setOffline(true)
  await press()
  await expect(
    toast(page, 'Error on downloading selected order details/reports, Please try again'),
  ).toBeVisible()
  await page.context().setOffline(false)
  await close()
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  expect(file.suggestedFilename()).toBe('orders-1.csv')
})

test('BULK-003 BULK-005 BULK-006 asked once a second, after twenty tries the page stops asking, and says that an e-mail will follow', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 1)
  await selectLoaded(page)
  const asked: number[] = []
  page.on('request', (request) => {
    if (/bulk\/[0-9a-f-]{36}$/.test(request.url())) asked.push(Date.now())
  })
  const database = await openDatabase(dataDir)
  // A slip marks its order as printed, and as long as this stands nobody can.
  await database.query('begin')
  await database.query('select from orders where order_id = $1 for update', [orders[0]?.id])
  await bar.getByRole('button', { name: 'Packing slips' }).click()
  await expect(
    toast(
      page,
      'Your download is taking longer than expected. An email with the download link will be sent to you shortly.',
    ),
  ).toBeVisible({ timeout: 40_000 })
  expect(asked).toHaveLength(21)
  const pause = ((asked.at(-1) ?? 0) - (asked[0] ?? 0)) / 20
  expect(pause).toBeGreaterThan(950)
  expect(pause).toBeLessThan(1_600)
  await database.query('rollback')
  await database.end()
})

test('BULK-011 when none of them can be accepted any more, it says so', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 1)
  await selectLoaded(page)
  await bar.getByRole('button', { name: 'Accept 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept Orders' })
  const database = await openDatabase(dataDir)
  // Without a word to the page, which would otherwise take the order out of the selection.
  await database.query(
    `update orders set status = 'CANCELLED', document = (document::jsonb || '{"status":"CANCELLED"}')::json where order_id = $1`,
    [orders[0]?.id],
  )
  await database.end()
  await dialog.getByRole('button', { name: /^ACCEPT/ }).click()
  await expect(toast(page, 'Accept request rejected')).toBeVisible()
  await expect(dialog).toContainText(`#${orders[0]?.id}`)
})
