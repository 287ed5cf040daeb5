import type { Page } from '@playwright/test'
import type { Outside } from '../outside.ts'
import { dialog, expect, newOrders, openNewest, openOrders, rowOf, tabLink, test, toast } from '../desk.ts'
import { nextFrames } from '../page-time.ts'
import { signIn } from '../people.ts'
import { openShop } from '../shop.ts'
import { deliveryBy, onDemand } from '../../server/test/orders.ts'

async function orders(outside: Outside, merchant: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await outside.order(merchant, { date_submitted: hoursAgo(sent) })
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}

test('LIST-001 LIST-002 the tabs link to their addresses and count their orders, live', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const shop = await openShop(dataDir)
  const { bearer } = await signIn(url, shop.owner)
  const [accepted] = [await outside.order(shop.key), await outside.order(shop.key)]
  const page = await openDesk(shop.owner)
  await openOrders(page)
  const tabs = page.getByRole('navigation', { name: 'Order tabs' })
  await expect(tabs).toContainText(/Active 2\s*On hold 0\s*Cancelled 0\s*Completed 0/)
  for (const [name, address] of [
    ['On hold', '/orders/on-hold'],
    ['Cancelled', '/orders/cancelled'],
    ['Completed', '/orders/completed'],
    ['Active', '/orders/active'],
  ] as const) {
    await expect(tabLink(page, name)).toHaveAttribute('href', address)
    await tabLink(page, name).click()
    await expect(page).toHaveURL(`${url}${address}`)
    await expect(tabLink(page, name)).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
  await outside.tell(accepted, { status: 'CANCELLED' })
  await expect(tabs).toContainText(/Active 1\s*On hold 0\s*Cancelled 1\s*Completed 0/)
  const second = await outside.order(shop.key, { delivery: { method: 'on_demand' } })
  await outside.update(bearer, second, { status: 'MERCHANT_ACCEPTED' })
  await outside.tell(second, { status: 'PAYMENT_DECLINED' })
  await expect(tabs).toContainText(/Active 1\s*On hold 1\s*Cancelled 1\s*Completed 0/)
})

test('LIST-028 an empty tab says so', async ({ openDesk, dataDir }) => {
  const shop = await openShop(dataDir)
  const page = await openDesk(shop.owner)
  await openOrders(page)
  for (const tab of ['Active', 'On hold', 'Cancelled', 'Completed']) {
    await tabLink(page, tab).click()
    await expect(page.getByRole('heading', { level: 1, name: tab })).toBeVisible()
    await expect(page.getByText('No orders available', { exact: true })).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(0)
  }
})

test.describe('on the demo', () => {
  for (const { tab, name, columns } of [
    {
      tab: 'active',
      name: 'Active',
      // The first column has a checkbox instead of a name.
      columns: ', On track, Order, Recipient, Status, Method, Brand, Items, Total, Created, Actions',
    },
    {
      tab: 'on-hold',
      name: 'On hold',
      columns: 'Order, Recipient, Comment, Method, Brand, Items, Total, Created, Actions',
    },
    {
      tab: 'cancelled',
      name: 'Cancelled',
      columns: 'Order, Recipient, Method, Brand, Items, Total, Created',
    },
    {
      tab: 'completed',
      name: 'Completed',
      columns: 'Order, Recipient, Status, Method, Brand, Items, Total, Created, Actions',
    },
  ]) {
    test(`LIST-004 LIST-005 LIST-007 LIST-008 LIST-009 LIST-010 LIST-011 LIST-012 LIST-013 LIST-014 LIST-015 SHELL-015 SHELL-016 the columns of the ${name} tab`, async ({
      page,
    }) => {
      await openOrders(page, tab)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(page.getByRole('combobox', { name: 'Order #' })).toBeVisible()
      await expect(page.getByRole('combobox', { name: 'Customer Name' })).toBeVisible()
      const table = page.getByRole('table', { name: `${name} orders` })
      const heads = table.getByRole('columnheader')
      await expect
        .poll(async () => (await heads.allInnerTexts()).map((text) => text.trim()).join(', '))
        .toBe(columns)
      const cells = table.getByRole('row').nth(1).getByRole('cell')
      await expect(cells).toHaveCount(columns.split(', ').length)
    })
  }
})

test('LIST-006 LIST-020 the sort on created cycles none, descending, ascending, and the address holds it', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const old = await outside.order(ownShop.key, {
    delivery: deliveryBy('scheduled'),
    date_submitted: hoursAgo(5_000),
  })
  const urgent = await outside.order(ownShop.key, { ...onDemand, date_submitted: hoursAgo(1) })
  const young = await outside.order(ownShop.key, onDemand)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const head = page.getByRole('columnheader', { name: 'Created' })
  const due = page.getByRole('columnheader', { name: 'On track' })
  const sort = head.getByRole('button', { name: 'Created' })
  const first = page.getByRole('row').nth(1)
  const isDueFirst = async () => {
    await expect(due).toHaveAttribute('aria-sort', 'ascending')
    await expect(head).toHaveAttribute('aria-sort', 'none')
    await expect(page).toHaveURL(`${url}/orders/active`)
    await expect(first).toContainText(urgent.id)
  }
  await isDueFirst()
  await sort.click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await expect(due).toHaveAttribute('aria-sort', 'none')
  await expect(page).toHaveURL(`${url}/orders/active?sort=desc`)
  await expect(first).toContainText(young.id)
  await sort.click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(`${url}/orders/active?sort=asc`)
  await expect(first).toContainText(old.id)
  await page.reload()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(first).toContainText(old.id)
  await sort.click()
  await isDueFirst()
  await sort.click()
  await expect(first).toContainText(young.id)
  await due.getByRole('button', { name: 'On track' }).click()
  await isDueFirst()

  // Another tab has no due times, so its addresses mean what they meant before.
  await page.goto('/orders/completed?sort=due')
  await expect(page.getByText('No orders available', { exact: true })).toBeVisible()
})

test('LIST-029 LIST-030 LIST-031 LIST-032 LIST-036 LIST-047 the list scrolls on by thirties to "End of Page", no order twice, and keeps its place on the way back from an order', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  await orders(outside, shop.key, 65)
  const page = await openDesk(shop.owner)
  const asked: URL[] = []
  const answers: Promise<{ next_url: string | null }>[] = []
  page.on('response', (answer) => {
    const address = new URL(answer.url())
    if (!address.pathname.endsWith('/orders/optimized')) return
    asked.push(address)
    answers.push(answer.json() as Promise<{ next_url: string | null }>)
  })
  await openOrders(page)
  await expect(page.getByRole('row').nth(3)).toBeVisible()
  await expect(page.getByText('End of Page', { exact: true })).toHaveCount(0)
  const seen = await scrollToEnd(page)
  expect(seen.size).toBe(65)
  await expect(page.getByText('End of Page', { exact: true })).toBeVisible()
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '66')
  // When its event stream opens, the desk asks once more for changes in between, and for the newest orders.
  const isNewest = ({ searchParams }: URL) => searchParams.has('sort[date]')
  const isAgain = ({ href }: URL, index: number) => index > 0 && href === asked[0]?.href
  for (const isOther of [isNewest, isAgain])
    for (let other = asked.findIndex(isOther); other !== -1; other = asked.findIndex(isOther))
      for (const list of [asked, answers]) list.splice(other, 1)
  const parts = asked.map(
    ({ searchParams }) => `${searchParams.get('limit')} from ${searchParams.get('offset')}`,
  )
  expect(parts).toEqual(['30 from 0', '30 from 30', '30 from 60'])
  const next = (await Promise.all(answers)).map(({ next_url }) => next_url)
  expect(next).toEqual([...asked.slice(1).map(({ href }) => href), null])

  const last = page.getByRole('row').last()
  const number = await last.getByRole('link').innerText()
  await last.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page.getByRole('link', { name: number, exact: true })).toBeInViewport()
})

test('LIST-029 LIST-032 GAP-82 orders that arrive and leave during scrolling cause no gap and no duplicate', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const sent = []
  for (let hours = 0; hours < 70; hours++)
    sent.push(await outside.order(shop.key, { date_submitted: hoursAgo(hours) }))
  const page = await openDesk(shop.owner)
  await openNewest(page)
  await expect(page.getByRole('row').nth(3)).toBeVisible()
  // Two of the loaded page and one of a page still to come.
  const gone = [sent[3], sent[12], sent[50]]
  for (const order of gone) if (order) await outside.tell(order, { status: 'CANCELLED' })
  for (let index = 0; index < 3; index++) await outside.order(shop.key)
  await expect(newOrders(page, '3 new orders')).toBeVisible()
  await expect(tabLink(page, 'Active')).toContainText('70')
  const seen = await scrollToEnd(page)
  const left = sent.filter((order) => !gone.includes(order)).map(({ id }) => `#${id}`)
  expect([...seen].toSorted()).toEqual(left.toSorted())
  await page.getByRole('button', { name: 'Show' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '71')
  // The bar is gone with its button, and the keys go on in the rows.
  await expect(page.locator('[data-index] a:focus')).toHaveCount(1)
})

test('CONST-005 LIST-012 LIST-013 LIST-033 LIST-042 LIST-043 LIST-044 LIST-045 LIST-046 each delivery method has its label, with and without an estimate, and a row counts all items and shows the total', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  const sent = []
  for (const [method, estimate, label] of [
    ['on_demand', null, 'On Demand'],
    ['scheduled', null, 'Scheduled'],
    ['on_demand', 'est-1', 'On Demand with Courier'],
    ['scheduled', 'est-2', 'Scheduled with Courier'],
    ['preorder', null, 'Pre-sale'],
    ['deposit', null, 'Pre-sale'],
    ['shipped', 'est-3', 'Shipping'],
    ['balloon', null, 'Shipping'],
  ] as const)
    sent.push({
      label,
      order: await outside.order(shop.key, { delivery: deliveryBy(method), courier_estimate_id: estimate }),
    })
  const item = { name: 'Old Fashioned Kit', price: 20.5 }
  const kits = await outside.order(shop.key, {
    items: [
      { ...item, id: 'a', quantity: 4, subtotal: 82 },
      { ...item, id: 'b', quantity: 3, subtotal: 61.5 },
    ],
    transaction: { subtotal: 143.5, tax: 11.27, delivery_fee: 5, tip: 0.23, total: 160 },
    application_brand_name: 'Juniper & Rye',
  })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  for (const { label, order } of sent)
    await expect(rowOf(page, order).getByRole('cell', { name: label, exact: true })).toBeVisible()
  for (const cell of ['7', '$160.00', 'Juniper & Rye', 'Dee Nakamura'])
    await expect(rowOf(page, kits).getByRole('cell', { name: cell, exact: true })).toBeVisible()
})

test('LIST-023 LIST-034 LIST-038 LIST-039 LIST-040 LIST-041 new orders wait in the bar until they are shown, and are then marked new; opening one puts it alone into the list, and an order accepted from its row is replaced there', async ({
  openDesk,
  outside,
  ownShop: shop,
}) => {
  const known = await outside.order(shop.key)
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await expect(rowOf(page, known)).toBeVisible()
  const [first, second] = [await outside.order(shop.key), await outside.order(shop.key)]
  await expect(newOrders(page, '2 new orders')).toBeVisible()
  for (const order of [first, second]) await expect(rowOf(page, order)).toHaveCount(0)
  await page.getByRole('button', { name: 'Show' }).click()
  for (const order of [first, second]) await expect(rowOf(page, order)).toContainText('New: ')
  await expect(rowOf(page, known)).not.toContainText('New: ')
  await expect(newOrders(page, '2 new orders')).toHaveCount(0)
  await tabLink(page, 'On hold').click()
  await tabLink(page, 'Active').click()
  await expect(rowOf(page, second)).not.toContainText('New: ')

  const [third, fourth] = [await outside.order(shop.key), await outside.order(shop.key)]
  await expect(newOrders(page, '2 new orders')).toBeVisible()
  await page.getByRole('link', { name: new RegExp(`^#${third.id} Shipping`) }).click()
  await expect(page.getByRole('heading', { level: 1, name: `#${third.id}` })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(rowOf(page, third)).toContainText('New: ')
  await expect(newOrders(page, '1 new order')).toBeVisible()
  await expect(rowOf(page, fourth)).toHaveCount(0)

  await expect(rowOf(page, known)).toContainText('New')
  const accept = rowOf(page, known).getByRole('button', { name: `Accept #${known.id}` })
  await accept.click()
  await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `#${known.id}` })).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(rowOf(page, known)).toContainText('Accepted')
  await expect(rowOf(page, known).getByRole('button', { name: `Add Tracking #${known.id}` })).toBeVisible()
})

test('LIST-009 the on-hold tab shows the comment', async ({ openDesk, outside, shop, url }) => {
  const { bearer } = await signIn(url, shop.owner)
  const order = await outside.order(shop.key)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.tell(order, { status: 'PAYMENT_DECLINED', comment: 'The card was refused twice' })
  const page = await openDesk(shop.owner)
  await openOrders(page, 'on-hold')
  await expect(rowOf(page, order).getByRole('cell', { name: 'The card was refused twice' })).toBeVisible()
})

test('LIST-048 SHELL-022 LIST-037 a list that cannot be loaded says so in a toast and can be tried again', async ({
  openDesk,
  cable,
}) => {
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrders(page)
  await expect(page.getByRole('row').nth(3)).toBeVisible()
  cable.cut()
  await tabLink(page, 'Completed').click()
  const failure = toast(page, 'There was an error fetching your orders. Please contact Support.')
  // The pointer above it holds it on the screen.
  await failure.hover()
  await expect(page.getByRole('row')).toHaveCount(0)
  await expect(page.getByRole('status').getByText(isLost)).toBeVisible()
  cable.mend()
  await page.getByRole('button', { name: 'Try Again' }).press('Enter')
  await expect(page.getByRole('table', { name: 'Completed orders' })).toBeVisible()
  await expect(failure).toHaveCount(0)
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
})

test('changes during a broken connection show after the reconnect', async ({
  openDesk,
  outside,
  ownShop: shop,
  cable,
  url,
}) => {
  const { bearer } = await signIn(url, shop.owner)
  const known = await outside.order(shop.key)
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  await openOrders(page)
  // The bar of new orders is fetched early. A cut in that moment leaves a browser without service worker no second try.
  await outside.order(shop.key)
  await expect(newOrders(page, '1 new order')).toBeVisible()
  cable.cut()
  await expect(page.getByRole('status').getByText(isLost)).toBeVisible()
  await outside.update(bearer, known, { status: 'MERCHANT_ACCEPTED' })
  await outside.order(shop.key)
  cable.mend()
  await expect(newOrders(page, '2 new orders')).toBeVisible()
  await expect(rowOf(page, known)).toContainText('Accepted')
})

test('VIEW-034 CONST-003 the created column and the order view show the shop’s time zone, whatever zone the till has', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const order = await outside.order(ownShop.key, { date_submitted: '2026-01-02T03:30:00Z' })
  const page = await openDesk(ownShop.owner, { timezoneId: 'Asia/Tokyo' })
  await openOrders(page)
  const created = page.getByRole('columnheader', { name: 'Created' })
  await expect(created).toBeVisible()
  const cells = rowOf(page, order).getByRole('cell')
  await expect(cells.filter({ hasText: /^01\.01\.2026\s*10:30 PM$/ })).toHaveCount(1)
  // Where the window has no room for the column, the number's cell has the moment.
  await page.setViewportSize({ width: 1000, height: 800 })
  await expect(created).toHaveCount(0)
  await expect(cells.filter({ hasText: `#${order.id}` }).first()).toContainText('01.01.2026 10:30 PM')
})

/** How the page calls a line that it has lost, at first and after 20 seconds. */
const isLost = /^(Reconnecting|Offline since .+)$/

/** Turns the wheel over the table until it ends; returns the numbers that passed. */
async function scrollToEnd(page: Page): Promise<Set<string>> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  await page.getByRole('row').nth(2).hover()
  await expect(async () => {
    const shown = await page.getByRole('row').getByRole('link').allInnerTexts()
    for (const number of shown) {
      if (shown.indexOf(number) !== shown.lastIndexOf(number)) twice.add(number)
      seen.add(number)
    }
    await page.mouse.wheel(0, 500)
    // The rows come with the next frame. A second turn before it would pass over some.
    await nextFrames(page)
    await expect(page.getByText('End of Page', { exact: true })).toBeInViewport({ timeout: 200 })
  }).toPass({ intervals: [0] })
  expect([...twice], 'orders that stand twice in the list').toEqual([])
  for (const number of await page.getByRole('row').getByRole('link').allInnerTexts()) seen.add(number)
  return seen
}
