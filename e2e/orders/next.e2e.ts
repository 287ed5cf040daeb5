import type { Page } from '@playwright/test'
import { onDemand } from '../../server/test/orders.ts'
import { GUARD_MS } from '../../web/src/lib/parts/late-press.ts'
import { dialog, expect, openOrder, openOrders, rowOf, tabLink, test } from '../desk.ts'
import { dialogTakesKeys } from '../fields.ts'
import { runUntil, stopTime } from '../page-time.ts'
import { signIn } from '../people.ts'
import type { Outside } from '../outside.ts'
import { addColleague, type Shop } from '../shop.ts'

/** A local order with so many minutes left; below zero it is late. */
function local(left: number) {
  return { ...onDemand, date_submitted: new Date(Date.now() - (120 - left) * 60_000).toISOString() }
}

async function send(
  outside: Outside,
  { key }: Shop,
  [first, second, ...more]: readonly [number, number, ...number[]],
) {
  const order = (left: number) => outside.order(key, local(left))
  return [await order(first), await order(second), ...(await Promise.all(more.map(order)))] as const
}

const goesOn = (page: Page) =>
  page.addInitScript(() =>
    localStorage.setItem('cellarhand-preferences', JSON.stringify({ afterDecision: 'next' })),
  )
const filter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Show', exact: true }).getByRole('button', { name })
const next = (page: Page) => page.getByRole('group', { name: 'Next orders' })
const acceptNext = (page: Page) => next(page).getByRole('button', { name: /^Accept next/ })
const accept = (page: Page) =>
  dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
const rows = (page: Page) =>
  page
    .locator('tbody')
    .getByRole('row')
    .filter({ has: page.getByRole('link') })

test('Late and Due soon filter the list, count live, and are in the address', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const [late, soon, later] = await send(outside, ownShop, [-5, 20, 100])
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await expect(rows(page)).toHaveCount(3)
  await expect(filter(page, 'Late')).toHaveText('Late 1')
  await expect(filter(page, 'Due soon')).toHaveText('Due soon 1')
  await filter(page, 'Late').click()
  await expect(page).toHaveURL(/\?due=late$/)
  await expect(rows(page)).toHaveCount(1)
  await expect(rowOf(page, late)).toBeVisible()
  await page.reload()
  await expect(filter(page, 'Late')).toHaveAttribute('aria-pressed', 'true')
  await expect(rows(page)).toHaveCount(1)
  await filter(page, 'Due soon').click()
  await expect(page).toHaveURL(/\?due=soon$/)
  await expect(rowOf(page, soon)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  // The same press again shows all.
  await filter(page, 'Due soon').click()
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(rowOf(page, later ?? late)).toBeVisible()
  await outside.order(ownShop.key, local(-30))
  await expect(filter(page, 'Late')).toHaveText('Late 2')
  // An order of another tab is no longer due.
  for (const tab of ['Completed', 'Cancelled', 'On hold']) {
    await tabLink(page, tab).click()
    await expect(page.getByRole('heading', { level: 1, name: tab })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Views' })).toBeVisible()
    await expect(filter(page, 'Late')).toHaveCount(0)
  }
})

test('An order that comes while the server answers a filtered list counts, as late and in its tab', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  await send(outside, ownShop, [100, 110])
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await expect(tabLink(page, 'Active')).toHaveAccessibleName(/2/)
  const [answered, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/orders/optimized?*', async (route) => {
    const { searchParams } = new URL(route.request().url())
    if (!searchParams.has('filter[delivery_method]') || searchParams.get('limit') === '1')
      return route.fallback()
    const response = await route.fetch()
    answered.resolve()
    await arrived.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Method' }).press('Enter')
  await expect(page.getByRole('radio', { name: 'All methods' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await answered.promise
  const late = await outside.order(ownShop.key, local(-5))
  await expect(acceptNext(page)).toHaveAccessibleName(new RegExp(`#${late.id}`))
  await expect(tabLink(page, 'Active')).toHaveAccessibleName(/3/)
  arrived.resolve()
  await expect(filter(page, 'Late')).toHaveText('Late 1')
  await expect(rowOf(page, late)).toHaveCount(0)
  await expect(tabLink(page, 'Active')).toHaveAccessibleName(/3/)
})

test('An older answer about the queue takes back no news of the stream', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  await send(outside, ownShop, [100, 110])
  const page = await openDesk(ownShop.owner)
  const [answered, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/orders/queue', async (route) => {
    const response = await route.fetch()
    answered.resolve()
    await arrived.promise
    await route.fulfill({ response })
  })
  // After the first event of the stream, the page asks for no queue.
  await page.route('**/events', async (route) => {
    await answered.promise
    await route.continue()
  })
  await openOrders(page)
  const late = await outside.order(ownShop.key, local(-5))
  await expect(filter(page, 'Late')).toHaveText('Late 1')
  const received = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/orders/queue'))
  arrived.resolve()
  await received
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  await expect(acceptNext(page)).toHaveAccessibleName(new RegExp(`#${late.id}`))
  await expect(filter(page, 'Late')).toHaveText('Late 1')
})

test('Late and Due soon count live in a filtered list too, by one small call for each news of the stream', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const [soon] = await send(outside, ownShop, [20, 100])
  await outside.order(ownShop.key, { delivery: { method: 'shipped' } })
  const page = await openDesk(ownShop.owner)
  const counted: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/orders/optimized') && searchParams.get('limit') === '1')
      counted.push(searchParams.get('filter[delivery_method]') ?? 'all')
  })
  await openOrders(page)
  await expect(filter(page, 'Late')).toHaveText('Late 0')
  await outside.order(ownShop.key, local(-5))
  await expect(filter(page, 'Late')).toHaveText('Late 1')
  expect(counted).toEqual([])
  await page.goto('/orders/active?method=on_demand')
  await expect(filter(page, 'Late')).toHaveText('Late 1')
  await expect(filter(page, 'Due soon')).toHaveText('Due soon 1')
  await outside.order(ownShop.key, local(-30))
  await expect(filter(page, 'Late')).toHaveText('Late 2')
  await outside.tell(soon, { status: 'CANCELLED', comment: 'No longer wanted' })
  await expect(filter(page, 'Due soon')).toHaveText('Due soon 0')
  expect(new Set(counted)).toEqual(new Set(['on_demand']))
  await page.goto('/orders/active?method=shipped')
  await expect(filter(page, 'Late')).toHaveText('Late 0')
  // News that comes while the list itself is read needs no call of its own.
  await expect(async () => {
    await outside.order(ownShop.key, local(-10))
    await expect.poll(() => counted.includes('shipped'), { timeout: 5_000 }).toBe(true)
  }).toPass()
  await expect(filter(page, 'Late')).toHaveText('Late 0')
})

test('the next decision is the first that nobody else has open, also by keyboard, and only after a moment', async ({
  dataDir,
  openDesk,
  outside,
  ownShop,
}) => {
  const [first, second] = await send(outside, ownShop, [-5, 20, 100])
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await expect(acceptNext(page)).toHaveAccessibleName(`Accept next, #${first.id}`)
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${first.id}`)
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Accept & Confirm')).toBeHidden()
  // A more urgent order takes the place: a press meant for the other one does nothing.
  // The page watches before the order comes; its words about the new one last for four seconds.
  await page.evaluate((former) => {
    const said: string[] = []
    Object.assign(window, { said })
    let isPressed = false
    const look = new MutationObserver(() => {
      for (const { textContent: text } of document.querySelectorAll('[role=status]'))
        if (text.startsWith('Now #')) said.push(text)
      if (isPressed) return
      const button = [...document.querySelectorAll('button')].find(
        ({ textContent: text }) => text.includes('Accept next, #') && !text.includes(former),
      )
      if (!button) return
      isPressed = true
      button.click()
    })
    look.observe(document.body, { subtree: true, characterData: true, childList: true })
  }, `#${first.id}`)
  const [urgent] = await Promise.all([
    outside.order(ownShop.key, local(-40)),
    expect
      .poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said))
      .toContainEqual(expect.stringMatching(new RegExp(`^Now #\\d+ in place of #${first.id}$`))),
  ])
  await expect(acceptNext(page)).toHaveAttribute('aria-disabled', 'false')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await acceptNext(page).click()
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${urgent.id}`)
  await accept(page)
  await expect(page).toHaveURL(new RegExp(`/orders/view/${urgent.id}$`))
  await page.goBack()
  await expect(acceptNext(page)).toHaveAccessibleName(`Accept next, #${first.id}`)
  // The order that was accepted is next to do.
  await expect(page.getByRole('button', { name: `Open next to do, #${urgent.id}` })).toBeVisible()
  await page.keyboard.press('.')
  await expect(page).toHaveURL(new RegExp(`/orders/view/${urgent.id}$`))
  await page.goBack()
  const other = await openDesk(await addColleague(dataDir, ownShop))
  await other.goto(`/orders/view/${first.id}`)
  await expect(acceptNext(page)).toHaveAccessibleName(`Accept next, #${second.id}`)
})

test('the key of the next decision works from the moment that the decision is on the screen', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const [first] = await send(outside, ownShop, [-5, 20])
  const page = await openDesk(ownShop.owner)
  await page.addInitScript((name) => {
    const look = new MutationObserver(() => {
      const button = [...document.querySelectorAll('button')].find((each) => each.textContent.includes(name))
      if (!button) return
      look.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', bubbles: true }))
    })
    look.observe(document, { subtree: true, characterData: true, childList: true })
  }, `Accept next, #${first.id}`)
  // The bar is painted with the queue already known.
  await page.route(/next-bar.*\.js/, async (route) => {
    await expect(filter(page, 'Late')).toHaveText('Late 1')
    await route.continue()
  })
  await page.goto('/orders/active')
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${first.id}`)
})

test('in an open order, the key of the next to do opens that one, and the new orders are counted as they come', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const [first, second] = await send(outside, ownShop, [-5, 20])
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrders(page)
  const acceptAll = (count: number) => page.getByRole('button', { name: `Accept ${count} new`, exact: true })
  await expect(acceptAll(2)).toBeVisible()
  const third = await outside.order(ownShop.key, local(60))
  await expect(acceptAll(3)).toBeVisible()
  await page.keyboard.press('Shift+A')
  await page.getByRole('dialog').getByRole('button', { name: 'ACCEPT 3' }).click()
  await expect(acceptAll(3)).toHaveCount(0)
  const { bearer } = await signIn(url, ownShop.owner)
  const queue = () =>
    outside.call('GET /m/v2/merchant/{tmk}/orders/queue', { as: bearer, params: { tmk: ownShop.key } })
  await expect.poll(async () => (await queue()).do.length).toBe(3)
  // The key may come before the queue does.
  cable.holdAnswers(`GET /m/v2/merchant/${ownShop.key}/orders/queue`)
  await page.goto(`/orders/view/${second.id}`)
  await expect(page.getByRole('heading', { level: 1, name: `#${second.id}` })).toBeVisible()
  await page.keyboard.press('.')
  cable.mend()
  await expect(page).toHaveURL(new RegExp(`/orders/view/${first.id}$`))
  await expect(page.getByRole('heading', { level: 1, name: `#${first.id}` })).toBeFocused()
  await page.keyboard.press('.')
  await expect(page).toHaveURL(new RegExp(`/orders/view/(${second.id}|${third.id})$`))
})

test('after a decision the desk goes on to the next one where the clerk has chosen that', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const [first, second] = await send(outside, ownShop, [-5, 20])
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitemradio', { name: 'Go on to the next' }).click()
  await page.keyboard.press('Escape')
  await expect(acceptNext(page)).toHaveAccessibleName(`Accept next, #${first.id}`)
  await page.reload()
  await expect(acceptNext(page)).toHaveAccessibleName(`Accept next, #${first.id}`)
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${first.id}`)
  await accept(page)
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${second.id}`)
  await expect(page).toHaveURL(/\/orders\/active$/)
  await accept(page)
  await expect(page.getByText('No more orders to decide', { exact: true })).toBeVisible()
  await expect(next(page)).toContainText('Nothing to decide')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a double click accepts one order, not the next one with it', async ({ openDesk, outside, ownShop }) => {
  const [first, second] = await send(outside, ownShop, [-5, 20])
  const page = await openDesk(ownShop.owner)
  await goesOn(page)
  await page.clock.install()
  await openOrders(page)
  await expect(acceptNext(page)).toHaveAccessibleName(`Accept next, #${first.id}`)
  await page.keyboard.press('a')
  const box = dialog(page, 'Accept & Confirm')
  const confirm = box.getByRole('button', { name: 'ACCEPT' })
  await dialogTakesKeys(page)
  const accepted: string[] = []
  page.on('request', (request) => {
    const id = /\/m\/v2\/orders\/(\d+)$/.exec(request.url())?.[1]
    if (id !== undefined && request.method() === 'PUT') accepted.push(id)
  })
  // However slow the machine is, the two halves of a double click are close together.
  await stopTime(page)
  await confirm.click()
  const nextOne = box.filter({ hasText: `#${second.id}` }).getByRole('button', { name: 'ACCEPT' })
  await runUntil(page, () => expect(nextOne).toBeFocused({ timeout: 200 }), 20)
  // The second half, where the button is again. Counted as a second press, it would be no click of another button.
  await confirm.hover()
  await page.mouse.down()
  await page.mouse.up()
  await page.clock.runFor(GUARD_MS)
  await expect(nextOne).toBeEnabled()
  await page.clock.resume()
  expect(accepted).toEqual([first.id])
  // A new press counts.
  await confirm.click()
  await expect(page.getByText('No more orders to decide', { exact: true })).toBeVisible()
})

test('without a row the key for the next decision works too', async ({ openDesk, outside, ownShop }) => {
  const [first] = await send(outside, ownShop, [-5, 20])
  const page = await openDesk(ownShop.owner)
  await page.goto('/orders/active?method=scheduled')
  await expect(page.getByText('No orders for the current search criteria')).toBeVisible()
  await expect(acceptNext(page)).toHaveAccessibleName(`Accept next, #${first.id}`)
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${first.id}`)
})

test('in the order view the desk goes on to the next order', async ({ openDesk, outside, ownShop }) => {
  const [first, second] = await send(outside, ownShop, [-5, 20])
  const page = await openDesk(ownShop.owner)
  await goesOn(page)
  await openOrder(page, first)
  await page.keyboard.press('a')
  await accept(page)
  await expect(page).toHaveURL(new RegExp(`/orders/view/${second.id}$`))
})

test('after a reject the desk goes on to the next one too, on the list and in the order view', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const [first, second, third] = await send(outside, ownShop, [-5, 20, 60])
  const page = await openDesk(ownShop.owner)
  await goesOn(page)
  const reject = async () => {
    const box = dialog(page, 'Reject Order')
    await box.getByRole('radio', { name: 'Store Closed' }).check()
    await box.getByRole('button', { name: 'REJECT', exact: true }).click()
  }
  await openOrders(page)
  await rowOf(page, first).getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Reject' }).click()
  await reject()
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${second.id}`)
  await expect(page).toHaveURL(/\/orders\/active$/)
  await openOrder(page, second)
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await reject()
  await expect(page).toHaveURL(new RegExp(`/orders/view/${third?.id}$`))
})

test('after the report of a line the desk goes on to the next one too', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const [first, second, third] = await send(outside, ownShop, [-5, 20, 60])
  const page = await openDesk(ownShop.owner)
  await goesOn(page)
  await openOrder(page, first)
  await page.getByRole('button', { name: 'Out of stock' }).first().click()
  await dialog(page, 'Out of Stock').getByRole('button', { name: 'UPDATE ORDER' }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/view/${second.id}$`))
  await expect(page.getByRole('heading', { level: 1, name: `#${second.id}` })).toBeFocused()
  await page.getByRole('button', { name: 'Wrong Price' }).first().click()
  await dialog(page, 'Wrong Price').getByLabel('Right price of one').fill('40')
  await dialogTakesKeys(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/orders/view/${third?.id}$`))
})
