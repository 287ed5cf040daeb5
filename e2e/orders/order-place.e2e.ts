import type { Page } from '@playwright/test'
import { expect, openOrder, openOrders, rowOf, test } from '../desk.ts'
import { openShop } from '../shop.ts'

const heading = (page: Page, { id }: { id: string }) =>
  page.getByRole('heading', { level: 1, name: `#${id}`, exact: true })

test('SHELL-015 SHELL-016 an open order has its tab’s name and both searches, and its tab stays lit', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const first = await outside.order(shop.key)
  const second = await outside.order(shop.key)
  const page = await openDesk(shop.owner)
  await openOrder(page, first)
  const tabs = page.getByRole('navigation', { name: 'Order tabs' })
  await expect(tabs.getByRole('link', { name: /^Active/ })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('main').getByRole('link', { name: 'Active', exact: true })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('combobox', { name: 'Customer Name' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type(second.id)
  await page.keyboard.press('Enter')
  await expect(heading(page, second)).toBeFocused()
  await outside.tell(second, { status: 'CANCELLED' })
  await expect(tabs.getByRole('link', { name: /^Cancelled/ })).toHaveAttribute('aria-current', 'true')
  await expect(tabs.getByRole('link', { name: /^Active/ })).not.toHaveAttribute('aria-current', /./)
  await page.getByRole('main').getByRole('link', { name: 'Cancelled', exact: true }).click()
  await expect(page).toHaveURL(/\/orders\/cancelled$/)
})

test('an order that was opened by its address has its neighbours too', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const [first, second, third] = [
    await outside.order(shop.key),
    await outside.order(shop.key),
    await outside.order(shop.key),
  ]
  const page = await openDesk(shop.owner)
  await openOrder(page, second)
  await expect(page.getByRole('button', { name: `Previous order, #${first.id}` })).toBeVisible()
  await page.getByRole('button', { name: `Next order, #${third.id}` }).click()
  await expect(heading(page, third)).toBeFocused()
  await expect(page.getByRole('button', { name: `Previous order, #${second.id}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next order' })).toBeDisabled()
  await page.keyboard.press('k')
  await expect(heading(page, second)).toBeFocused()
})

test('the next and the previous order of the list are one press away, and the way back leads to the list', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const at = (minutes: number) => ({
    delivery: { method: 'on_demand' },
    date_submitted: new Date(Date.now() - minutes * 60_000).toISOString(),
  })
  // As they are due.
  const [first, second, third] = [
    await outside.order(shop.key, at(30)),
    await outside.order(shop.key, at(20)),
    await outside.order(shop.key, at(10)),
  ]
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await rowOf(page, second).getByRole('link').click()
  await expect(heading(page, second)).toBeFocused()
  await page.getByRole('button', { name: `Next order, #${third.id}` }).click()
  await expect(heading(page, third)).toBeFocused()
  await expect(page.getByRole('button', { name: 'Next order' })).toBeDisabled()
  await page.keyboard.press('k')
  await expect(heading(page, second)).toBeFocused()
  // The order that leaves the list makes room for the next one.
  await outside.tell(second, { status: 'CANCELLED' })
  await expect(page.getByRole('main').getByRole('link', { name: 'Cancelled', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: `Next order, #${third.id}` })).toBeVisible()
  await page.keyboard.press('k')
  await expect(heading(page, first)).toBeFocused()
  await page.keyboard.press('j')
  await expect(heading(page, third)).toBeFocused()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page).toHaveURL(/\/orders\/active$/)
})

test('GAP-89 Enter searches at once for a name of two letters, also when it comes within the pause', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  for (const first_name of ['Ada', 'Bob'])
    await outside.order(shop.key, { customer: { first_name, last_name: 'Qz' } })
  const page = await openDesk(shop.owner)
  // Before the page: a pause that began on the real clock could not be cleared by the other.
  await page.clock.install()
  await openOrders(page)
  const field = page.getByRole('combobox', { name: 'Customer Name' })
  await field.fill('Qz')
  await field.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(2)
  // The end of the pause takes nothing back.
  await page.clock.runFor(1_000)
  await expect(page.getByRole('option')).toHaveCount(2)
})

test('SEARCH-001 SEARCH-002 the last four digits, a phone number, a post code and a street find their order and are named in the hit', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const order = await outside.order(shop.key, {
    recipient: {
      first_name: 'Dee',
      last_name: 'Nakamura',
      street_1: '1 Main Street',
      city: 'Los Angeles',
      state: 'CA',
      zipcode: '90013',
      phone_number: '+1 213 555 0142',
    },
  })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  for (const [box, text, shown] of [
    ['Order #', '2135550142', '+1 (213) 555-0142'],
    ['Customer Name', '(213) 555-0142', '+1 (213) 555-0142'],
    ['Order #', '90013', '90013'],
    ['Order #', order.id.slice(-4), `#${order.id}`],
    ['Customer Name', 'Nakamura, Dee', 'Dee Nakamura'],
    ['Order #', '1 main', '1 Main Street'],
    ['Customer Name', '1 Main St', '1 Main Street'],
  ] as const) {
    const field = page.getByRole('combobox', { name: box })
    await field.fill(text)
    await expect(page.getByRole('option').filter({ hasText: `#${order.id}` })).toContainText(shown)
    await field.fill('')
  }
})
