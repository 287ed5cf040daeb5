import type { Page } from '@playwright/test'
import { importInventory } from '../../server/src/inventory/public.ts'
import { anItem } from '../../server/test/orders.ts'
import { asAdmin } from '../database.ts'
import { typeAsScanner } from '../fields.ts'
import { block, dialog, expect, openOrder, test } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import type { Shop } from '../shop.ts'

const stockList = [
  'offering_id,price,quantity,product_name,container_size,shelf',
  'o-bourbon,20,4,Small Batch Bourbon,750 mL,B-14',
].join('\n')

const bottle = (id: string, name: string) =>
  anItem({
    id,
    name,
    product: { id: `p-${id}`, container_size: '750 mL' },
    offering: { id: `o-${id}`, merchant_sku: null, stock_behaviour: null },
  })

interface Setting {
  readonly outside: Outside
  readonly ownShop: Shop
  readonly url: string
}

/** An accepted order, and whether its bourbon is on sale. */
async function accepted({ outside, ownShop, url }: Setting) {
  const { bearer: as } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key, {
    items: [bottle('bourbon', 'Small Batch Bourbon'), bottle('mead', 'Orchard Mead')],
  })
  await outside.update(as, order, { status: 'MERCHANT_ACCEPTED' })
  const isActive = async () => {
    const { items } = await outside.call('GET /c/v2/merchants/{tmk}/offerings', {
      as,
      params: { tmk: ownShop.key },
    })
    return items.find(({ id }) => id === 'o-bourbon')?.is_active
  }
  return { order, isActive }
}

const lacking = (page: Page) => dialog(page, 'Not enough here')
const button = (page: Page, name: string) => lacking(page).getByRole('button', { name, exact: true })

test.beforeEach(({ ownShop, dataDir }) =>
  asAdmin(dataDir, async (db) => {
    await importInventory(db, { merchantKey: ownShop.key, csv: stockList })
  }),
)

test('of an accepted order Not enough here says what is possible, and takes the bottle off sale by the keyboard', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order, isActive } = await accepted({ outside, ownShop, url })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  await page.keyboard.press('w')
  await expect(page.getByRole('heading', { name: 'Small Batch Bourbon' })).toBeVisible()
  await page.getByRole('button', { name: 'Not enough here' }).focus()
  await page.keyboard.press('Enter')
  await expect(lacking(page)).toContainText(
    `#${order.id} is accepted, so a single line cannot be reported any more.`,
  )
  await expect(lacking(page)).toContainText('so that nobody orders it until the next stock list that has it')
  await expect(lacking(page)).toContainText(
    'Call the recipient before you reject the order: +1 (212) 555-0123',
  )
  const call = lacking(page).getByRole('link', { name: '+1 (212) 555-0123' })
  await expect(call).toHaveAttribute('href', 'tel:+12125550123')
  await expect(button(page, 'Reject the order')).toBeVisible()
  expect(await isActive()).toBe(true)

  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(button(page, 'Take off sale')).toBeFocused({ timeout: 200 })
  }).toPass()
  // What follows comes from the answer to the press, and from no other look at the lists.
  const picks = (at: URL): boolean => at.pathname.endsWith('/picks')
  await page.route(picks, (route) => (route.request().method() === 'GET' ? undefined : route.fallback()))
  await page.keyboard.press('Enter')
  await expect(lacking(page).getByRole('status')).toHaveText(
    `Off sale until the next stock list that has it: Small Batch Bourbon, taken down by Ada Marsh for #${order.id}.`,
  )
  // Its button is gone, so the focus is on the next one.
  await expect(button(page, 'Take off sale')).toHaveCount(0)
  await expect(button(page, 'Go on picking')).toBeFocused()
  expect(await isActive()).toBe(false)
  // Opened once more it says so at once.
  await page.keyboard.press('Enter')
  await expect(lacking(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Not enough here' }).click()
  await expect(lacking(page).getByRole('status')).toContainText('taken down by Ada Marsh')
  await expect(button(page, 'Take off sale')).toHaveCount(0)
  await page.unroute(picks)
  await button(page, 'Go on picking').click()
  await openOrder(page, order)
  await expect(block(page, 'History')).toContainText('Bottle taken off sale')
})

test('a scan while the dialog is open presses nothing, wherever the focus is, and counts no bottle', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order, isActive } = await accepted({ outside, ownShop, url })
  const page = await openDesk(ownShop.owner)
  await page.goto(`/pick/${order.id}`)
  await page.getByRole('button', { name: 'Not enough here' }).click()
  await expect(button(page, 'Take off sale')).toBeVisible()
  for (const name of ['Take off sale', 'Go on picking', 'Reject the order']) {
    await button(page, name).focus()
    await typeAsScanner(page, '4006381333931\n')
    await expect(button(page, name)).toBeFocused()
  }
  await expect(button(page, 'Take off sale')).toBeVisible()
  expect(await isActive()).toBe(true)
  // The next scan is the page's again.
  await button(page, 'Go on picking').click()
  await expect(lacking(page)).toHaveCount(0)
  await typeAsScanner(page, '4006381333931\n')
  await expect(page.getByRole('alert')).toContainText('No code to compare')
})

test('a bottle that the stock list lacks has no button, and the rejection of the order is one press away', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order } = await accepted({ outside, ownShop, url })
  const page = await openDesk(ownShop.owner)
  await page.goto(`/pick/${order.id}`)
  await page.getByRole('button', { name: /Orchard Mead/ }).click()
  await page.getByRole('button', { name: 'Not enough here' }).click()
  await expect(lacking(page)).toContainText('The stock list does not have Orchard Mead')
  await expect(button(page, 'Take off sale')).toHaveCount(0)
  await button(page, 'Reject the order').click()
  await expect(dialog(page, 'Reject Order').getByRole('radio', { name: 'Store closed' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true })

  test('each choice is as high as a finger, and a refusal is said beside the button, which stays', async ({
    openDesk,
    cable,
    outside,
    ownShop,
    url,
  }) => {
    const { order, isActive } = await accepted({ outside, ownShop, url })
    const page = await openDesk(ownShop.owner, {
      baseURL: cable.url,
      viewport: { width: 320, height: 640 },
      hasTouch: true,
    })
    await page.goto(`/pick/${order.id}`)
    await page.getByRole('button', { name: 'Not enough here' }).tap()
    const parts = [
      button(page, 'Take off sale'),
      button(page, 'Go on picking'),
      button(page, 'Reject the order'),
      lacking(page).getByRole('link'),
    ]
    for (const part of parts) {
      const { height = 0, x = -1, width = 0 } = (await part.boundingBox()) ?? {}
      expect(height).toBeGreaterThanOrEqual(44)
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(320)
    }
    cable.answerInstead('403 Forbidden', '')
    await button(page, 'Take off sale').tap()
    await expect(lacking(page).getByRole('alert')).toContainText('It was not taken off sale.')
    expect(await isActive()).toBe(true)
    cable.mend()
    await button(page, 'Take off sale').tap()
    await expect(lacking(page).getByRole('status')).toContainText('Off sale until')
    await expect(lacking(page).getByRole('alert')).toHaveCount(0)
    expect(await isActive()).toBe(false)
  })
})
