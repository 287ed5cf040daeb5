import type { Page } from '@playwright/test'
import { changeAsAdmin } from '../../database.ts'
import { onDemand } from '../../../server/test/orders.ts'
import { dialog, expect, newOrders, openOrders, rowOf, test, toast } from '../../desk.ts'
import type { Outside } from '../../outside.ts'
import { signIn } from '../../people.ts'
import { addColleague, type Shop } from '../../shop.ts'
import { selectionBar, selectLoaded } from '../selection.ts'

// What the desk says and does is about the orders that the clerk has before the eyes.

const lateSince = () => ({ ...onDemand, date_submitted: new Date(Date.now() - 180 * 60_000).toISOString() })
const accept = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })

const times = (count: number, changes = {}) => Array.from({ length: count }, () => changes)

function send(outside: Outside, { key }: Shop, changes: readonly object[]) {
  return Promise.all(changes.map((each) => outside.order(key, each)))
}

test('the number of new orders in a class follows what is decided there', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const [first] = await send(outside, ownShop, times(3, lateSince()))
  const page = await openDesk(ownShop.owner)
  await openOrders(page, 'active?due=late')
  await expect(accept(page, 'Accept 3 new')).toBeVisible()
  // It stays late, so its class does not change.
  if (first) await outside.update(bearer, first, { status: 'MERCHANT_ACCEPTED' })
  await expect(accept(page, 'Accept 2 new')).toBeVisible()
})

test('keys leave a selection alone that the list does not show, and the bar says so', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const parcel = await outside.order(ownShop.key)
  const local = await outside.order(ownShop.key, onDemand)
  const page = await openDesk(ownShop.owner)
  await openOrders(page, 'active?method=shipped')
  await rowOf(page, parcel).getByRole('checkbox').click()
  await expect(selectionBar(page)).toContainText('1 selected')
  await expect(selectionBar(page)).not.toContainText('none in this list')
  await page.goto('/orders/active?method=on_demand')
  await expect(selectionBar(page)).toContainText('1 selected, none in this list')
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: `#${local.id}`, exact: true })).toBeFocused()
  await page.keyboard.press('m')
  await expect(rowOf(page, local)).toContainText('You have it')
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept & Confirm')).toContainText(`#${local.id}`)
  await page.keyboard.press('Escape')
  await page.goto('/orders/active')
  await expect(rowOf(page, parcel)).not.toContainText('You have it')
  // Among the rows it has the keys again.
  await expect(selectionBar(page)).not.toContainText('none in this list')
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept Orders')).toBeVisible()
})

test('all orders of a list can be selected while others are selected already', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  await send(outside, ownShop, times(32))
  await send(outside, ownShop, times(3, onDemand))
  const page = await openDesk(ownShop.owner)
  await openOrders(page, 'active?method=on_demand')
  await selectLoaded(page)
  await expect(selectionBar(page)).toContainText('3 selected')
  await page.goto('/orders/active?method=shipped')
  await selectLoaded(page)
  await selectionBar(page).getByRole('button', { name: 'Select all 32' }).click()
  await expect(selectionBar(page)).toContainText('35 selected')
  await expect(selectionBar(page).getByRole('button', { name: /^Select all/ })).toHaveCount(0)
})

test('"See them" of late orders silences no new order that still waits in the bar', async ({
  openDesk,
  outside,
  dataDir,
  ownShop,
}) => {
  await send(outside, ownShop, times(2, lateSince()))
  await changeAsAdmin(dataDir, ({ query }) =>
    query(`update order_alarms set kind = 'late' where merchant_id = $1`, [ownShop.key]),
  )
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const banner = page.getByRole('banner')
  await expect(banner.getByText('2 late')).toBeVisible()
  await send(outside, ownShop, times(2))
  await expect(newOrders(page, '2 new orders')).toBeVisible()
  await banner.getByRole('button', { name: 'See them' }).click()
  await expect(page).toHaveURL(/due=late/)
  await expect(banner.getByText('2 late')).toHaveCount(0)
  await expect(banner.getByText(/^\d not seen yet$/)).toBeVisible()
})

test('an accept of all new orders says how many colleagues have taken, and without one of them the desk says who has the rest', async ({
  openDesk,
  outside,
  ownShop,
  dataDir,
  url,
}) => {
  const { bearer } = await signIn(url, await addColleague(dataDir, ownShop))
  const orders = await send(outside, ownShop, times(3))
  const take = ({ id = '' }: { id?: string } = {}) =>
    outside.call('PUT /m/v2/merchant/{tmk}/orders/{id}/taken', {
      as: bearer,
      params: { tmk: ownShop.key, id },
      body: {},
    })
  await take(orders[0])
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await accept(page, 'Accept 3 new').click()
  const all = dialog(page, 'Accept Orders')
  await expect(all).toContainText('3 orders become accepted')
  await expect(all.getByRole('alert')).toHaveText('1 order is taken by colleagues, and you decide it too.')
  await page.keyboard.press('Escape')
  for (const order of orders.slice(1)) await take(order)
  await expect(page.getByRole('group', { name: 'Next orders' })).toContainText(
    'Colleagues have the other new orders',
  )
})

test('a list without a missing slip speaks of itself, not of the whole shop', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openOrders(page, 'active?method=on_demand')
  await accept(page, /^Print/).click()
  await expect(toast(page, 'No slip is missing in this list')).toBeVisible()
})

test('a row offers no label before it is known that the shop has no carrier account', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner)
  await page.addInitScript(() => {
    const offered = new Set<string>()
    Object.assign(window, { offered })
    new MutationObserver(() => {
      for (const each of document.querySelectorAll<HTMLElement>('[data-next]'))
        offered.add(each.dataset['next'] ?? '')
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  const held = Promise.withResolvers<void>()
  await page.route(`**/c/v2/merchants/${ownShop.key}`, async (route) => {
    await held.promise
    await route.continue()
  })
  const listed = page.waitForResponse(/\/orders\/optimized\?/)
  await page.goto('/orders/active')
  await (await listed).finished()
  // Long enough for a page that does not wait to show its rows.
  await page.waitForTimeout(300)
  held.resolve()
  await expect(rowOf(page, order).getByRole('button', { name: `Add Tracking #${order.id}` })).toBeVisible()
  expect(await page.evaluate(() => [...(window as unknown as { offered: Set<string> }).offered])).toEqual([
    'track',
  ])
})
