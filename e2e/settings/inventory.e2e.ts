import fs from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { importInventory } from '../../server/src/inventory/public.ts'
import { asAdmin } from '../database.ts'
import { expect, test } from '../desk.ts'

const noRows = 'No orders for the current search criteria'

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/inventory${query}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Inventory' })).toBeVisible()
  await expect(page.getByText(/^Last Update: /)).toBeVisible()
}

const table = (page: Page) => page.getByRole('table', { name: 'Inventory' })
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link') })
const cells = (page: Page, index: number) => rows(page).nth(index).getByRole('cell')

const importStock = (dataDir: string, merchantKey: string, lines: readonly string[]) =>
  asAdmin(dataDir, (db) => importInventory(db, { merchantKey, csv: lines.join('\n') }))

test('GEN-021 ROUTE-029 SHELL-006 INV-001 INV-002 INV-003 INV-008 INV-009 INV-010 INV-011 INV-012 INV-013 INV-014 STATE-011 the stock list, from the menu', async ({
  page,
}) => {
  await page.goto('/orders/active')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link')).toHaveText(['Orders', 'Inventory', 'Today'])
  const before = Date.now()
  await menu.getByRole('link', { name: 'Inventory' }).click()
  await expect(page).toHaveURL(/\/inventory$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Inventory' })).toBeVisible()

  const line = page.getByText(/^Last Update: \d{2}\/\d{2}\/\d{4} \d{2}:\d{2} [ap]m \(Local time\)$/)
  const said = /Update: (.+) \(/.exec((await line.textContent()) ?? '')?.[1] ?? ''
  expect(Math.abs(Date.parse(said) - before)).toBeLessThan(120_000)

  await expect(table(page).getByRole('columnheader')).toHaveText([
    'Brand',
    'Product Name',
    'Container Size',
    'Price',
    'QTY',
    'Active',
    'Submit Issue',
  ])
  const texts = await cells(page, 0).allTextContents()
  expect(texts[1]).toMatch(/tp-\d+$/)
  expect(texts[2]).toMatch(/\d (mL|L|oz)/)
  expect(texts[3]).toMatch(/^\$\d+\.\d{2}$/)
  const sort = page.getByRole('combobox', { name: 'Sort By' })
  await sort.selectOption('Status')
  await expect(cells(page, 0).nth(5)).toHaveText('Not active')
  const inactive = await cells(page, 0)
    .nth(5)
    .locator('svg')
    .evaluate((mark) => getComputedStyle(mark).color)
  await page.getByRole('searchbox', { name: 'Find' }).fill('a')
  await sort.selectOption('Price')
  const active = rows(page)
    .filter({ hasText: /(?<!Not a|Not )Active/ })
    .first()
  await expect(active.getByRole('cell').nth(5)).toHaveText('Active')
  const highlighted = await active
    .getByRole('cell')
    .nth(5)
    .locator('svg')
    .evaluate((mark) => getComputedStyle(mark).color)
  expect(highlighted).not.toBe(inactive)
})

test('INV-004 INV-005 INV-021 INV-022 INV-019 the filter asks the server, the sort does not; the address holds both', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.endsWith('/offerings')) asked.push(decodeURIComponent(pathname + search))
  })
  await open(page)
  const filter = page.getByRole('combobox', { name: 'Filter By' })
  const sort = page.getByRole('combobox', { name: 'Sort By' })
  await expect(filter.getByRole('option')).toHaveText([
    'Select an option',
    'Selling with Thirstie',
    'All Inventory Items',
  ])
  await expect(sort.getByRole('option')).toHaveText([
    'Product Name',
    'Container Size',
    'Price',
    'Quantity',
    'Brand',
    'TPK',
    'Retailer item Code',
    'Status',
  ])
  expect(asked).toEqual(['/c/v2/merchants/demo/offerings'])

  await sort.selectOption('Price')
  await expect(page).toHaveURL(/\?sort=price$/)
  await expect(async () => {
    const shown = await table(page).locator('tbody td:nth-child(4)').allTextContents()
    const prices = shown.map((text) => Number(text.replaceAll(/[$,]/g, '')))
    expect(prices.length).toBeGreaterThan(5)
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  }).toPass()
  expect(asked).toHaveLength(1)

  const all = Number(await table(page).getAttribute('aria-rowcount'))
  await filter.selectOption('Selling with Thirstie')
  await expect.poll(() => asked).toHaveLength(2)
  expect(asked[1]).toBe('/c/v2/merchants/demo/offerings?filter[selling_with_thirstie]=true')
  await expect.poll(async () => Number(await table(page).getAttribute('aria-rowcount'))).toBeLessThan(all)
  await page.reload()
  await expect(filter).toHaveValue('selling')
  await expect(sort).toHaveValue('price')
})

test('INV-014 INV-015 INV-016 INV-020 a gap, a distributor’s item, and the mail that reports an issue; the CSV has the rows that the page shows, and on a phone they are cards', async ({
  page,
}) => {
  await open(page)
  const find = page.getByRole('searchbox', { name: 'Find' })
  await find.fill('X-9001')
  await expect(table(page).getByRole('cell')).toHaveCount(1)
  await expect(table(page).getByRole('cell')).toContainText(noRows)
  await find.fill('X-9002')
  await expect(table(page).getByText(noRows, { exact: true })).toBeVisible()
  await find.fill('')
  await page.getByRole('combobox', { name: 'Sort By' }).selectOption('Quantity')
  await find.fill('tp-')
  const row = table(page).getByRole('row').filter({ hasText: 'AT DISTRIBUTOR' }).first()
  await expect(async () => {
    await page.getByRole('region', { name: 'Stock list' }).evaluate((box) => box.scrollBy(0, 800))
    await expect(row).toBeVisible({ timeout: 500 })
  }).toPass()
  const quantity = row.getByRole('cell').nth(4)
  await expect(quantity).toHaveText('AT DISTRIBUTOR')
  expect(await quantity.evaluate((cell) => cell.scrollWidth - cell.clientWidth), 'the pill is whole').toBe(0)

  const mail = row.getByRole('link', { name: /^Submit Issue/ })
  const address = new URL((await mail.getAttribute('href')) ?? '')
  const tpk = (await row.getByRole('cell').nth(1).locator('small').textContent()) ?? ''
  expect(address.protocol).toBe('mailto:')
  expect(address.searchParams.get('subject')).toBe(`Inventory issue: Harbor Wine & Spirits - ${tpk}`)
  const body = address.searchParams.get('body') ?? ''
  for (const part of ['Harbor Wine & Spirits', tpk, 'Please describe the issue:', 'Desired outcome:'])
    expect(body).toContain(part)

  const all = (await table(page).getAttribute('aria-rowcount')) ?? ''
  await find.fill('tp-10')
  await expect(table(page)).not.toHaveAttribute('aria-rowcount', all)
  const shown = Number(await table(page).getAttribute('aria-rowcount')) - 1
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('inventory.csv')
  const csv = await fs.readFile(await file.path(), 'utf8')
  const lines = csv.replace('\uFEFF', '').trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    'Brand,Product Name,TPK,Container Size,Price,QTY,Active,Retailer item Code,GTIN,Location,Taken Down',
  )
  expect(lines).toHaveLength(shown + 1)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('table')).toHaveCount(0)
  const card = page.getByRole('list', { name: 'Inventory' }).getByRole('listitem').first()
  await expect(card.getByText(/^\$/)).toBeVisible()
  await expect(card.getByRole('link', { name: /^Submit Issue/ })).toBeVisible()
})

test('INV-017 INV-018 an empty inventory, 5,000 offerings after a refresh, and the spinner meanwhile', async ({
  openDesk,
  shop,
  dataDir,
}) => {
  const page = await openDesk(shop.owner)
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const text = document.body?.textContent ?? ''
      const isLoading = text.includes('Loading the inventory')
      const isDated = text.includes('Last Update:')
      const state = isLoading ? (isDated ? 'both' : 'spinner') : isDated ? 'dated' : ''
      if (state !== '' && seen.at(-1) !== state) seen.push(state)
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await open(page)
  await expect(page.getByText(noRows, { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()

  const stock = Array.from({ length: 5_000 }, (_, index) => {
    const number = String(index).padStart(4, '0')
    return `O-${number},${(index % 97) + 0.99},${index % 30},tp-${number},Wine ${number},Brand ${index % 50},750 mL`
  })
  const head = 'offering_id,price,quantity,product_id,product_name,brand,container_size'
  await importStock(dataDir, shop.key, [head, ...stock])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('5,000 items', { exact: true })).toBeVisible()
  await expect(table(page)).toHaveAttribute('aria-rowcount', '5001')
  // Only rows near the window exist.
  expect(await rows(page).count()).toBeLessThan(80)
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([
    'spinner',
    'dated',
    'spinner',
    'dated',
  ])
  await page.getByRole('region', { name: 'Stock list' }).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect(table(page).getByRole('cell', { name: 'Wine 4999 tp-4999' })).toBeVisible()
})

const oneBottle = [
  'offering_id,price,quantity,product_id,product_name,brand,container_size',
  'O-1,9.99,3,tp-1,Wine 1,Brand,750 mL',
]

test('STATE-010 STATE-012 a refresh drops the rows and their time until the answer comes; an inventory that cannot be loaded says so, and can be tried again', async ({
  openDesk,
  ownShop,
  dataDir,
  cable,
}) => {
  await importStock(dataDir, ownShop.key, oneBottle)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await open(page)
  const bottle = table(page).getByRole('cell', { name: 'Wine 1 tp-1' })
  await expect(bottle).toBeVisible()
  cable.holdAnswers(`GET /c/v2/merchants/${ownShop.key}/offerings`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Loading the inventory')).toBeVisible()
  await expect(page.getByText('Wine 1')).toHaveCount(0)
  await expect(page.getByText(/Last Update/)).toHaveCount(0)
  cable.mend()
  await expect(bottle).toBeVisible()
  await expect(page.getByText(/^Last Update: /)).toBeVisible()

  cable.cut()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('The inventory could not be loaded.')).toBeVisible()
  await expect(page.getByText(/^Last Update: /)).toHaveCount(0)
  cable.mend()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText(/^Last Update: /)).toBeVisible()
})

test('INV-006 INV-007 STATE-013 the list begins ascending by name, and goes by code or by status when asked; strength and kind stand under the size, where the stock list says them', async ({
  openDesk,
  ownShop,
  dataDir,
}) => {
  await importStock(dataDir, ownShop.key, [
    'offering_id,price,quantity,product_id,product_name,brand,container_size,is_active,beverage_class,abv',
    '10,9,1,tp-1,Alsace,Brand,750 mL,yes,,',
    '11,9,1,tp-2,Chablis,Brand,750 mL,no,,',
    '9,9,1,tp-3,Barolo,Brand,750 mL,yes,wine,13.5',
  ])
  const page = await openDesk(ownShop.owner)
  await open(page)
  const sort = page.getByRole('combobox', { name: 'Sort By' })
  const find = page.getByRole('searchbox', { name: 'Find' })
  const names = table(page).locator('tbody td:nth-child(2)')
  await expect(sort).toHaveValue('name')
  await expect(find).toHaveValue('')
  await expect(names).toHaveText([/^Alsace/, /^Barolo/, /^Chablis/])
  await sort.selectOption('Retailer item Code')
  await expect(names).toHaveText([/^Barolo/, /^Alsace/, /^Chablis/])
  await sort.selectOption('Status')
  await expect(names).toHaveText([/^Chablis/, /^Alsace/, /^Barolo/])
  await expect(cells(page, 1).nth(2)).toHaveText('750 mL')
  await find.fill('barolo')
  await expect(names).toHaveText([/^Barolo/])
  await expect(cells(page, 0).nth(2)).toHaveText('750 mLWine, 13.5%')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('listitem').filter({ hasText: 'tp-3' })).toContainText(
    'Brand · 750 mL · Wine, 13.5% · tp-3',
  )
})

test.describe('without a session', () => {
  test.use({ person: null })

  test('ROUTE-030 GAP-33 the server refuses the page’s call, and that leads to the sign-in', async ({
    page,
  }) => {
    const asked = page.waitForResponse(/\/c\/v2\/merchants\/none\/offerings$/)
    await page.goto('/inventory')
    expect((await asked).status()).toBe(401)
    await expect(page).toHaveURL(/\/login$/)
  })
})
