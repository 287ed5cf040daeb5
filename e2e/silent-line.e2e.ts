import type { Page } from '@playwright/test'
import { actions, askToAccept, next, pressAccept, stored } from './orders/deciding.ts'
import { dialog, expect, newOrders, openOrder, openOrders, rowOf, test, toast } from './desk.ts'
import { openWithoutTime, runUntil, stopTime, timeOf } from './page-time.ts'
import { signIn } from './people.ts'
import { selectLoaded } from './orders/selection.ts'

const mark = (page: Page) => page.getByText('not confirmed yet', { exact: true })
const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Not confirmed yet.' })
const liveState = (page: Page) => page.getByRole('banner').getByRole('status')

// A long file that comes late, so all workers share it.
test.describe.configure({ mode: 'parallel' })
// A page whose line goes silent has usually fetched its parts before.
test.use({ fetchesAhead: true })

test.describe('an accept on a silent connection', () => {
  test('is marked as not confirmed, blocks steps that depend on it, and is taken back with a message in 15 seconds', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await page.clock.install()
    await openOrder(page, order)
    await askToAccept(page)
    await stopTime(page)
    cable.hold()
    await pressAccept(page)
    const pressedAt = await timeOf(page)
    await page.clock.runFor(1_500)
    await expect(next(page, 'Deliver')).toBeEnabled()
    await expect(mark(page)).toHaveCount(0)

    await page.clock.runFor(1_000)
    await expect(mark(page)).toBeVisible()
    await expect(notice(page)).toBeVisible()
    const steps = page.getByRole('list', { name: 'Progress' })
    await expect(steps).toContainText('Accepted, not confirmed yet')
    await expect(steps.locator('[aria-current=step]')).toContainText('Submitted')
    await expect(next(page, 'Deliver')).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Print Receipt' })).toBeDisabled()

    const words = toast(
      page,
      /^Not confirmed\. The server did not answer in time, so this may or may not be done/,
    )
    await runUntil(page, async () => expect(words).toBeVisible({ timeout: 200 }))
    expect((await timeOf(page)) - pressedAt).toBeLessThan(18_000)
    await expect(mark(page)).toHaveCount(0)
    await expect(next(page, 'Accept')).toBeEnabled()
    await expect(steps).not.toContainText('Accepted')
    expect((await stored(outside, order)).status).toBe('SUBMITTED')

    // The held call arrives now, and the next press must not repeat it.
    cable.mend()
    await page.clock.resume()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(/^Accepted by/)).toBeVisible()
    await expect(words).toHaveCount(0)
    expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
  })

  test('is confirmed by a late answer, with nothing left to do', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await page.clock.install()
    await openOrder(page, order)
    await askToAccept(page)
    await stopTime(page)
    cable.hold()
    await pressAccept(page)
    await page.clock.runFor(2_500)
    await expect(mark(page)).toBeVisible()
    cable.mend()
    await page.clock.resume()
    await expect(mark(page)).toHaveCount(0)
    await expect(page.getByText(/^Accepted by/)).toBeVisible()
    await expect(next(page, 'Add Tracking')).toBeEnabled()
    await expect(page.getByRole('status', { name: 'Messages' })).toBeEmpty()
    expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
  })

  for (const [place, width] of [
    ['row', 1440],
    ['card', 390],
  ] as const) {
    test(`is marked on its ${place} in the list`, async ({ openDesk, outside, ownShop, cable }) => {
      const order = await outside.order(ownShop.key)
      const page = await openDesk(ownShop.owner, { baseURL: cable.url, viewport: { width, height: 844 } })
      await page.clock.install()
      // By then the order view's parts have been fetched.
      await openOrder(page, order)
      await openOrders(page)
      const shown = page
        .getByRole(place === 'row' ? 'row' : 'listitem')
        .filter({ has: page.getByRole('link', { name: `#${order.id}` }) })
      await shown.getByRole('button', { name: `Accept #${order.id}` }).click()
      await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
      await stopTime(page)
      cable.hold()
      await pressAccept(page)
      await runUntil(page, async () => expect(page).toHaveURL(/view/, { timeout: 200 }))
      await page.clock.runFor(2_500)
      await expect(mark(page)).toBeVisible()
      for (const step of ['Enter tracking details', 'Create Shipping Label', 'Print Receipt'])
        await expect(page.getByRole('button', { name: step })).toBeDisabled()
      await page.getByRole('button', { name: 'Back to the list' }).click()
      await expect(shown).toContainText('Accepted not confirmed yet')
      await expect(shown.getByRole('button', { name: `Add Tracking #${order.id}` })).toBeDisabled()
      cable.mend()
    })
  }
})

test('an accept of many on a silent connection says so in its dialog, ends in 15 seconds, and the second press is the only effect', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const orders = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await page.clock.install()
  await openOrders(page)
  await selectLoaded(page)
  await page.getByRole('group', { name: 'Selected orders' }).getByRole('button', { name: 'Accept 2' }).click()
  const box = dialog(page, 'Accept Orders')
  const accept = box.getByRole('button', { name: 'ACCEPT 2' })
  await expect(accept).toBeVisible()
  await stopTime(page)
  cable.hold()
  await accept.click()
  await page.clock.runFor(2_500)
  await expect(box.getByRole('status')).toHaveText('Not confirmed yet. The server has not answered.')
  await runUntil(page, async () =>
    expect(toast(page, /^Not confirmed\. The server did not answer in time\./)).toBeVisible({ timeout: 200 }),
  )
  cable.mend()
  await page.clock.resume()
  await accept.click()
  await expect(toast(page, '2 orders were accepted.')).toBeVisible()
  const { bearer } = await signIn(url, ownShop.owner)
  for (const { id } of orders) {
    const { history } = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })
    expect(history.map(({ action }) => action)).toEqual(['accept', 'submit'])
  }
})

test('within 20 seconds a silent connection is no longer called live, and missed changes show afterwards', async ({
  openDesk,
  outside,
  shop,
  cable,
}) => {
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await page.clock.install()
  await openOrders(page)
  await stopTime(page)
  cable.hold()
  await page.clock.runFor(8_000)
  await expect(liveState(page)).toHaveText('Live')
  await page.clock.runFor(12_000)
  await expect(liveState(page)).toHaveText(/^(Reconnecting|Offline since .+)$/)
  await runUntil(page, async () => expect(liveState(page)).toHaveText(/^Offline since .+$/, { timeout: 200 }))
  await outside.order(shop.key)
  cable.mend()
  await page.clock.resume()
  await expect(newOrders(page, '1 new order')).toBeVisible()
  await expect(liveState(page)).toHaveText('Live')
})

for (const [line, stop] of [
  ['cut', 'cut'],
  ['silent', 'hold'],
] as const) {
  test(`a dialog whose parts cannot be fetched on a ${line} line fails inside itself, and can be tried again`, async ({
    openDesk,
    outside,
    shop,
    cable,
  }) => {
    const order = await outside.order(shop.key)
    const page = await openDesk(shop.owner, { baseURL: cable.url })
    await openWithoutTime(page, '/orders/active?sort=desc')
    await expect(rowOf(page, order)).toBeVisible()
    cable[stop]()
    const press = () =>
      rowOf(page, order)
        .getByRole('button', { name: `Accept #${order.id}` })
        .click()
    await press()
    const failed = dialog(page, 'Not loaded')
    await runUntil(page, async () => expect(failed).toBeVisible({ timeout: 200 }))
    await expect(failed.getByRole('alert')).toContainText(
      'This part of the page did not load. Nothing was changed.',
    )
    await expect(failed.getByRole('button', { name: 'Try again' })).toBeVisible()
    await failed.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(rowOf(page, order)).toBeVisible()

    await press()
    await runUntil(page, async () => expect(failed).toBeVisible({ timeout: 200 }))
    cable.mend()
    await page.clock.resume()
    await failed.getByRole('button', { name: 'Try again' }).click()
    // Where the browser keeps a fetch that failed, the page is loaded again.
    const accept = dialog(page, 'Accept & Confirm')
    const dialogs = page.getByRole('dialog')
    await expect.poll(async () => (await accept.isVisible()) || (await dialogs.count()) === 0).toBe(true)
    if (!(await accept.isVisible())) await press()
    await expect(accept).toBeVisible()
    await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${order.id}`)
  })
}

test('a page whose own part never arrives fails in time, and can be tried again', async ({
  openDesk,
  outside,
  shop,
  cable,
}) => {
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await openWithoutTime(page, '/orders/active?sort=desc')
  cable.holdAnswers('GET /assets/order-page-')
  await rowOf(page, order)
    .getByRole('link', { name: `#${order.id}` })
    .click()
  const pressedAt = await timeOf(page)
  const failed = page.getByRole('heading', { name: 'Error Occurred, please try again later' })
  await runUntil(page, async () => expect(failed).toBeVisible({ timeout: 200 }))
  expect((await timeOf(page)) - pressedAt).toBeLessThan(15_000)
  // Hanging calls keep hanging; a new page uses another connection.
  cable.holdAnswers('GET /nothing')
  await page.clock.resume()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
})

test('"Try again" opens a dialog whose part hangs on a dead connection, as soon as the server is reached', async ({
  openDesk,
  outside,
  shop,
  cable,
}) => {
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await openWithoutTime(page, '/orders/active?sort=desc')
  cable.holdAnswers('GET /assets/accept-dialog-')
  const press = () =>
    rowOf(page, order)
      .getByRole('button', { name: `Accept #${order.id}` })
      .click()
  await press()
  const failed = dialog(page, 'Not loaded')
  const again = failed.getByRole('button', { name: 'Try again' })
  await runUntil(page, async () => expect(again).toBeVisible({ timeout: 200 }))
  cable.holdAnswers('GET /nothing')
  await again.click()
  await runUntil(page, async () => expect(failed).toHaveCount(0, { timeout: 200 }))
  await runUntil(page, async () => expect(again).toBeVisible({ timeout: 200 }))
  await page.clock.resume()
  const loaded = page.waitForEvent('load')
  await again.click()
  await loaded
  await press()
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${order.id}`)
})

test('when the question before unsaved work never arrives, the work stays as it was', async ({
  openDesk,
  cable,
}) => {
  cable.holdAnswers('GET /assets/leave-dialog-')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  await page.goto('/settings/profile')
  const name = page.getByLabel('First name')
  await name.fill('Thomasina')
  await stopTime(page)
  await page.getByRole('link', { name: 'Orders' }).click()
  const failed = dialog(page, 'Not loaded')
  await runUntil(page, async () => expect(failed).toBeVisible({ timeout: 200 }))
  await failed.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/settings\/profile$/)
  await expect(name).toHaveValue('Thomasina')
  await name.fill('Thomas')
  await expect(name).toHaveValue('Thomas')
})

test('a waiting page shows its number and words, says after 2 seconds that the wait is long, and never leaves the desk', async ({
  openDesk,
  outside,
  shop,
  cable,
}) => {
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await openWithoutTime(page, '/orders/active?sort=desc')
  await expect(rowOf(page, order)).toBeVisible()
  cable.hold()
  await rowOf(page, order)
    .getByRole('link', { name: `#${order.id}` })
    .click()
  await page.clock.runFor(500)
  const waiting = page.getByText(`Loading order #${order.id}`)
  await expect(waiting).toBeVisible()
  await page.clock.runFor(2_500)
  await expect(waiting).toContainText('The server has not answered yet, the connection may be down.')

  const failed = page.getByRole('heading', { name: 'Error Occurred, please try again later' })
  await runUntil(page, async () => expect(failed).toBeVisible({ timeout: 200 }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  const away = page.getByText('The server still cannot be reached. Please check the connection.')
  await runUntil(page, async () => expect(away).toBeVisible({ timeout: 200 }))
  cable.mend()
  await page.clock.resume()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
})

test('a list without an answer says that it waits, and then that it failed', async ({
  openDesk,
  ownShop,
  cable,
}) => {
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await page.clock.install()
  await openOrders(page)
  await stopTime(page)
  cable.hold()
  await page.getByRole('link', { name: /^Cancelled/ }).click()
  const waiting = page.getByText('Loading orders')
  await runUntil(page, async () => expect(waiting).toContainText('has not answered yet', { timeout: 200 }))
  await runUntil(page, async () =>
    expect(toast(page, 'There was an error fetching your orders. Please contact Support.')).toBeVisible({
      timeout: 200,
    }),
  )
  cable.mend()
  await page.clock.resume()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('No orders available')).toBeVisible()
})
