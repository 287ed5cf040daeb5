import { askToAccept, pressAccept, stored } from '../orders/deciding.ts'
import { dialog, expect, openOrder, rowOf, test, toast } from '../desk.ts'
import { dialogTakesKeys } from '../fields.ts'
import { openNewOrders } from '../orders/selection.ts'
import { openBadGateway } from '../servers/bad-gateway.ts'
import { LATE, cutBand, openKeptList, openWaiting, waitingList } from './on-device.ts'

test.use({ serviceWorkers: 'allow' })

test('many orders accepted without a line wait like single ones, and are sent once', async ({
  openDesk,
  outside,
  dataDir,
  cable,
}) => {
  const { page, shop, orders, bar } = await openNewOrders(
    { openDesk, outside, dataDir, baseURL: cable.url },
    2,
  )
  await openKeptList(page, () => outside.order(shop.key))
  cable.cut()
  await page.reload()
  await expect(cutBand(page)).toBeVisible(LATE)
  for (const order of orders) await rowOf(page, order).getByRole('checkbox').click()
  await bar.getByRole('button', { name: 'Accept 2' }).click()
  await dialog(page, 'Accept Orders').getByRole('button', { name: 'ACCEPT 2' }).click()
  await expect(toast(page, '2 orders are sent when the connection is back.')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await page.reload()
  const list = await openWaiting(page)
  for (const order of orders) await expect(list).toContainText(`Accept #${order.id}`)
  cable.mend()
  await expect(waitingList(page, 'Sent after the cut')).toContainText('2 of 2', LATE)
  for (const order of orders)
    expect(await stored(outside, order)).toMatchObject({ status: 'MERCHANT_ACCEPTED' })
})

test('a proxy that answers in the server’s place is no line: decisions wait until the server is back', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const gateway = await openBadGateway(url, 502)
  try {
    const [order, first] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
    const page = await openDesk(ownShop.owner, { baseURL: gateway.url })
    await openKeptList(page, () => outside.order(ownShop.key))
    await openOrder(page, first)
    await askToAccept(page)
    gateway.fail('GET', 'HEAD', 'PUT', 'POST')
    await pressAccept(page)
    await expect(toast(page, /^Not confirmed\./)).toBeVisible(LATE)
    await page.goto('/orders/active')
    await expect(cutBand(page)).toBeVisible(LATE)
    await rowOf(page, order)
      .getByRole('button', { name: `Accept #${order.id}` })
      .click()
    await pressAccept(page)
    await expect(waitingList(page)).toContainText(`Accept #${order.id}`)
    gateway.mend()
    await expect(waitingList(page, 'Sent after the cut')).toContainText(`Accepted #${order.id}`, LATE)
    expect(await stored(outside, order)).toMatchObject({ status: 'MERCHANT_ACCEPTED' })
    expect(await stored(outside, first)).toMatchObject({ status: 'SUBMITTED' })
    await page.close()
  } finally {
    await gateway.remove()
  }
})

test('each unanswered decision keeps its message until the clerk has read it, however many there are', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const gateway = await openBadGateway(url, 502)
  try {
    const { page, orders } = await openNewOrders({ openDesk, outside, dataDir, baseURL: gateway.url }, 6)
    gateway.fail('PUT /m/v2/orders/')
    for (const order of orders) {
      await page.getByRole('link', { name: /^Active \d/ }).press('Enter')
      await rowOf(page, order)
        .getByRole('button', { name: `Accept #${order.id}` })
        .press('Enter')
      await dialogTakesKeys(page)
      await dialog(page, 'Accept & Confirm')
        .getByRole('button', { name: 'ACCEPT', exact: true })
        .press('Enter')
      await expect(toast(page, new RegExp(`order ${order.id} wasn`))).toBeVisible()
    }
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(6)
    await page.close()
  } finally {
    await gateway.remove()
  }
})
