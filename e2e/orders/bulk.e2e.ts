import type { NewOrder } from '@cellarhand/contract/marketplace'
import { lateAnswerStreet } from '../../server/src/shipping/port/sentinel-addresses.ts'
import { anOrder } from '../../server/test/orders.ts'
import { stored } from './deciding.ts'
import { openDatabase } from '../database.ts'
import { expect, openOrders, test, toast } from '../desk.ts'
import { printed } from '../faults.ts'
import { dialogTakesKeys } from '../fields.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import { openNewOrders, selectionBar, selectLoaded } from './selection.ts'
import { openShop } from '../shop.ts'

test('BULK-008 an order that no longer exists is named, and the details of the others arrive', async ({
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

test('BULK-009 a download that the server refuses says so, and can be tried again', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 1)
  await selectLoaded(page)
  const dialog = page.getByRole('dialog')
  const press = () => bar.getByRole('button', { name: 'Details CSV' }).press('Enter')
  const close = async () => {
    // The file and the failure may come before the dialog takes keys.
    await dialogTakesKeys(page)
    await dialog.getByRole('button', { name: 'CLOSE', exact: true }).press('Enter')
  }
  await Promise.all([page.waitForEvent('download'), press()])
  await close()
  await page.context().setOffline(true)
  await press()
  const failure = toast(page, 'Error on downloading selected order details/reports, Please try again')
  await expect(failure).toBeVisible()
  // The pointer above it holds it on the screen.
  await failure.hover()
  await page.context().setOffline(false)
  await close()
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  expect(file.suggestedFilename()).toBe('orders-1.csv')
  await expect(failure).toHaveCount(0)
})

test('BULK-003 BULK-005 BULK-006 the page asks once a second, stops after twenty tries, and says that an e-mail will follow', async ({
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
  // A slip marks its order as printed, and while this lock holds nobody can.
  await database.query('begin')
  await database.query('select from orders where order_id = $1 for update', [orders[0]?.id])
  await bar.getByRole('button', { name: 'Packing slips' }).click()
  await expect(
    toast(
      page,
      'Your download is taking longer than expected. An email with the download link will be sent to you shortly.',
    ),
  ).toBeVisible()
  expect(asked).toHaveLength(21)
  const pauses = asked.slice(1).map((moment, index) => moment - (asked[index] ?? 0))
  expect(pauses.reduce((sum, pause) => sum + pause, 0) / 20).toBeGreaterThan(950)
  // A busy machine is late at some of them.
  expect(Math.min(...pauses)).toBeLessThan(1_600)
  await database.query('rollback')
  await database.end()
})

test('BULK-011 when no selected order can be accepted any more, the dialog says so', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { orders, page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 1)
  await selectLoaded(page)
  await bar.getByRole('button', { name: 'Accept 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept Orders' })
  const database = await openDatabase(dataDir)
  // Without an event: the page would otherwise remove the order from the selection.
  await database.query(
    `update orders set status = 'CANCELLED', document = (document::jsonb || '{"status":"CANCELLED"}')::json where order_id = $1`,
    [orders[0]?.id],
  )
  await database.end()
  await dialog.getByRole('button', { name: /^ACCEPT/ }).click()
  await expect(toast(page, 'Accept request rejected')).toBeVisible()
  await expect(dialog).toContainText(`#${orders[0]?.id}`)
})

test('BULK-011 an accept of many without an answer accepts once, and the second press says so', async ({
  openDesk,
  outside,
  dataDir,
  cable,
}) => {
  const onCable = (person: string) => openDesk(person, { baseURL: cable.url })
  const { orders, page, bar } = await openNewOrders({ openDesk: onCable, outside, dataDir }, 2)
  await selectLoaded(page)
  await bar.getByRole('button', { name: 'Accept 2' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept Orders' })
  const accept = dialog.getByRole('button', { name: 'ACCEPT 2' })
  await expect(accept).toBeFocused()
  cable.loseAnswers()
  await accept.click()
  await expect(toast(page, 'Error on accepting selected orders, Please try again')).toBeVisible()
  for (const order of orders)
    await expect.poll(async () => (await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
  cable.mend()
  await expect(page.locator('header').getByText('Live', { exact: true })).toBeAttached()
  await accept.click()
  await expect(toast(page, '2 orders were accepted.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

/** Waits until the sandbox has sold the order's label, and moves the time of the sale. */
async function moveSale(dataDir: string, orderId: string, by: string): Promise<void> {
  const database = await openDatabase(dataDir)
  const move = () =>
    database.query(
      `update sandbox_parcels set bought_at = now() + $2::interval
       where state = 'bought' and label ->> 'orderNumber' = $1`,
      [orderId, by],
    )
  await expect.poll(async () => (await move()).rowCount, { intervals: [50] }).toBe(1)
  await database.end()
}

/** A shop with a connected carrier, and its accepted parcels. */
async function openLabelShop({ dataDir, url, outside }: { dataDir: string; url: string; outside: Outside }) {
  const shop = await openShop(dataDir)
  const { bearer } = await signIn(url, shop.owner)
  await outside.connectCarrier(bearer, shop.key)
  const accepted = async (changes: Partial<NewOrder>) =>
    outside.update(bearer, await outside.order(shop.key, changes), { status: 'MERCHANT_ACCEPTED' })
  return { shop, bearer, accepted }
}

test('the labels of a selection need a confirmation, arrive as one file, and the dialog names orders without a label @prints', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const { shop, bearer, accepted } = await openLabelShop({ dataDir, url, outside })
  const good = [await accepted({ order_weight: 3 }), await accepted({ order_weight: 4 })]
  const unweighed = await accepted({ order_weight: null })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await selectLoaded(page)
  const bar = selectionBar(page)
  await bar.getByRole('button', { name: 'Labels', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Shipping Labels' })
  await expect(dialog).toContainText('among these 3 orders')
  await expect(dialog.getByRole('status')).toHaveText(
    'Estimate: $22.35 for 2 labels, UPS Ground. The prices hold for 15 minutes.',
  )
  await expect(dialog.getByRole('region', { name: '1 without a price' })).toContainText(
    `#${unweighed.id} Its weight is not known`,
  )
  await expect(dialog.getByRole('button', { name: 'BUY LABELS' })).toBeFocused()
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(file.suggestedFilename()).toBe('labels-3.pdf')
  await expect(toast(page, 'Some shipping labels were not bought.')).toBeVisible()
  await expect(dialog.getByRole('heading', { name: '1 of 3 got no label' })).toBeVisible()
  await expect(dialog).toContainText(`#${unweighed.id} Its weight is not known`)
  await dialog.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await expect(bar.getByRole('status')).toHaveText('1 selected')
  for (const { id } of good) {
    const shipped = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })
    expect(shipped.status).toBe('MERCHANT_SHIPPED')
  }

  // All orders ship: the bar closes, and the dialog stays until the clerk closes it.
  const last = await accepted({ order_weight: 5 })
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await openOrders(page)
  await page.getByRole('checkbox', { name: `Select #${last.id}` }).click()
  await bar.getByRole('button', { name: 'Labels', exact: true }).click()
  await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'BUY LABELS' }).click(),
  ])
  await expect(dialog).toContainText('Ready.')
  await expect(page.getByText('1 selected')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an order whose answer the carrier lost shows as being checked, not as failed, and the others print meanwhile @prints', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const { shop, bearer, accepted } = await openLabelShop({ dataDir, url, outside })
  const recipient = { ...anOrder('x').recipient, street_1: lateAnswerStreet }
  const late = await accepted({ order_weight: 5, recipient })
  const orders = [await accepted({ order_weight: 3 }), await accepted({ order_weight: 4 }), late]
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await selectLoaded(page)
  await selectionBar(page).getByRole('button', { name: 'Labels', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Shipping Labels' })
  await dialog.getByRole('button', { name: 'BUY LABELS' }).click()
  // The sandbox finds the parcel some seconds after its sale: here, once the test has read the dialog.
  await moveSale(dataDir, late.id, '1 hour')
  await expect(dialog.getByRole('status')).toHaveText('2 of 3, 1 being checked with the carrier')
  await expect(dialog).toContainText('The carrier’s answer was lost for 1 of them.')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'PRINT THE 2' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('labels-2.pdf')
  await expect(dialog.getByRole('heading', { name: /got no label/ })).toHaveCount(0)
  // Nobody sticks one label on two boxes, so a printed label is not printed again by itself.
  const once = printed(page)
  await expect(once).toHaveAttribute('src', /^blob:/)
  const paper = await once.getAttribute('src')
  await moveSale(dataDir, late.id, '-10 seconds')
  for (const { id } of orders) {
    const read = async () =>
      (await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })).status
    await expect.poll(read).toBe('MERCHANT_SHIPPED')
  }
  await expect(dialog).toContainText(/2 of these were printed before|longer than expected/)
  await expect(once).toHaveAttribute('src', paper ?? '')
})
