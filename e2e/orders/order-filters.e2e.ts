import type { Page } from '@playwright/test'
import { expect, newOrders, openOrders, rowOf, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { openShop } from '../shop.ts'
import { deliveryBy } from '../../server/test/orders.ts'

const filters = (page: Page) => page.getByRole('group', { name: 'Filters' })
const opener = (page: Page, name: string) =>
  filters(page).getByRole('button', { name: new RegExp(`^${name}`) })
const option = (page: Page, role: 'radio' | 'checkbox', name: string) =>
  filters(page)
    .locator('label')
    .filter({ has: page.getByRole(role, { name: new RegExp(`^${name}`) }) })

/** Once opened, the event stream has a filtered list asked for a second time. */
function listAnswers(page: Page, method: string, count: number): Promise<unknown> {
  let answers = 0
  const isAnswer = ({ pathname, search }: URL) =>
    pathname.endsWith('/optimized') && search.includes(method) && search.includes('limit=30&')
  return page.waitForResponse((reply) => isAnswer(new URL(reply.url())) && ++answers === count)
}

test('LIST-017 LIST-018 LIST-019 LIST-027 LIST-035 by brand, status and method: in the address, with the number that each would leave', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const shop = await openShop(dataDir)
  const { bearer } = await signIn(url, shop.owner)
  const vine = { application_ref: 'app-vine', application_name: 'Old Vine' }
  const barrel = { application_ref: 'app-barrel', application_name: 'Barrel House' }
  const onDemand = { delivery: { method: 'on_demand' } }
  const fresh = await outside.order(shop.key, { ...vine, ...onDemand })
  const parcel = await outside.order(shop.key, { ...barrel })
  const accepted = await outside.order(shop.key, { ...vine })
  await outside.update(bearer, accepted, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  const shown = async (...orders: { id: string }[]) => {
    await expect(page.getByRole('row')).toHaveCount(orders.length + 1)
    for (const order of orders) await expect(rowOf(page, order)).toBeVisible()
  }
  await shown(fresh, parcel, accepted)

  await opener(page, 'Brand').click()
  await expect(option(page, 'radio', 'Old Vine')).toHaveText(/2$/)
  await expect(option(page, 'radio', 'Barrel House')).toHaveText(/1$/)
  await option(page, 'radio', 'Old Vine').click()
  await expect(page).toHaveURL(`${url}/orders/active?brand=app-vine`)
  await expect(opener(page, 'Brand')).toHaveText('Brand: Old Vine')
  await shown(fresh, accepted)

  await opener(page, 'Status').click()
  await option(page, 'checkbox', 'Accepted').click()
  await option(page, 'checkbox', 'New').click()
  await expect(option(page, 'checkbox', 'New')).toHaveText(/1$/)
  await expect(page).toHaveURL(`${url}/orders/active?brand=app-vine`)
  await filters(page).getByRole('button', { name: 'Apply Selections' }).click()
  await expect(page).toHaveURL(`${url}/orders/active?brand=app-vine&status=new%2Caccepted`)
  await expect(opener(page, 'Status')).toBeFocused()
  await shown(fresh, accepted)

  await opener(page, 'Method').click()
  await expect(option(page, 'radio', 'On Demand')).toHaveText(/1$/)
  await expect(option(page, 'radio', 'Shipping')).toHaveText(/1$/)
  await option(page, 'radio', 'On Demand').click()
  await shown(fresh)
  await expect(filters(page).getByText('1 order', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Created' }).click()
  const address = `${url}/orders/active?brand=app-vine&status=new%2Caccepted&method=on_demand&sort=desc`
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('button', { name: 'Created' })).toBeFocused()
  await page.reload()
  await shown(fresh)
  await expect(opener(page, 'Status')).toHaveText('Status: New, Accepted')

  await outside.tell(fresh, { status: 'CANCELLED' })
  await expect(page.getByText('No orders for the current search criteria', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).last().click()
  await expect(page).toHaveURL(`${url}/orders/active?sort=desc`)
  await shown(accepted, parcel)
  await page.goBack()
  await expect(page).toHaveURL(address)
  await filters(page).getByRole('button', { name: 'Clear method' }).click()
  await shown(accepted)
})

test('API-028 LIST-017 every brand of the shop can be chosen by its name, also one of which the tab has no order', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  await outside.order(shop.key, { application_ref: 'app-vine', application_name: 'Old Vine' })
  const barrel = { application_ref: 'app-barrel', application_name: 'Barrel House' }
  await outside.tell(await outside.order(shop.key, barrel), { status: 'CANCELLED' })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await opener(page, 'Brand').click()
  await expect(option(page, 'radio', 'Old Vine')).toHaveText(/1$/)
  await expect(option(page, 'radio', 'Barrel House')).toHaveText(/0$/)
})

test('LIST-018 an order enters and leaves a filtered list as it moves, and one filter can be cleared alone', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const shop = await openShop(dataDir)
  const { bearer } = await signIn(url, shop.owner)
  const [first, second] = [await outside.order(shop.key), await outside.order(shop.key)]
  await outside.update(bearer, first, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(shop.owner)
  await openOrders(page, 'active?status=accepted')
  await expect(rowOf(page, first)).toBeVisible()
  await expect(rowOf(page, second)).toHaveCount(0)
  await outside.update(bearer, second, { status: 'MERCHANT_ACCEPTED' })
  await expect(rowOf(page, second)).toBeVisible()
  await outside.tell(first, { status: 'CANCELLED' })
  await expect(rowOf(page, first)).toHaveCount(0)
  await filters(page).getByRole('button', { name: 'Clear status' }).click()
  await expect(page).toHaveURL(`${url}/orders/active`)
})

test('LIST-018 every tab whose orders have groups filters by them, also where there is one', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  await outside.tell(await outside.order(shop.key), { status: 'CANCELLED' })
  const page = await openDesk(shop.owner)
  await openOrders(page, 'cancelled')
  await opener(page, 'Status').click()
  await page.getByRole('checkbox', { name: 'Rejected' }).check()
  await page.getByRole('button', { name: 'Apply Selections' }).click()
  await expect(page).toHaveURL(/status=rejected/)
  await expect(filters(page)).toContainText('1 order')
})

test('LIST-038 LIST-039 a filter never hides a new order: showing new orders removes a filter that would', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const shop = await openShop(dataDir)
  const local = { delivery: { method: 'on_demand' } }
  await outside.order(shop.key, local)
  const page = await openDesk(shop.owner)
  const caughtUp = listAnswers(page, 'on_demand', 2)
  await openOrders(page, 'active?method=on_demand&sort=desc')
  await caughtUp
  await expect(page.getByRole('row')).toHaveCount(2)
  const fitting = await outside.order(shop.key, local)
  await expect(newOrders(page, '1 new order')).toBeVisible()
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(rowOf(page, fitting)).toContainText('New: ')
  await expect(page).toHaveURL(`${url}/orders/active?method=on_demand&sort=desc`)
  const parcel = await outside.order(shop.key)
  await expect(newOrders(page, '1 new order')).toBeVisible()
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(`${url}/orders/active?sort=desc`)
  await expect(rowOf(page, parcel)).toContainText('New: ')
})

test('LIST-034 an order that comes before the event stream opens is marked as new in a filtered list', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const local = { delivery: { method: 'on_demand' } }
  await outside.order(shop.key, local)
  const page = await openDesk(shop.owner)
  const opened = Promise.withResolvers<void>()
  await page.route('**/events', async (route) => {
    await opened.promise
    await route.continue()
  })
  const caughtUp = listAnswers(page, 'on_demand', 2)
  await page.goto('/orders/active?method=on_demand&sort=desc')
  await expect(page.getByRole('row')).toHaveCount(2)
  const between = await outside.order(shop.key, local)
  opened.resolve()
  await caughtUp
  await expect(rowOf(page, between)).toContainText('New: ')
  await expect(newOrders(page, '1 new order')).toHaveCount(0)
})

test('LIST-018 LIST-019 the filters by keyboard alone: arrows choose, Enter applies, Escape gives the focus back', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const shop = await openShop(dataDir)
  for (const method of ['on_demand', 'scheduled', 'shipped'])
    await outside.order(shop.key, { delivery: deliveryBy(method) })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await expect(page.getByRole('row')).toHaveCount(4)
  await opener(page, 'Method').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('radio', { name: 'All methods' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page).toHaveURL(`${url}/orders/active?method=on_demand`)
  await page.keyboard.press('ArrowDown')
  await expect(page).toHaveURL(`${url}/orders/active?method=scheduled`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radiogroup')).toHaveCount(0)
  await expect(opener(page, 'Method')).toBeFocused()
  await page.goto('/orders/active?status=accepted')
  await opener(page, 'Status').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('checkbox', { name: /^Accepted/ })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('checkbox', { name: /^New/ })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${url}/orders/active?status=new%2Caccepted`)
  await expect(page.getByRole('row')).toHaveCount(4)
})
