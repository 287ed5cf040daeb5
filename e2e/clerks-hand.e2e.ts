import type { Locator, Page } from '@playwright/test'
import { openDatabase } from './database.ts'
import {
  chooseMore,
  dialog,
  expect,
  follow,
  followToOrder,
  openOrder,
  openOrders,
  rowOf,
  test,
} from './desk.ts'
import { resize } from './page-time.ts'
import { signIn } from './people.ts'
import { openShop } from './shop.ts'
import { selectionBar } from './orders/selection.ts'
import { dialogTakesKeys, emptyInDialog } from './fields.ts'

const longName = { first_name: 'Konstantinos', last_name: 'Papadimitriou-Whitfield' }
const cardOf = (page: Page, { id }: { id: string }): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: `#${id}`, exact: true }) })

/** The part of it that is on the screen and not cut off by the elements around it, in pixels to the left and right. */
async function hiddenBy(part: Locator): Promise<number> {
  await part.scrollIntoViewIfNeeded()
  return part.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect()
    const frame = element.closest('[data-scroll-restoration-id], article') ?? document.body
    const box = frame.getBoundingClientRect()
    return Math.max(
      0,
      Math.ceil(Math.max(box.left, 0) - left),
      Math.ceil(right - Math.min(box.right, innerWidth)),
    )
  })
}

test('LIST-014 Accept, Print and Total are on the screen at every width from 320 to 1920, nothing scrolls sideways, and a selection leaves the list where it is', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const order = await outside.order(shop.key, {
    recipient: {
      ...longName,
      street_1: '1 Long Street',
      city: 'Los Angeles',
      state: 'CA',
      zipcode: '90012',
      phone_number: '2135550123',
    },
    delivery: { method: 'on_demand' },
    items: [{ id: 'a', name: 'Rye', quantity: 1, price: 12_345, subtotal: 12_345 }],
    transaction: { subtotal: 12_345, total: 12_345 },
  })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  for (const width of [
    320, 390, 480, 781, 834, 960, 1020, 1024, 1100, 1101, 1150, 1180, 1280, 1380, 1440, 1920,
  ]) {
    await resize(page, { width, height: 900 })
    const place = width > 780 ? rowOf(page, order) : cardOf(page, order)
    const parts = [
      place.getByRole('button', { name: `Accept #${order.id}` }),
      place.getByRole('button', { name: `More for #${order.id}` }),
      place.getByText('$12,345.00'),
      place.getByText('On Demand'),
      place.getByText(/left$/),
    ]
    for (const part of parts) expect([width, await hiddenBy(part)]).toEqual([width, 0])
    const sideways = await page.evaluate(() => {
      const box = document.querySelector('[data-scroll-restoration-id]') ?? document.documentElement
      return box.scrollWidth - box.clientWidth
    })
    expect([width, sideways]).toEqual([width, 0])
    if (width > 1100) continue
    for (const part of parts.slice(0, 2)) {
      const { width: wide, height } = (await part.boundingBox()) ?? { width: 0, height: 0 }
      expect([width, Math.min(wide, height) >= 44]).toEqual([width, true])
    }
  }

  // The bar of a selection takes the place of the filters.
  const top = async () => (await rowOf(page, order).boundingBox())?.y
  for (const width of [1440, 1024]) {
    await resize(page, { width, height: 900 })
    await expect(selectionBar(page)).toHaveCount(0)
    const before = await top()
    await page.getByRole('checkbox', { name: `Select #${order.id}` }).click()
    await expect(selectionBar(page)).toBeVisible()
    expect([width, await top()]).toEqual([width, before])
    await page.getByRole('checkbox', { name: `Select #${order.id}` }).click()
  }
})

test('LIST-013 a total of hundreds of thousands stands whole in its column, and so does the number, on every tab and at every width', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const dear = {
    items: [{ id: 'a', name: 'Rye', quantity: 144, price: 1_899.99, subtotal: 273_598.56 }],
    transaction: { subtotal: 273_598.56, total: 273_598.56 },
  }
  const orders = [await outside.order(shop.key, dear), await outside.order(shop.key, dear)] as const
  await outside.tell(orders[1], { status: 'CANCELLED' })
  const page = await openDesk(shop.owner)
  await openOrders(page)
  for (const [tab, order] of [
    ['active', orders[0]],
    ['cancelled', orders[1]],
  ] as const) {
    await follow(page, `/orders/${tab}`)
    const row = rowOf(page, order)
    const facts = [row.getByText('$273,598.56'), row.getByRole('link', { name: `#${order.id}` })]
    for (const width of [1440, 1381, 1280, 1205, 1180, 1024, 834, 781]) {
      await page.setViewportSize({ width, height: 900 })
      for (const fact of facts) {
        await expect(fact).toBeVisible()
        const beyond = () =>
          fact.evaluate((element) => {
            const text = document.createRange()
            text.selectNodeContents(element)
            const cell = element.closest('td') ?? element
            const { paddingLeft, paddingRight } = getComputedStyle(cell)
            const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
            return Math.max(0, Math.ceil(text.getBoundingClientRect().width - room))
          })
        // The columns fold a moment after the window has its new size.
        await expect.poll(beyond, { message: `${tab} ${width}` }).toBe(0)
      }
    }
  }
})

test('LIST-025 the bar of a selection follows the last tick in tab order, has a key, and a and p act on the selection', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const orders = [await outside.order(shop.key), await outside.order(shop.key), await outside.order(shop.key)]
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await expect(rowOf(page, orders[0] ?? { id: '' })).toBeVisible()
  const accept = selectionBar(page).getByRole('button', { name: 'Accept 2' })
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(accept).toBeVisible()
  // The focus follows a moment after the mark.
  const tickedName = `#${orders[1]?.id}`
  await expect(page.getByRole('link', { name: tickedName, exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(accept).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('link', { name: tickedName, exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(accept).toBeFocused()
  const bar = selectionBar(page)
  for (let left = await bar.getByRole('button').count(); left > 0; left--) await page.keyboard.press('Tab')
  // On from there: the buttons of the row that was ticked last.
  await expect(page.getByRole('button', { name: `Accept ${tickedName}` })).toBeFocused()

  await page.keyboard.press('b')
  await expect(accept).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByRole('dialog', { name: 'Packing Slips' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'CLOSE', exact: true }).click()
  await page.keyboard.press('a')
  await expect(dialog(page, 'Accept Orders')).toBeVisible()
  await expect(dialog(page, 'Accept Orders')).toContainText('2')
  await dialogTakesKeys(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 orders were accepted.')).toBeVisible()
})

test('a cancellation among 206 unnoticed alarms is named and counted by itself, and on a phone the sound can be muted meanwhile', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const database = await openDatabase(dataDir)
  await database.query(
    `insert into order_alarms (merchant_id, order_id, kind, raised_at)
     select $1, n::text, 'new', now() - (500 - n) * interval '1 s' from generate_series(1, 205) n`,
    [shop.key],
  )
  await database.end()
  const order = await outside.order(shop.key)
  await outside.tell(order, { status: 'CANCELLED', comment: 'No longer wanted' })
  const page = await openDesk(shop.owner, { viewport: { width: 320, height: 640 } })
  await openOrders(page)
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('link', { name: `#${order.id} cancelled`, exact: true })).toBeInViewport()
  await expect(banner.getByRole('link', { name: '205 not seen yet', exact: true })).toBeInViewport()
  await banner.getByRole('button', { name: /^Order alarm: / }).click()
  await page.getByRole('button', { name: 'Turn on and test' }).click()
  await page.getByRole('button', { name: '15 minutes' }).click()
  await expect(page.getByText(/^Muted until/)).toBeVisible()
})

test('an order says until when it is to be delivered or shipped, and never that it is to be accepted by then', async ({
  page,
  outside,
}) => {
  const local = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await openOrder(page, local)
  const road = page.getByRole('list', { name: 'Progress' })
  await expect(road).toContainText(/Deliver by .*\d{1,2}:\d\d [AP]M, check ID/)
  await expect(road).not.toContainText('Accept by')
  await followToOrder(page, await outside.order('demo'))
  await expect(road).toContainText(/Ship by .*\d{1,2}:\d\d [AP]M/)
  await expect(road).not.toContainText('Accept by')
})

test('with a courier on the way the first button follows the courier, and a second delivery is warned of', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await openOrder(page, order)
  const primary = (name: string) => page.locator('main').getByRole('button', { name, exact: true }).first()
  await expect(primary('Request Pickup')).toBeVisible()
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
  await expect(primary('Follow Courier')).toBeVisible()
  await primary('Deliver').click()
  const deliver = dialog(page, 'Deliver Order')
  await expect(deliver).toContainText('A courier has this delivery.')
  await expect(deliver.getByRole('button', { name: 'FOLLOW COURIER' })).toBeFocused()
  await expect(deliver.getByRole('button', { name: 'MARK DELIVERED' })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Courier Details')).toBeVisible()
})

test('ACT-002 of 25 lines ACCEPT and REJECT are in sight, on a wide screen and on a phone', async ({
  page,
  outside,
}) => {
  const items = Array.from({ length: 25 }, (_, n) => ({
    id: `line-${n}`,
    name: `A bottle with a rather long name, number ${n}, of the best that the cellar has`,
    quantity: 1,
    price: 10,
    subtotal: 10,
  }))
  const order = await outside.order('demo', { items, transaction: { subtotal: 250, total: 250 } })
  await openOrder(page, order)
  const accept = dialog(page, 'Accept & Confirm')
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await resize(page, size)
    await page.keyboard.press('a')
    for (const name of ['ACCEPT', 'REJECT', 'Review Order'])
      await expect(accept.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
    await accept.getByText('number 24').scrollIntoViewIfNeeded()
    await expect(accept.getByRole('button', { name: 'ACCEPT', exact: true })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('LIST-014 a phone has Review and CSV on each card, and price and SKU beside each product', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const shop = await openShop(dataDir)
  const order = await outside.order(shop.key, {
    items: [
      {
        id: 'a',
        name: 'Rye',
        quantity: 3,
        price: 20,
        subtotal: 60,
        offering: { id: 'o-1', merchant_sku: 'RYE-0750', stock_behaviour: null },
      },
    ],
    transaction: { subtotal: 60, total: 60 },
  })
  const page = await openDesk(shop.owner, { viewport: { width: 320, height: 640 }, hasTouch: true })
  await openOrders(page)
  const [file] = await Promise.all([page.waitForEvent('download'), chooseMore(page, order, 'Download CSV')])
  expect(file.suggestedFilename()).toBe(`order-${order.id}.csv`)
  await chooseMore(page, order, 'Review Order')
  await expect(page.getByRole('dialog')).toContainText('Rye')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await followToOrder(page, order)
  await expect(page.getByText('$20.00 each · RYE-0750')).toBeVisible()
  for (const name of ['Out of stock', 'Wrong Price', 'Accept', 'Reject'])
    expect((await page.getByRole('button', { name }).last().boundingBox())?.height).toBeGreaterThanOrEqual(44)
})

test('the icons that the page gives its tab are there, the one of the alarm too', async ({ request }) => {
  for (const icon of ['/favicon.svg', '/favicon-alarm.svg']) {
    const reply = await request.get(icon)
    expect([icon, reply.status(), reply.headers()['content-type']]).toEqual([icon, 200, 'image/svg+xml'])
  }
})

test('in a field in error the hint keeps its colour, so that it does not read like an entry', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  for (const status of ['MERCHANT_ACCEPTED', 'MERCHANT_SHIPPED'])
    await outside.update(bearer, order, { status })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Mark Delivered' }).first().click()
  const date = page.getByLabel('Delivery date')
  const hint = () =>
    date.evaluate((field) => [getComputedStyle(field, '::placeholder').color, getComputedStyle(field).color])
  await expect(date).toHaveValue(/\d/)
  const before = await hint()
  await emptyInDialog(date)
  await page.getByRole('button', { name: 'MARK DELIVERED', exact: true }).click()
  await expect(date).toHaveAttribute('aria-invalid', 'true')
  expect(await hint()).toEqual(before)
})

test('a parcel’s first button buys the label, its price stands there before PRINT, and a refused address is corrected from where it was refused', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', {
    recipient: {
      first_name: 'Dee',
      last_name: 'Nakamura',
      street_1: '0 Nowhere Street',
      city: 'Albany',
      state: 'NY',
      zipcode: '12207',
      phone_number: '+12125550123',
    },
    order_weight: 4,
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Buy Label', exact: true }).first().click()
  const label = dialog(page, 'Create Shipping Label')
  await expect(label.getByRole('status').getByText(/^No price: /)).toBeVisible()
  await label.getByRole('button', { name: 'PRINT', exact: true }).click()
  await expect(label.getByRole('alert')).toBeVisible()
  await label.getByRole('button', { name: 'Correct Address' }).click()
  const address = dialog(page, 'Correct Address')
  await expect(address.getByLabel('Street')).toHaveValue('0 Nowhere Street')
  await address.getByLabel('Street').fill('7 Real Street')
  await address.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('The address was corrected.')).toBeVisible()
  // The label is asked for again, with its price.
  await expect(label.getByRole('status').getByText(/^\w+ Ground: \$\d+\.\d\d$/)).toBeVisible()
  await label.getByRole('button', { name: 'CLOSE', exact: true }).click()
  // The next clerk reads what happened.
  await expect(page.getByText('Shipping label not bought')).toBeVisible()
  await expect(page.getByText('Address corrected', { exact: true })).toBeVisible()
})

test('a failure that a second try has mended leaves the screen, and the success is said', async ({
  openDesk,
  outside,
  url,
  cable,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo')
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk('owner@demo.test', { baseURL: cable.url })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Add Tracking', exact: true }).first().click()
  const tracking = dialog(page, 'Tracking Information')
  await tracking.getByText('UPS', { exact: true }).last().click()
  await tracking.getByLabel('Tracking number').fill('1Z999AA10123456784')
  await page.context().setOffline(true)
  await tracking.getByRole('button', { name: 'SAVE', exact: true }).click()
  const failed = page.getByText('Something went wrong, tracking details weren', { exact: false })
  await expect(failed).toBeVisible()
  await page.context().setOffline(false)
  await tracking.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('Tracking was saved.')).toBeVisible()
  await expect(failed).toHaveCount(0)
})
