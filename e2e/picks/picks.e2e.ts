import type { Page } from '@playwright/test'
import { importInventory } from '../../server/src/inventory/public.ts'
import { anItem } from '../../server/test/orders.ts'
import { asAdmin } from '../database.ts'
import { block, dialog, expect, openOrder, openOrders, rowOf, test } from '../desk.ts'
import { signIn } from '../people.ts'

const bourbon = '036000291452'
const rye = '4006381333931'
const stockList = [
  'offering_id,price,quantity,product_name,container_size,merchant_sku,upc,shelf',
  `o-bourbon,20,4,Small Batch Bourbon,750 mL,B-1,${bourbon},B-14`,
  `o-rye,20,4,Small Batch Rye,750 mL,R-1,${rye},C-07`,
  'o-cider,9,4,Orchard Cider,750 mL,C-1,,',
].join('\n')

const bottle = (id: string, name: string, quantity: number) =>
  anItem({
    id,
    name,
    product: { id: `p-${id}`, container_size: '750 mL' },
    offering: { id: `o-${id}`, merchant_sku: null, stock_behaviour: null },
    quantity,
    price: 20,
    subtotal: 20 * quantity,
  })
const twoBourbons = { items: [bottle('bourbon', 'Small Batch Bourbon', 2)] }
const oneCider = { items: [bottle('cider', 'Orchard Cider', 1)] }

/** As a hand scanner does: one key after the other, and Enter. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const walk = (page: Page) => page.getByRole('region', { name: 'The walk, shelf by shelf' })

test.beforeEach(({ ownShop, dataDir }) =>
  asAdmin(dataDir, async (db) => {
    await importInventory(db, { merchantKey: ownShop.key, csv: stockList })
  }),
)

test('a wave by keyboard and scanner: a wrong bottle is named and not counted, one without a code is confirmed by hand', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const one = await outside.order(ownShop.key, twoBourbons)
  const two = await outside.order(ownShop.key, oneCider)
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  for (const order of [one, two]) await rowOf(page, order).getByRole('checkbox').check()
  await page.keyboard.press('w')
  await expect(heading(page, 'Wave · 0 of 3 bottles')).toBeVisible()
  expect(decodeURIComponent(page.url())).toContain(`/pick/${one.id},${two.id}`)
  await expect(page.getByRole('heading', { name: 'Small Batch Bourbon' })).toBeVisible()
  await expect(walk(page).getByRole('listitem').first()).toContainText('B-14')

  await scan(page, rye)
  const refusal = page.getByRole('alert').filter({ hasText: 'Wrong bottle, put it back' })
  await expect(refusal).toContainText('Scanned: Small Batch Rye, 750 mL')
  await expect(refusal.locator('mark')).toHaveText('Rye,')
  await expect(heading(page, 'Wave · 0 of 3 bottles')).toBeVisible()

  await scan(page, bourbon)
  await expect(page.getByRole('heading', { name: 'Right bottle, 1 of 2' })).toBeVisible()
  await expect(refusal).toHaveCount(0)
  // What is picked stays picked.
  await page.reload()
  await expect(heading(page, 'Wave · 1 of 3 bottles')).toBeVisible()
  await scan(page, `00${bourbon}`)
  await expect(page.getByRole('heading', { name: 'Right bottle, 2 of 2' })).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Orchard Cider' })).toBeVisible()
  await scan(page, rye)
  await expect(page.getByRole('alert')).toContainText('No code to compare')
  await page.getByRole('button', { name: 'No code to scan' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is left to pick' })).toBeVisible()
  await expect(walk(page)).toContainText('1 of 1 by hand')

  await page.getByRole('link', { name: `Open #${two.id}` }).click()
  await expect(block(page, 'History')).toContainText('by hand')
})

test('a scan on a lost line counts nothing and says so; an order that is cancelled meanwhile takes no more bottles', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openOrder(page, order)
  await page.keyboard.press('w')
  await expect(heading(page, `Pick #${order.id} · 0 of 2 bottles`)).toBeVisible()
  cable.cut()
  await scan(page, bourbon)
  await expect(page.getByRole('alert').filter({ hasText: 'Not counted' })).toBeVisible()
  cable.mend()
  await scan(page, bourbon)
  await expect(heading(page, `Pick #${order.id} · 1 of 2 bottles`)).toBeVisible()
  await outside.tell(order, { status: 'CANCELLED' })
  await expect(page.getByText(`#${order.id} was cancelled. Put its bottles back.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'No code to scan' })).toHaveCount(0)
})

test('Not enough here reports the line from the shelf, and the offering is taken down', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const order = await outside.order(ownShop.key, twoBourbons)
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Pick', exact: true }).click()
  await expect(heading(page, `Pick #${order.id} · 0 of 2 bottles`)).toBeVisible()
  await page.getByRole('button', { name: 'Not enough here' }).click()
  const stock = dialog(page, 'Out of Stock')
  await stock.getByLabel('How many are there?').fill('1')
  await stock.getByRole('radio', { name: 'not available' }).check()
  await stock.getByRole('button', { name: 'UPDATE ORDER' }).click()
  await expect(page).toHaveURL(new RegExp(`/pick/${order.id}$`))
  await expect(page.getByText(`#${order.id} is on hold`)).toBeVisible()
  const { bearer } = await signIn(url, ownShop.owner)
  const isActive = async () => {
    const { items } = await outside.call('GET /c/v2/merchants/{tmk}/offerings', {
      as: bearer,
      params: { tmk: ownShop.key },
    })
    return items.find(({ id }) => id === 'o-bourbon')?.is_active
  }
  // The page shows the report before the server has answered.
  await expect.poll(isActive).toBe(false)
})
