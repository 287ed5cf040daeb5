import type { Page } from '@playwright/test'
import type { Order } from '@cellarhand/contract/orders'
import { floodMerchant } from '../../bench/rig/many-orders.ts'
import { openDatabase } from '../database.ts'
import { toast, expect, openOrder, openOrders, test } from '../desk.ts'
import { typeAsScanner } from '../fields.ts'
import { anItem } from '../../server/test/orders.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import type { Shop } from '../shop.ts'

async function scan(page: Page, code: string): Promise<void> {
  await typeAsScanner(page, `${code}\n`)
}

test('a scan of the slip opens its order from every page: one that came back from the door asks for the rejection first', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    body: { reason: 'no_valid_id', method: 'other_id', checked_by: 'Sam' },
  })
  const other = await outside.order('demo')
  await page.goto('/inventory')
  await expect(async () => {
    // A page that has just been opened does not hear scans yet, or hears the end of one.
    await scan(page, '++++++++++')
    await expect(toast(page, /^This is not the code of a packing slip/)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page).toHaveURL(`${url}/inventory`)
  await scan(page, '36000291452')
  await expect(page).toHaveURL(`${url}/inventory`)
  await scan(page, order.id)
  await expect(page).toHaveURL(`${url}/orders/view/${order.id}`)
  await expect(page.getByRole('button', { name: 'Reject', exact: true })).toHaveAttribute(
    'data-look',
    'primary',
  )
  // Where the page has a search, the scan goes there, and the only hit opens.
  await scan(page, other.id)
  await expect(page).toHaveURL(`${url}/orders/view/${other.id}`)
})

test('the short code of a bottle leaves no page, unless an order has that number', async ({
  openDesk,
  outside,
  ownShop,
  url,
  dataDir,
}) => {
  const page = await openDesk(ownShop.owner)
  const refused = toast(page, /^This is not the code of a packing slip/)
  await page.goto('/inventory')
  await expect(async () => {
    // A page that has just been opened does not hear scans yet.
    await scan(page, '++++++++++')
    await expect(refused).toBeVisible({ timeout: 1_000 })
  }).toPass()
  // An EAN-8 and a UPC-E.
  for (const code of ['96385074', '04252614']) {
    await scan(page, code)
    await expect(refused).toBeVisible()
    await expect(page).toHaveURL(`${url}/inventory`)
  }
  const id = await orderWithEanEight(outside, dataDir, ownShop)
  await scan(page, id)
  await expect(page).toHaveURL(`${url}/orders/view/${id}`)
})

test('the end of a scan that began before the page heard scans opens no other order', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { id } = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/idle-*', async (route) => {
    await held
    await route.continue()
  })
  // The scanner types before the page begins to listen, and the rest in the moment after it.
  await page.addInitScript((digits) => {
    const type = (key: string) => dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }))
    const own = addEventListener.bind(window)
    let early: ReturnType<typeof setInterval> | undefined
    Object.assign(window, {
      beginScan: () => (early = setInterval(type, 20, '9')),
      addEventListener(...given: Parameters<typeof own>) {
        own(...given)
        if (early === undefined || given[0] !== 'keydown' || given[2] !== true) return
        clearInterval(early)
        for (const key of [...digits, 'Enter']) type(key)
      },
    })
  }, id)
  await page.goto('/inventory')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => (window as { beginScan?: () => void }).beginScan?.())
  release()
  const refused = toast(page, /^This is not the code of a packing slip/)
  await expect(async () => {
    await scan(page, '++++++++++')
    await expect(refused).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(page).toHaveURL(`${url}/inventory`)
  await scan(page, id)
  await expect(page).toHaveURL(`${url}/orders/view/${id}`)
})

test('pick mode counts a scan though the page before it has heard those of slips', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const order = await outside.order(ownShop.key)
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  const refused = toast(page, /^This is not the code of a packing slip/)
  await expect(async () => {
    await scan(page, '++++++++++')
    await expect(refused).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.getByRole('button', { name: 'Dismiss message' }).click()
  await page.keyboard.press('w')
  await expect(page.getByRole('heading', { level: 1, name: `Pick #${order.id}` })).toBeVisible()
  await expect(async () => {
    // On a quick machine the page takes this for the end of the scan before it.
    await scan(page, '4006381333931')
    await expect(page.getByRole('alert')).toContainText('No code to compare', { timeout: 1_000 })
  }).toPass()
  // The bottle is pick mode's alone.
  await expect(refused).toHaveCount(0)
})

/** An order whose number of eight digits has its check digit. */
async function orderWithEanEight(outside: Outside, dataDir: string, { key }: Shop): Promise<string> {
  await outside.order(key)
  const number = 23_456_785
  const db = await openDatabase(dataDir)
  await floodMerchant(db, key, { merchantId: key, orders: 1, firstNumber: number - 1 })
  await db.end()
  return String(number)
}

test('in a field a scan is text, and in a dialog it opens nothing', async ({ page, outside, url }) => {
  const [one, two] = [await outside.order('demo'), await outside.order('demo')]
  const isListening = page.waitForResponse((reply) => reply.url().includes('/assets/idle-'))
  await openOrder(page, one)
  await isListening
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog', { name: 'Accept & Confirm' })).toBeVisible()
  await scan(page, two.id)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(`${url}/orders/view/${one.id}`)
  await openOrders(page)
  await page.keyboard.press('n')
  await scan(page, two.id)
  await expect(page.getByLabel('Customer Name')).toHaveValue(two.id)
  await expect(page).toHaveURL(/\/orders\/active/)
})

/** A parcel of three bottles with which the carrier has given up. */
async function broughtBack(outside: Outside, shop: Shop, url: string): Promise<Order> {
  const { bearer } = await signIn(url, shop.owner)
  const order = await outside.order(shop.key, { items: [anItem({ quantity: 3, subtotal: 156 })] })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, {
    status: 'MERCHANT_SHIPPED',
    order: { tracking_provider: 'UPS', tracking_id: '1Z 77' },
  })
  await outside.carrier(order, 'failed', '1Z77')
  return order
}

test('the scan of a parcel that the carrier brought back offers to note its bottles; history, banner and Today have them', async ({
  ownShop,
  openDesk,
  outside,
  url,
}) => {
  const page = await openDesk(ownShop.owner)
  const order = await broughtBack(outside, ownShop, url)
  await page.goto('/inventory')
  await expect(async () => {
    await scan(page, order.id)
    await expect(page).toHaveURL(`${url}/orders/view/${order.id}`, { timeout: 1_000 })
  }).toPass()
  const first = page.getByRole('button', { name: 'Came Back', exact: true })
  await expect(first).toHaveAttribute('data-look', 'primary')
  await first.click()
  const dialog = page.getByRole('dialog', { name: 'Came Back' })
  await expect(dialog.getByRole('button', { name: 'BACK IN THE STORE' })).toBeFocused()
  await dialog.getByLabel('Bottles that are back').fill('2')
  await dialog.getByRole('button', { name: 'BACK IN THE STORE' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/^2 of 3 bottles are back in the shop, noted by /)).toBeVisible()
  await expect(page.getByText('2 of 3 bottles are back in the shop', { exact: true })).toBeVisible()
  await first.click()
  await expect(dialog.getByLabel('Bottles that are back')).toHaveValue('1')
  // A key that comes before the dialog has the focus is for nobody.
  await expect(dialog.getByRole('button', { name: 'BACK IN THE STORE' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^All 3 bottles are back in the shop, noted by /)).toBeVisible()
  // The button is gone, and the keys are not with nothing.
  await expect(first).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveCount(1)
  await page.goto('/today')
  const card = page.getByRole('region', { name: /^Came back/ })
  await expect(card.getByRole('row', { name: new RegExp(`#${order.id} 1 of 3`) })).toBeVisible()
  await expect(card.getByRole('row', { name: new RegExp(`#${order.id} 2 of 3`) })).toBeVisible()
})

test('a note by mistake is undone, and a parcel that came back is sent again under another number', async ({
  ownShop,
  openDesk,
  outside,
  url,
}) => {
  const page = await openDesk(ownShop.owner)
  const order = await broughtBack(outside, ownShop, url)
  await openOrder(page, order)
  const cameBack = page.getByRole('button', { name: 'Came Back', exact: true })
  const noted = page.getByText(/^All 3 bottles are back in the shop, noted by /)
  const note = async () => {
    await cameBack.click()
    await expect(
      page.getByRole('dialog', { name: 'Came Back' }).getByRole('button', { name: 'BACK IN THE STORE' }),
    ).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(noted).toBeVisible()
  }
  await note()
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(noted).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByText('Not back after all')).toBeVisible()
  await note()
  await page.getByRole('button', { name: 'Sent Again' }).click()
  const form = page.getByRole('dialog', { name: 'Sent Again' })
  await expect(form.getByLabel('Tracking number')).toHaveValue('')
  await form.getByLabel('Tracking number').fill('1Z 78')
  await form.getByRole('button', { name: 'SAVE' }).click()
  await expect(form).toHaveCount(0)
  await expect(noted).toHaveCount(0)
  await expect(cameBack).toBeVisible()
  await expect(page.getByRole('button', { name: 'Correct Tracking' })).toBeVisible()
  await outside.carrier(order, 'delivered', '1Z78')
  await expect(page.getByText(/^This order is finished here/)).toBeVisible()
})
