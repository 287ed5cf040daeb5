import { randomBytes } from 'node:crypto'
import type { Page, Request } from '@playwright/test'
import { expect, openOrders, test } from '../desk.ts'

const byNumber = (page: Page) => page.getByRole('combobox', { name: 'Order #' })
const byCustomer = (page: Page) => page.getByRole('combobox', { name: 'Customer Name' })

/** The filters of a search in its request to the server. */
function askedFor(request: Request): URLSearchParams | undefined {
  const { pathname, searchParams } = new URL(request.url())
  return pathname.endsWith('/orders/optimize') ? searchParams : undefined
}

/** A name that no other person in the shop has. */
const aName = () => `Quint${randomBytes(4).toString('hex')}`

test.beforeEach(async ({ page }) => openOrders(page))

test('SEARCH-001 SEARCH-004 SEARCH-005 SEARCH-006 SEARCH-007 SEARCH-013 SEARCH-014 SEARCH-017 an order is found by its number', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo', {
    customer: { first_name: 'Imogen', last_name: 'Vale', email: 'imogen@example.com' },
    items: [
      { id: 'a', name: 'Harbor Gin', description: 'London dry', quantity: 2, price: 31.5, subtotal: 63 },
      { id: 'b', name: 'Tonic', description: 'Six cans', quantity: 1, price: 9, subtotal: 9 },
    ],
    transaction: { subtotal: 72, tax: 6.3, total: 78.3 },
  })
  const asked = page.waitForRequest((request) => askedFor(request) !== undefined)
  await byNumber(page).fill(`#${order.id}`)
  const hit = page.getByRole('option')
  await expect(hit).toHaveCount(1)
  for (const text of [
    `#${order.id}`,
    'To: Imogen Vale',
    '2 × Harbor Gin',
    'London dry',
    '1 × Tonic',
    'Six cans',
  ])
    await expect(hit).toContainText(text)
  for (const amount of ['$78.30', '$31.50', '$9.00']) await expect(hit).toContainText(amount)
  expect(Object.fromEntries(askedFor(await asked) ?? [])).toEqual({
    limit: '10',
    offset: '0',
    'filter[search]': order.id,
  })
  await hit.click()
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
})

test('SEARCH-014 the leading sign is dropped, and a number without one is used as it is', async ({
  page,
  outside,
}) => {
  const { id } = await outside.order('demo')
  for (const typed of [id, `#${id}`, `№${id}`]) {
    const asked = page.waitForRequest((request) => askedFor(request) !== undefined)
    await byNumber(page).fill(typed)
    expect(askedFor(await asked)?.get('filter[search]')).toBe(id)
    await expect(page.getByRole('option')).toHaveCount(1)
    await byNumber(page).fill('')
    // The page does not repeat the same request within seconds, but a reload makes it forget.
    await openOrders(page)
  }
})

test('SEARCH-002 SEARCH-015 SEARCH-017 an order is found by its customer or its recipient, without a hash', async ({
  page,
  outside,
}) => {
  const name = aName()
  const bought = await outside.order('demo', { customer: { first_name: 'Noé', last_name: name } })
  const given = await outside.order('demo', {
    recipient: {
      first_name: 'Åsa',
      last_name: name,
      street_1: '1 Pier',
      city: 'New York',
      state: 'NY',
      zipcode: '10004',
    },
  })
  const asked = page.waitForRequest((request) => askedFor(request) !== undefined)
  await byCustomer(page).fill(`#${name.toLowerCase()}`)
  await expect(page.getByRole('option')).toHaveCount(2)
  for (const { id } of [bought, given])
    await expect(page.getByRole('option').filter({ hasText: `#${id}` })).toBeVisible()
  expect(Object.fromEntries(askedFor(await asked) ?? [])).toEqual({
    limit: '10',
    offset: '0',
    'filter[recipient_name]': name.toLowerCase(),
  })
})

test('SEARCH-003 SEARCH-016 SEARCH-017 an order is found by its customer’s e-mail', async ({
  page,
  outside,
}) => {
  const email = `${aName().toLowerCase()}@example.com`
  const order = await outside.order('demo', { customer: { first_name: 'Bo', last_name: 'Ek', email } })
  const asked = page.waitForRequest((request) => askedFor(request) !== undefined)
  await byCustomer(page).fill(email)
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option')).toContainText(`#${order.id}`)
  expect(Object.fromEntries(askedFor(await asked) ?? [])).toEqual({
    limit: '10',
    offset: '0',
    'filter[customer_email]': email,
  })
})

test('SEARCH-009 an unknown number shows the form of a number', async ({ page }) => {
  await byNumber(page).fill('#98989898')
  await expect(
    page.getByText('Please enter a valid Thirstie Order ID. Example: #1000123', { exact: true }),
  ).toBeVisible()
})

test('SEARCH-010 an unknown e-mail', async ({ page }) => {
  await byCustomer(page).fill(`${aName()}@example.com`)
  await expect(
    page.getByText('No results found. Please try different criteria', { exact: true }),
  ).toBeVisible()
})

test('SEARCH-011 an unknown name', async ({ page }) => {
  await byCustomer(page).fill(aName())
  await expect(page.getByText('No results found. Please try different name.', { exact: true })).toBeVisible()
})

test('SEARCH-012 while a new text is looked for, "Searching" is in sight below the hits of the former one', async ({
  openDesk,
  outside,
  cable,
}) => {
  const name = aName()
  for (let sent = 0; sent < 6; sent++)
    await outside.order('demo', { customer: { first_name: 'Max', last_name: name } })
  const desk = await openDesk('owner@demo.test', { baseURL: cable.url })
  await openOrders(desk)
  await byCustomer(desk).fill(name)
  await expect(desk.getByRole('option')).toHaveCount(6)
  cable.holdAnswers('GET /m/v2/merchant/demo/orders/optimize?')
  await byCustomer(desk).fill(`${name}z`)
  await expect(desk.getByText('Searching', { exact: true })).toBeInViewport({ ratio: 1 })
  cable.mend()
  await expect(desk.getByText('No results found. Please try different name.', { exact: true })).toBeVisible()
  await expect(desk.getByRole('option')).toHaveCount(0)
})

test('SEARCH-008 the results panel is at most 300 px high, and scrolls', async ({ page, outside }) => {
  const name = aName()
  for (let sent = 0; sent < 8; sent++)
    await outside.order('demo', { customer: { first_name: 'Max', last_name: name } })
  await byCustomer(page).fill(name)
  await expect(page.getByRole('option')).toHaveCount(8)
  const panel = page.getByRole('listbox', { name: 'Customer Name results' }).locator('..')
  const { height, scrolls } = await panel.evaluate((box) => ({
    height: box.getBoundingClientRect().height,
    scrolls: box.scrollHeight > box.clientHeight,
  }))
  expect(height).toBeLessThanOrEqual(300)
  expect(scrolls).toBe(true)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('option').last()).toBeInViewport()
  await expect(page.getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
})

test('SEARCH-012 a new search cancels the previous one', async ({ openDesk, outside, cable }) => {
  const name = aName()
  const order = await outside.order('demo', { customer: { first_name: 'Kim', last_name: name } })
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrders(page)
  cable.holdAnswers()
  const first = page.waitForRequest(
    (request) => askedFor(request)?.get('filter[recipient_name]') === 'Nobody At',
  )
  await byCustomer(page).fill('Nobody At')
  const cancelled = page.waitForEvent('requestfailed', (request) => askedFor(request) !== undefined)
  await first
  await byCustomer(page).fill(name)
  expect((await cancelled).failure()?.errorText).toBe('net::ERR_ABORTED')
  cable.mend()
  await expect(page.getByRole('option')).toContainText(`#${order.id}`)
})

test('a search by keyboard: the shortcut, three letters, the arrows, Enter, Escape', async ({
  page,
  outside,
}) => {
  const name = aName()
  const older = await outside.order('demo', { customer: { first_name: 'Ida', last_name: name } })
  await outside.order('demo', { customer: { first_name: 'Ida', last_name: name } })
  await page.keyboard.press('n')
  await expect(byCustomer(page)).toBeFocused()
  await page.keyboard.type('Qu')
  await page.keyboard.press('Escape')
  await expect(byCustomer(page)).not.toBeFocused()
  await page.keyboard.press('/')
  await expect(byNumber(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(name)
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = page.getByRole('option', { selected: true })
  await expect(chosen).toContainText(`#${older.id}`)
  await expect(byCustomer(page)).toHaveAttribute(
    'aria-activedescendant',
    (await chosen.getAttribute('id')) ?? '?',
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `#${older.id}` })).toBeVisible()
})

test('another shop’s orders are not found', async ({ page, outside }) => {
  const name = aName()
  await outside.order('other', { customer: { first_name: 'Ola', last_name: name } })
  await byCustomer(page).fill(name)
  await expect(page.getByText('No results found. Please try different name.', { exact: true })).toBeVisible()
})

test('SEARCH-001 SEARCH-014 Enter opens the only hit, even before its answer arrives, as a scanner presses it', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo')
  await byNumber(page).focus()
  await page.keyboard.type(`#${order.id}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
  const name = aName()
  const other = await outside.order('demo', { customer: { first_name: 'Ida', last_name: name } })
  await openOrders(page)
  await byCustomer(page).fill(name)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `#${other.id}` })).toBeVisible()
})

test('SEARCH-002 SEARCH-003 matches are marked, and a search with more hits than it shows says so', async ({
  page,
  outside,
}) => {
  const name = aName()
  const email = `${name}@example.com`
  for (let sent = 0; sent < 12; sent++)
    await outside.order('demo', { customer: { first_name: 'Åsa', last_name: name, email } })
  await byCustomer(page).fill(`asa ${name.toLowerCase()}`)
  await expect(page.getByRole('option')).toHaveCount(10)
  await expect(page.getByRole('option').first().locator('mark')).toHaveText(`Åsa ${name}`)
  await expect(page.getByText('The newest 10 are shown. Type more to find the one.')).toBeVisible()
  await byCustomer(page).fill(email.toUpperCase())
  await expect(page.getByRole('option').first().locator('mark')).toHaveText(email)
  // Numbers such as 1001000 hold these digits twice, and the search finds them by their beginning.
  await byNumber(page).fill('#100')
  await expect(page.getByRole('option').first().locator('mark')).toHaveText('100')
})
