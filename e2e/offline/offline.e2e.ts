import type { Page } from '@playwright/test'
import { actions, askToAccept, pressAccept, stored } from '../orders/deciding.ts'
import { dialog, expect, openOrder, openOrders, rowOf, test, toast } from '../desk.ts'
import { stopTime } from '../page-time.ts'
import { password, signIn } from '../people.ts'
import { followPlaces } from './places.ts'
import {
  LATE,
  buildKept,
  cutBand,
  deskRecord,
  noticeCut,
  openKeptList,
  openWaiting,
  pressSignOut,
  shownKept,
  waitingList,
} from './on-device.ts'

test.use({ serviceWorkers: 'allow' })

async function acceptInList(page: Page, order: { id: string }): Promise<void> {
  await page.goto('/orders/active')
  await rowOf(page, order)
    .getByRole('button', { name: `Accept #${order.id}` })
    .click()
  await pressAccept(page)
  await expect(waitingList(page)).toContainText(`Accept #${order.id}`)
}

async function rejectInList(page: Page, order: { id: string }): Promise<void> {
  await page.goto('/orders/active')
  await rowOf(page, order)
    .getByRole('link', { name: `#${order.id}` })
    .click()
  await page.getByRole('button', { name: 'Reject' }).first().click()
  const reject = dialog(page, 'Reject Order')
  await reject.getByText('Customer cancelled').click()
  await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
  await expect(waitingList(page)).toContainText(`Reject #${order.id}`)
}

test('decisions without a line wait in order, survive a reload, can be undone, and are sent once', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const orders = [
    await outside.order(ownShop.key),
    await outside.order(ownShop.key),
    await outside.order(ownShop.key),
  ] as const
  const [first, second, third] = orders
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  cable.cut()
  await page.reload()
  await expect(cutBand(page)).toContainText('You see the orders as of ')
  for (const order of orders) await expect(rowOf(page, order)).toBeVisible()

  await acceptInList(page, second)
  await page.goto('/orders/active')
  await rowOf(page, second)
    .getByRole('button', { name: `Undo the decision on #${second.id}` })
    .click()
  await expect(waitingList(page)).toHaveCount(0)
  await acceptInList(page, first)
  await acceptInList(page, second)
  await rejectInList(page, third)
  const places = await followPlaces(page, 'On track')
  await page.goto('/orders/active')
  await expect((await openWaiting(page)).getByRole('listitem')).toHaveCount(3)
  await expect(rowOf(page, first)).toContainText('Accepted not sent yet')
  await expect(rowOf(page, third)).toContainText('reject not sent yet')
  expect(await places()).toHaveLength(1)
  await expect(page.getByRole('group', { name: 'Next orders' })).toBeVisible()
  // Nobody knows what else waits at the server.
  await page.keyboard.press('.')
  await expect(toast(page, /^No more orders to do on this device/)).toBeVisible()
  // The other decision about an order waits until the first one is undone.
  await rowOf(page, third)
    .getByRole('link', { name: `#${third.id}` })
    .focus()
  await page.keyboard.press('a')
  await pressAccept(page)
  await expect(toast(page, /is not sent yet. Undo that first.$/)).toBeVisible()
  await page.goto('/orders/active')
  // Both come after the rows, and above them.
  for (const above of [cutBand(page), waitingList(page)]) await expect(above).toBeVisible()
  const placeOfRow = () => rowOf(page, first).boundingBox()
  const place = await placeOfRow()
  await expect((await openWaiting(page)).getByRole('listitem')).toHaveCount(3)
  expect(await placeOfRow(), 'the opened list moves no row').toEqual(place)
  await page.getByRole('button', { name: `Undo accept of #${second.id}` }).focus()
  await page.keyboard.press('Enter')
  await expect(waitingList(page).getByRole('listitem')).toHaveCount(2)
  // Its button is gone with it: the keys go on to the next one.
  await expect(waitingList(page).getByRole('link', { name: `#${third.id}` })).toBeFocused()
  expect(await placeOfRow()).toEqual(place)
  await page.keyboard.press('Escape')
  await expect(waitingList(page).getByRole('listitem')).toHaveCount(0)
  await expect(waitingList(page).getByRole('button', { name: /^Not sent yet/ })).toBeFocused()
  await expect(rowOf(page, second).getByRole('button', { name: `Accept #${second.id}` })).toBeEnabled()

  cable.mend()
  await expect(waitingList(page, 'Sent after the cut')).toContainText('2 of 2', LATE)
  const answered = await openWaiting(page, 'Sent after the cut')
  await expect(answered).toContainText(`Accepted #${first.id}`)
  await expect(answered).toContainText(`Rejected #${third.id}`)
  await expect(cutBand(page)).toHaveCount(0)
  const { bearer } = await signIn(url, ownShop.owner)
  const history = async ({ id }: { id: string }) =>
    (await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })).history.map(
      ({ action }) => action,
    )
  expect(await history(first)).toEqual(['accept', 'submit'])
  expect(await history(second)).toEqual(['submit'])
  expect(await history(third)).toEqual(['reject', 'submit'])
  await answered.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Enter')
  await expect(answered).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveCount(1)
})

test('an opened order stays readable after a reload without a line', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrders(page)
  await buildKept(page)
  await openOrder(page, order)
  await expect(page.getByText(/^Submitted/).first()).toBeVisible()
  const shown = await page.locator('main').innerText()
  await shownKept(page, () => outside.order(ownShop.key))
  cable.cut()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
  await expect(cutBand(page)).toBeVisible()
  for (const words of ['Submitted', 'History', 'Total']) {
    expect(shown).toContain(words)
    await expect(page.locator('main')).toContainText(words)
  }
})

test('a page opened by an order’s address, which knows no list, leaves the kept list where it is', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const [order, other] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  await page.goto(`/orders/view/${order.id}`)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await expect(page.getByRole('list', { name: 'Progress' })).toContainText(/Accepted \d/)
  await shownKept(page, () => outside.order(ownShop.key))
  cable.cut()
  await page.goto('/orders/active')
  await expect(rowOf(page, other)).toContainText('New')
  await expect(rowOf(page, order)).toContainText('Accepted')
  await expect(cutBand(page)).toContainText('You see the orders as of ')
})

test('what a colleague decided first is shown as such and not repeated', async ({
  openDesk,
  outside,
  cable,
  url,
}) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  await openOrders(page)
  await buildKept(page)
  await openOrder(page, order)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  cable.cut()
  await noticeCut(page)
  await askToAccept(page)
  await pressAccept(page)
  await expect(toast(page, 'Not sent yet')).toBeVisible()
  await expect(waitingList(page)).toContainText(`Accept #${order.id}`)
  await expect(page.getByRole('list', { name: 'Progress' })).toContainText('Accepted, not sent yet')
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
  const told = waitingList(page, 'Not done after the cut')
  await expect(told).toContainText(`#${order.id} was not accepted`, LATE)
  await openWaiting(page, 'Not done after the cut')
  await expect(told).toContainText(/was faster: Rejected at /)
  // Nothing was sent, so there is nothing of that kind to clear.
  await expect(told.getByRole('button', { name: /Clear sent|Close/ })).toHaveCount(0)
  await told.getByRole('button', { name: `Got it: #${order.id} was not accepted` }).click()
  await expect(told).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
  await expect(told).toHaveCount(0)
  expect((await stored(outside, order)).status).toBe('MERCHANT_REJECTED')
  expect(await actions(outside, url, order)).toEqual(['reject', 'submit'])
})

test('Clear sent leaves what was refused, which goes by its own button', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const [kept, lost] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  cable.cut()
  await page.reload()
  await acceptInList(page, kept)
  await acceptInList(page, lost)
  await outside.tell(lost, { status: 'CANCELLED', comment: 'Changed their mind' })
  cable.mend()
  const told = waitingList(page, 'Sent after the cut')
  await expect(told).toContainText('1 of 2', LATE)
  await openWaiting(page, 'Sent after the cut')
  await told.getByRole('button', { name: 'Clear sent' }).click()
  const left = waitingList(page, 'Not done after the cut')
  await expect(left.getByRole('listitem')).toHaveCount(1)
  await expect(left).toContainText(`#${lost.id} was not accepted`)
  await page.reload()
  await openWaiting(page, 'Not done after the cut')
  await left.getByRole('button', { name: `Got it: #${lost.id} was not accepted` }).click()
  await expect(left).toHaveCount(0)
})

test('an accept whose answer a silent line keeps waits for the next page, and happens once', async ({
  openDesk,
  outside,
  cable,
  url,
}) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrders(page)
  await buildKept(page)
  // The page gives the accept up after 15 seconds of its time.
  await page.clock.install()
  await openOrder(page, order)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  await askToAccept(page)
  cable.holdAnswers('PUT /m/v2/orders/')
  await stopTime(page)
  await pressAccept(page)
  await expect.poll(async () => (await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
  // On a cut line the page would tell within a second that the accept is not confirmed.
  cable.hold()
  await page.clock.resume()
  await page.reload()
  await expect(waitingList(page)).toContainText(`Accept #${order.id}`, LATE)
  await expect(await openWaiting(page)).toContainText('without an answer so far; it may be done already')
  await expect(waitingList(page).getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  cable.mend()
  await expect(waitingList(page, 'Sent after the cut')).toContainText(`Accepted #${order.id}`, LATE)
  expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
})

async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
}

async function signOut(page: Page): Promise<void> {
  await pressSignOut(page)
  await expect(page).toHaveURL(/\/login$/)
}

test('two people on one device: the second neither sees nor sends what the first left, and the first finds it again', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  cable.cut()
  await page.reload()
  await acceptInList(page, order)

  await signOut(page)
  // Without a line nobody gets further than this, and nothing of the first person shows.
  await page.goto('/orders/active')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('1 decision is not sent yet.')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(order.id)
  expect(await deskRecord(page)).toBe('')
  expect(await page.evaluate(() => document.cookie)).not.toContain('cellarhand-seal')

  cable.mend()
  await signInAs(page, 'member@demo.test')
  await page.reload()
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  await expect(page.getByRole('region', { name: /Not sent yet|after the cut/ })).toHaveCount(0)
  const { bearer } = await signIn(url, ownShop.owner)
  const history = async () =>
    (await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })).history.map(
      ({ action, actor }) => [action, actor],
    )
  expect(await history()).toHaveLength(1)
  // The second person's own orders are kept for the second person.
  await expect.poll(() => deskRecord(page)).not.toBe('')
  cable.cut()
  await page.reload()
  await expect(cutBand(page)).toBeVisible()
  await expect(page.locator('body')).not.toContainText(`#${order.id}`)
  cable.mend()

  await signOut(page)
  await signInAs(page, ownShop.owner)
  await expect(waitingList(page, 'Sent after the cut')).toContainText(`Accepted #${order.id}`, LATE)
  expect(await history()).toHaveLength(2)
})

test('a session that ends without a line keeps its decision until its person signs in again', async ({
  openDesk,
  outside,
  cable,
  url,
}) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrders(page)
  await buildKept(page)
  await openOrder(page, order)
  await shownKept(page, () => outside.order('demo'))
  cable.cut()
  await page.reload()
  await askToAccept(page)
  await pressAccept(page)
  await expect(waitingList(page)).toContainText(`Accept #${order.id}`)
  const token = await page.evaluate(() => localStorage.getItem('jwt'))
  await outside.call('POST /a/v2/logout', { as: `Bearer ${token}`, body: {} })
  cable.mend()
  await expect(page).toHaveURL(/\/login$/, LATE)
  await expect(page.getByText('1 decision is not sent yet.')).toBeVisible()
  expect(await actions(outside, url, order)).toEqual(['submit'])
  await signInAs(page, 'member@demo.test')
  await expect(waitingList(page, 'Sent after the cut')).toContainText(`Accepted #${order.id}`, LATE)
  expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
})

test('a device that can keep nothing says so by the usual words, and sends at the second press', async ({
  openDesk,
  outside,
  cable,
  url,
}) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The storage is full', 'QuotaExceededError')
    }
  })
  await openOrders(page)
  await buildKept(page)
  await openOrder(page, order)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  cable.cut()
  await noticeCut(page)
  await askToAccept(page)
  await pressAccept(page)
  await expect(toast(page, /^Not confirmed\. The server did not answer in time/)).toBeVisible()
  await expect(waitingList(page)).toHaveCount(0)
  cable.mend()
  await askToAccept(page)
  await pressAccept(page)
  await expect(page.getByText(/^Accepted by/)).toBeVisible()
  expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
})
