import type { Order, OrderPage } from '@cellarhand/contract/orders'
import type { Page } from '@playwright/test'
import { onDemand } from '../../server/test/orders.ts'
import { openDatabase } from '../database.ts'
import { expect, openOrders, test, toast } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { printed } from '../faults.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'
import { openShop, type Shop } from '../shop.ts'

const slips = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Packing Slips' })
const close = (page: Page) => dialog(page).getByRole('button', { name: 'CLOSE', exact: true }).click()

async function make(outside: Outside, key: string, howMany: number): Promise<Order[]> {
  const orders: Order[] = []
  while (orders.length < howMany) {
    const some = Array.from({ length: Math.min(10, howMany - orders.length) }, () => outside.order(key))
    orders.push(...(await Promise.all(some)))
  }
  return orders
}

/** How many orders the server counts without a slip. */
async function missing(outside: Outside, url: string, shop: Shop): Promise<number> {
  const { bearer } = await signIn(url, shop.owner)
  const asked = { as: bearer, params: { tmk: shop.key } }
  return (await outside.call('GET /m/v2/merchant/{tmk}/orders/queue', asked)).slips ?? 0
}

/** The address of the third page, up to its cursor, as the dashboard asks for it. */
async function thirdPage(url: string, bearer: string, { key }: Shop): Promise<string> {
  const query = new URLSearchParams({
    limit: '100',
    offset: '0',
    'filter[tab]': 'active',
    'filter[delivery_method]': 'shipped',
    'sort[due]': 'asc',
    'filter[slip]': 'missing',
  })
  const headers = { authorization: bearer }
  let next = `${url}/m/v2/merchant/${key}/orders/optimized?${query.toString()}`
  for (let page = 1; page < 3; page++) {
    const reply = (await (await fetch(new URL(next, url), { headers })).json()) as OrderPage
    next = reply.next_url ?? ''
  }
  const { pathname, search } = new URL(next, url)
  return `${pathname}${search}`.split('cursor=')[0] ?? ''
}

test('Shift+P prints the slips of 40 orders without a selection, new and accepted, and then says that all are printed @prints', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const shop = await openShop(dataDir)
  const { bearer } = await signIn(url, shop.owner)
  const orders = await make(outside, shop.key, 40)
  for (const order of orders.slice(0, 20))
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await expect(slips(page, 'Print 40 slips')).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  // Caps Lock with "p" sends the same letter, and means the slip of one order.
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'P', bubbles: true, cancelable: true })),
  )
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Shift+P')])
  expect(file.suggestedFilename()).toBe('packing-slips-40.pdf')
  await expect(dialog(page)).toContainText('Ready.')
  await expect(dialog(page).getByRole('status')).toHaveText('40 of 40')
  await expect(printed(page)).toHaveAttribute('src', /^blob:/)
  expect(await violationsOf(page)).toEqual([])
  expect(await missing(outside, url, shop)).toBe(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(slips(page, /^Print slips/)).toBeVisible()
  await page.keyboard.press('Shift+P')
  await expect(toast(page, 'All slips are printed')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const later = await outside.order(shop.key)
  await expect(slips(page, 'Print 1 slip')).toBeVisible()
  await Promise.all([page.waitForEvent('download'), page.keyboard.press('Shift+P')])
  await expect(dialog(page).getByRole('status')).toHaveText('1 of 1')
  expect(
    (await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: later.id } })).printed_timestamp,
  ).not.toBeNull()
})

test('one press prints the slips of the filter alone, names what failed, and says what does not fit into the file', async ({
  openDesk,
  outside,
  dataDir,
  url,
  cable,
}) => {
  const shop = await openShop(dataDir)
  const orders = await make(outside, shop.key, 203)
  for (let local = 0; local < 2; local++) await outside.order(shop.key, onDemand)
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await openOrders(page, 'active?method=shipped')
  await expect(slips(page, 'Print 203 slips')).toBeVisible()
  const { bearer } = await signIn(url, shop.owner)
  // The last page of the list waits while most orders go: drawing all of them would take long.
  cable.holdAnswers(`GET ${await thirdPage(url, bearer, shop)}`)
  const download = page.waitForEvent('download')
  const asked = page.waitForRequest(/offset=200/)
  const database = await openDatabase(dataDir)
  await slips(page, 'Print 203 slips').click()
  await asked
  const gone = orders.slice(0, 195).map(({ id }) => id)
  await database.query('delete from orders where order_id = any($1)', [gone])
  await database.end()
  cable.mend()
  const file = await download
  expect(file.suggestedFilename()).toBe('packing-slips-200.pdf')
  await expect(dialog(page)).toContainText('195 of 200 could not be included')
  await expect(dialog(page)).toContainText(orders[0]?.thirstie_logistic_order_ref ?? '')
  await expect(dialog(page)).toContainText('One file holds 200. The other 3 follow with NEXT.')
  const [rest] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'NEXT 3', exact: true }).click(),
  ])
  expect(rest.suggestedFilename()).toBe('packing-slips-3.pdf')
  await close(page)
  expect(await missing(outside, url, shop)).toBe(2)
})

test('two clerks who press at once both get their file', async ({ openDesk, outside, dataDir, url }) => {
  const shop = await openShop(dataDir)
  await make(outside, shop.key, 5)
  const pages = [await openDesk(shop.owner), await openDesk(shop.owner)]
  for (const page of pages) {
    await openOrders(page)
    await expect(slips(page, 'Print 5 slips')).toBeVisible()
  }
  // Each press finds the same orders: neither file is made before both have been asked for.
  const bothFound = Promise.all(
    pages.map((page) =>
      page.waitForResponse((answer) => decodeURIComponent(answer.url()).includes('filter[slip]=missing')),
    ),
  )
  for (const page of pages)
    await page.route('**/bulk/**', async (route) => {
      if (route.request().method() === 'POST') await bothFound
      await route.continue()
    })
  await Promise.all(
    pages.map((page) => Promise.all([page.waitForEvent('download'), page.keyboard.press('Shift+P')])),
  )
  for (const page of pages) {
    await expect(dialog(page).getByRole('status')).toHaveText('5 of 5')
    await expect(dialog(page).getByRole('heading', { name: /could not be included/ })).toHaveCount(0)
    await close(page)
  }
  expect(await missing(outside, url, shop)).toBe(0)
})
