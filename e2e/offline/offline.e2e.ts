import type { Page } from '@playwright/test'
import { actions, askToAccept, pressAccept, stored } from '../orders/deciding.ts'
import { dialog, expect, openOrder, openOrders, rowOf, test } from '../desk.ts'
import { signIn } from '../people.ts'

test.use({ serviceWorkers: 'allow' })

/** Resolves once the worker keeps this build and the device keeps what the page shows. */
async function keptOnDevice(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration('/orders')
        return registration?.active?.state
      }),
    )
    .toBe('activated')
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('cellarhand-seal=')
}

const band = (page: Page) => page.getByRole('status').filter({ hasText: /^Offline since .+You can accept/ })
const list = (page: Page, name = 'Not sent yet') => page.getByRole('region', { name })

test('decisions without a line wait in order, survive a reload, can be undone, and are sent once', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const [first, second, third] = [
    await outside.order(ownShop.key),
    await outside.order(ownShop.key),
    await outside.order(ownShop.key),
  ]
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrders(page)
  await expect(rowOf(page, third)).toBeVisible()
  await keptOnDevice(page)
  // What is kept follows the screen a moment later.
  await page.reload()
  await openOrders(page)
  await keptOnDevice(page)
  cable.cut()
  await page.reload()
  await expect(band(page)).toBeVisible()
  await expect(rowOf(page, first)).toBeVisible()

  const accept = async (order: { id: string }) => {
    await page.goto('/orders/active')
    await rowOf(page, order)
      .getByRole('button', { name: `Accept #${order.id}` })
      .click()
    await pressAccept(page)
    await expect(list(page)).toContainText(`Accept #${order.id}`)
  }
  await accept(first)
  await accept(second)
  await page.goto('/orders/active')
  await rowOf(page, third)
    .getByRole('link', { name: `#${third.id}` })
    .click()
  await page.getByRole('button', { name: 'Reject' }).first().click()
  const reject = dialog(page, 'Reject Order')
  await reject.getByText('Customer cancelled').click()
  await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
  await expect(list(page)).toContainText(`Reject #${third.id}`)

  await page.goto('/orders/active')
  await expect(list(page).getByRole('listitem')).toHaveCount(3)
  await expect(rowOf(page, first)).toContainText('Accepted not sent yet')
  await expect(rowOf(page, third)).toContainText('reject not sent yet')
  await page.getByRole('button', { name: `Undo accept of #${second.id}` }).click()
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await expect(rowOf(page, second).getByRole('button', { name: `Accept #${second.id}` })).toBeEnabled()

  cable.mend()
  await expect(list(page, 'Sent after the cut')).toContainText(`Accepted #${first.id}`)
  await expect(band(page)).toHaveCount(0)
  const { bearer } = await signIn(url, ownShop.owner)
  const history = async ({ id }: { id: string }) =>
    (await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })).history.map(
      ({ action }) => action,
    )
  expect(await history(first)).toEqual(['accept', 'submit'])
  expect(await history(second)).toEqual(['submit'])
  expect(await history(third)).toEqual(['reject', 'submit'])
  await list(page, 'Sent after the cut').getByRole('button', { name: 'Close' }).click()
  await expect(list(page, 'Sent after the cut')).toHaveCount(0)
})

test('what a colleague decided first is shown as such and not repeated; after sign-out nothing can be read', async ({
  openDesk,
  outside,
  cable,
  url,
}) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrders(page)
  await keptOnDevice(page)
  await openOrder(page, order)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  cable.cut()
  await expect(page.getByRole('banner').getByRole('status')).toHaveText('Reconnecting')
  await askToAccept(page)
  await pressAccept(page)
  await expect(list(page)).toContainText(`Accept #${order.id}`)
  const { bearer } = await signIn(url, 'manager@demo.test')
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    key: `first-${order.id}`,
    body: {
      status: 'MERCHANT_REJECTED',
      reason: { code: 'customer_cancelled', value: 'Customer cancelled' },
    },
  })
  cable.mend()
  const told = list(page, 'Sent after the cut')
  await expect(told).toContainText(`#${order.id} was not accepted`)
  await expect(told).toContainText(/was faster: /)
  expect((await stored(outside, order)).status).toBe('MERCHANT_REJECTED')
  expect(await actions(outside, url, order)).toEqual(['reject', 'submit'])
  await page.evaluate(() => document.querySelector<HTMLElement>('body')?.focus())
  expect(await page.evaluate(() => document.cookie)).toContain('cellarhand-seal=')
})
