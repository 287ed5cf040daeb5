import type { Page } from '@playwright/test'
import { onDemand } from '../../server/test/orders.ts'
import { chooseMore, expect, newOrders, openOrders, rowOf, test } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { stopTime } from '../page-time.ts'

/** A local order that is due in two hours less these minutes. */
function local(minutes: number) {
  return { ...onDemand, date_submitted: new Date(Date.now() - minutes * 60_000).toISOString() }
}

/** Five orders more than the list loads at once, the one that is due first first. */
async function manyOrders(outside: Outside, merchant: string) {
  const sent = []
  for (let minutes = 35; minutes > 0; minutes--) sent.push(await outside.order(merchant, local(minutes)))
  return sent
}

const show = (page: Page) => page.getByRole('button', { name: 'Show', exact: true }).click()
const header = (page: Page, name: string) =>
  page.getByRole('columnheader', { name }).getByRole('button', { name })
const topRow = (page: Page) => page.getByRole('row').nth(1)

test('LIST-038 LIST-039 Show puts a new order at the place where it is due, and brings it into view', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const sent = await manyOrders(outside, ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await page.getByRole('row').nth(2).hover()
  await expect(async () => {
    await page.mouse.wheel(0, 800)
    await expect(page.getByText('End of Page', { exact: true })).toBeInViewport({ timeout: 200 })
  }).toPass({ intervals: [0] })
  const urgent = await outside.order(ownShop.key, local(60))
  await outside.order(ownShop.key)
  await expect(newOrders(page, '2 new orders')).toBeVisible()
  // The key of Show.
  await page.keyboard.press('s')
  await expect(rowOf(page, urgent)).toBeInViewport()
  await expect(rowOf(page, urgent)).toContainText('New: ')
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(topRow(page)).toContainText(`#${urgent.id}`)
  await expect(page.getByRole('row').nth(2)).toContainText(`#${sent[0]?.id}`)
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '38')
})

test('LIST-038 LIST-039 Show puts the newest on top if the list is not loaded as far as a new order, and On track leads back', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const sent = await manyOrders(outside, ownShop.key)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await expect(topRow(page)).toContainText(`#${sent[0]?.id}`)
  const parcel = await outside.order(ownShop.key)
  await expect(newOrders(page, '1 new order')).toBeVisible()
  await show(page)
  await expect(page).toHaveURL(/\/orders\/active\?sort=desc$/)
  await expect(topRow(page)).toContainText(`New: #${parcel.id}`)
  await header(page, 'On track').click()
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(topRow(page)).toContainText(`#${sent[0]?.id}`)
})

test('a waiting order that another sort shows has its place by due time too', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  await outside.order(ownShop.key, onDemand)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await expect(page.getByRole('row')).toHaveCount(2)
  const urgent = await outside.order(ownShop.key, local(60))
  await expect(newOrders(page, '1 new order')).toBeVisible()
  await header(page, 'Created').click()
  await expect(rowOf(page, urgent)).toBeVisible()
  await expect(newOrders(page, '1 new order')).toHaveCount(0)
  await header(page, 'On track').click()
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(topRow(page)).toContainText(`#${urgent.id}`)
})

test('LIST-026 late orders have a head with their number, which the clock moves while every row keeps its place', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const sent = []
  for (const minutes of [132, 126, 116, 1]) sent.push(await outside.order(ownShop.key, local(minutes)))
  const ids = sent.map(({ id }) => `#${id}`)
  const page = await openDesk(ownShop.owner)
  await page.clock.install()
  await openOrders(page)
  const numbers = page.getByRole('table').getByRole('link', { name: /^#\d+$/ })
  await expect(numbers).toHaveText(ids)
  const words = () => page.locator('tbody tr').allInnerTexts()
  const heads = async () => (await words()).filter((text) => /^(Late|In time)/.test(text.trim()))
  await expect.poll(heads).toEqual([expect.stringMatching(/Late 2\s*the oldest by 1\d min/), 'In time'])
  const late = 'tr[aria-hidden] + tr[aria-rowindex="4"]'
  await expect(page.locator(late)).toContainText(ids[2] ?? '')
  // With the server's next answer the page knows that its clock is wrong, and its next tick shows the right time again.
  await stopTime(page)
  await expect(async () => {
    await page.clock.fastForward('05:00')
    await expect
      .poll(heads, { timeout: 1_000 })
      .toEqual([expect.stringMatching(/Late 3\s*the oldest by \d\d min/), 'In time'])
  }).toPass()
  await expect(numbers).toHaveText(ids)
  await page.clock.resume()
  // Another sort has no such groups.
  await header(page, 'Created').click()
  await expect(page).toHaveURL(/sort=desc$/)
  await expect.poll(heads).toEqual([])
})

test('LIST-022 LIST-024 the menu of a row takes the keys while it is open, gives the focus back, and leads to the dialogs', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const order = await outside.order(ownShop.key, onDemand)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  const more = page.getByRole('button', { name: `More for #${order.id}` })
  await more.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  await expect(menu.getByRole('menuitem')).toHaveText([
    'Review Order',
    'Print packing slip',
    'Download CSV',
    'Reject',
  ])
  for (const key of ['r', 'a', 'x', 'j']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: `Select #${order.id}` })).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(more).toBeFocused()
  await chooseMore(page, order, 'Reject')
  await expect(page.getByRole('dialog', { name: 'Reject Order' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/orders\/active$/)
})
