import fs from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Outside } from '../outside.ts'
import { chooseMore, expect, newOrders, openOrders, rowOf, test, toast } from '../desk.ts'
import { pressPair } from '../fields.ts'
import { selectionBar, selectLoaded } from './selection.ts'
import { openShop } from '../shop.ts'
import { onDemand } from '../../server/test/orders.ts'

const box = (page: Page, { id }: { id: string }) => page.getByRole('checkbox', { name: `Select #${id}` })
const count = (page: Page, text: string) => selectionBar(page).getByText(text, { exact: true })

/** Makes orders, each one minute younger than the one before, and due a minute later. */
async function orders(outside: Outside, merchant: string, howMany: number) {
  const sent = []
  for (let index = 0; index < howMany; index++)
    sent.push(
      await outside.order(merchant, {
        ...onDemand,
        date_submitted: new Date(Date.now() - (howMany - index) * 60_000).toISOString(),
      }),
    )
  return sent
}

test('LIST-015 LIST-021 LIST-025 orders are selected one by one, by ranges and all at once, and the bar counts them', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const [first, second, third, fourth] = await orders(outside, shop.key, 4)
  if (!first || !second || !third || !fourth) throw new Error('Four were sent')
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await expect(selectionBar(page)).toHaveCount(0)
  await box(page, fourth).click()
  await expect(count(page, '1 selected')).toBeVisible()
  await expect(rowOf(page, fourth)).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(/\/orders\/active$/)
  await box(page, second).click({ modifiers: ['Shift'] })
  await expect(count(page, '3 selected')).toBeVisible()
  for (const order of [fourth, third, second]) await expect(box(page, order)).toBeChecked()
  await expect(box(page, first)).not.toBeChecked()
  await box(page, third).click()
  await expect(count(page, '2 selected')).toBeVisible()
  const all = page.getByRole('checkbox', { name: 'Select all loaded orders' })
  await expect(all).toBeChecked({ indeterminate: true })
  await all.click()
  await expect(count(page, '4 selected')).toBeVisible()
  const sum = [first, second, third, fourth].reduce((total, order) => total + order.transaction.total, 0)
  await expect(selectionBar(page)).toContainText(`$${sum.toFixed(2)}`)
  await all.click()
  await expect(selectionBar(page)).toHaveCount(0)
  await all.click()
  await selectionBar(page).getByRole('button', { name: 'Clear selection' }).click()
  await expect(selectionBar(page)).toHaveCount(0)
  await expect(box(page, first)).not.toBeChecked()
})

test('LIST-015 LIST-016 LIST-021 a selection survives scrolling, new orders, another tab and a reload, and loses orders that left the tab', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const sent = await orders(outside, shop.key, 40)
  const [top, bottom] = [sent[0], sent[39]]
  if (!top || !bottom) throw new Error('Forty were sent')
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await box(page, top).click()
  await page.getByRole('row').nth(2).hover()
  await expect(async () => {
    await page.mouse.wheel(0, 800)
    await expect(box(page, bottom)).toBeVisible({ timeout: 300 })
  }).toPass()
  await box(page, bottom).click()
  await expect(count(page, '2 selected')).toBeVisible()
  const later = await outside.order(shop.key, {
    delivery: { method: 'on_demand' },
    date_submitted: new Date(Date.now() - 60 * 60_000).toISOString(),
  })
  await expect(newOrders(page, '1 new order')).toBeVisible()
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(count(page, '2 selected')).toBeVisible()
  await page.getByRole('link', { name: /^Completed/ }).click()
  await expect(selectionBar(page)).toHaveCount(0)
  await page.getByRole('link', { name: /^Active/ }).click()
  await expect(count(page, '2 selected')).toBeVisible()
  await page.reload()
  await expect(count(page, '2 selected')).toBeVisible()
  await expect(box(page, top)).toBeChecked()
  await expect(box(page, later)).not.toBeChecked()
  await page.goto(`/orders/view/${top.id}`)
  await expect(page.getByRole('heading', { level: 1, name: `#${top.id}` })).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await openOrders(page)
  await outside.tell(bottom, { status: 'CANCELLED' })
  await expect(count(page, '1 selected')).toBeVisible()
})

test('LIST-021 LIST-025 all orders of a filter are selected, including those that no list has loaded', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  await orders(outside, shop.key, 105)
  const parcel = await outside.order(shop.key)
  const page = await openDesk(shop.owner)
  await openOrders(page, 'active?method=on_demand')
  await selectLoaded(page)
  await expect(count(page, '30 selected')).toBeVisible()
  const selectAll = selectionBar(page).getByRole('button', { name: 'Select all 105' })
  const failure = toast(page, 'There was an error fetching your orders. Please contact Support.')
  await page.route(/[?&]limit=100\b/, (route) => route.abort())
  await selectAll.click()
  // The pointer above it holds it on the screen.
  await failure.hover()
  await page.unroute(/[?&]limit=100\b/)
  await selectAll.press('Enter')
  await expect(count(page, '105 selected')).toBeVisible()
  await expect(failure).toHaveCount(0)
  await page.goto('/orders/active?sort=desc')
  await expect(count(page, '105 selected')).toBeVisible()
  await expect(box(page, parcel)).not.toBeChecked()
})

test('LIST-024 LIST-014 the details of one order and of a selection come as a file that a spreadsheet reads as text', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const evil = await outside.order(shop.key, {
    gift_message: { message: '=HYPERLINK("http://evil.example","Gift")' },
    customer: { first_name: '山田', last_name: 'Zoë' },
  })
  await orders(outside, shop.key, 1)
  const page = await openDesk(shop.owner)
  await openOrders(page)
  const [file] = await Promise.all([page.waitForEvent('download'), chooseMore(page, evil, 'Download CSV')])
  expect(file.suggestedFilename()).toBe(`order-${evil.id}.csv`)
  const bytes = await fs.readFile(await file.path())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const text = bytes.toString()
  expect(text).toContain(evil.id)
  expect(text).toContain('山田,Zoë')
  expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""Gift"")"`)
  await selectLoaded(page)
  // After a reload, the page knows only the numbers of the selected orders.
  await page.reload()
  await expect(count(page, '2 selected')).toBeVisible()
  const [both] = await Promise.all([
    page.waitForEvent('download'),
    selectionBar(page).getByRole('button', { name: 'Details CSV' }).click(),
  ])
  expect(both.suggestedFilename()).toBe('orders-2.csv')
  expect((await fs.readFile(await both.path(), 'utf8')).trim().split('\r\n')).toHaveLength(3)
})

test('the list by keyboard: j, k, x with Shift, Enter, a and r, with the current order in sight', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const [first, second, third] = await orders(outside, shop.key, 3)
  if (!first || !second || !third) throw new Error('Three were sent')
  const page = await openDesk(shop.owner)
  await openOrders(page)
  const link = (order: { id: string }) => page.getByRole('link', { name: `#${order.id}`, exact: true })
  await expect(link(first)).toBeVisible()
  await page.keyboard.press('j')
  await expect(link(first)).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(link(third)).toBeFocused()
  await page.keyboard.press('Shift+X')
  await expect(count(page, '3 selected')).toBeVisible()
  await page.keyboard.press('k')
  await expect(link(second)).toBeFocused()
  await page.keyboard.press('x')
  await expect(count(page, '2 selected')).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Accept Orders' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(link(second)).toBeFocused()
  await selectionBar(page).getByRole('button', { name: 'Clear selection' }).click()
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  await expect(link(second)).toBeFocused()
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Accept & Confirm' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(link(second)).toBeFocused()
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog', { name: 'Reject Order' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(link(second)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `#${second.id}` })).toBeFocused()
  await pressPair(page, 'g', 'o')
  await expect(link(second)).toBeFocused()
  await page.keyboard.press('j')
  await expect(link(third)).toBeFocused()
})

test.describe('in a browser that fetches ahead', () => {
  test.use({ fetchesAhead: true })

  test('the bar of a selection is fetched ahead of the dialogs, because a tick may be the first press', async ({
    page,
  }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await openOrders(page)
    const at = (part: string) => asked.findIndex((path) => path.startsWith(`/assets/${part}-`))
    await expect.poll(() => at('reject-dialog')).toBeGreaterThan(0)
    expect(at('selection-bar')).toBeGreaterThan(0)
    expect(at('selection-bar')).toBeLessThan(at('reject-dialog'))
  })
})
