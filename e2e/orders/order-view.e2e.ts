import type { Page } from '@playwright/test'
import { block, chooseMore, dialog, expect, follow, followToOrder, openOrder, rowOf, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { watchShifts } from '../screens/layout-shift.ts'
import { deliveryBy } from '../../server/test/orders.ts'

const recipient = (page: Page) => block(page, 'Recipient, customer and delivery')
const summary = (page: Page) => block(page, 'Additional info and summary')
const products = (page: Page) => block(page, 'Products')

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

test('VIEW-001 VIEW-002 VIEW-003 VIEW-033 VIEW-034 GEN-015 the three blocks of an order; an address abroad names its country, on the map too', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo', {
    date_submitted: '2026-02-03T01:15:00Z',
    recipient: {
      first_name: 'Éloïse',
      last_name: "O'Hara",
      street_1: '118 Pearl St',
      street_2: 'Apt 4',
      city: 'New York',
      state: 'NY',
      zipcode: '10005',
      phone_number: '+12125550123',
      delivery_instructions: 'Ring twice',
    },
    customer: {
      first_name: 'Tomás',
      last_name: 'Reyes',
      email: 'tomas@example.com',
      last_order: '2025-12-24T18:00:00Z',
    },
    gift_message: { message: 'Happy birthday 🎉' },
    promo_code: 'VINE10',
    order_weight: 3.5,
    transaction: { subtotal: 52, tax: 4.62, delivery_fee: 5, shipping: 1, tip: 3, total: 65.62 },
  })
  const shifted = await watchShifts(page)
  await openOrder(page, order)
  for (const text of [
    "Éloïse O'Hara",
    '118 Pearl St, Apt 4',
    'New York, NY 10005',
    'Ring twice',
    'Tomás Reyes',
  ])
    await expect(recipient(page)).toContainText(text)
  await expect(recipient(page)).toContainText('12.24.2025')
  const phone = recipient(page).getByRole('link', { name: '+1 (212) 555-0123', exact: true })
  await expect(phone).toHaveAttribute('href', 'tel:+12125550123')
  for (const text of ['02.02.2026 8:15 PM', 'Shipping', 'Old Vine', 'Happy birthday 🎉', 'VINE10', '3.5 lb'])
    await expect(summary(page)).toContainText(text)
  for (const [name, amount] of [
    ['Subtotal', '$52.00'],
    ['Tax', '$4.62'],
    ['Delivery fee', '$5.00'],
    ['Shipping', '$1.00'],
    ['Tip', '$3.00'],
    ['Total', '$65.62'],
  ] as const)
    await expect(summary(page)).toContainText(new RegExp(`${name}\\s*\\${amount}`))
  const line = products(page).getByRole('row').nth(1)
  for (const cell of ['CS-0750', '1', '$52.00'])
    await expect(line.getByRole('cell', { name: cell, exact: true }).first()).toBeVisible()
  await expect(line).toContainText('Copper Still Small Batch Bourbon')
  // The other slices' parts are there from the start too.
  await expect(page.getByRole('button', { name: 'Print Packing Slip' })).toBeVisible()
  expect(await shifted()).toBeLessThan(0.02)

  const abroad = await outside.order('demo', {
    recipient: {
      first_name: 'Ana',
      last_name: 'Roy',
      street_1: '1 Quai Street',
      city: 'Montréal',
      state: 'QC',
      zipcode: 'H2Y 1A1',
      country: 'Canada',
    },
  })
  await followToOrder(page, abroad)
  await expect(recipient(page)).toContainText('Montréal, QC H2Y 1A1')
  await expect(recipient(page).getByText('Canada', { exact: true })).toBeVisible()
  await expect(recipient(page).getByRole('img', { name: /^Map of .*Canada$/ })).toBeVisible()
})

test('VIEW-010 VIEW-017 VIEW-024 VIEW-025 GAP-65 a discounted line says so, the sums say where it is taken, the containers are summed, and a picture is fetched in the size of the table', async ({
  page,
  outside,
}) => {
  const item = { name: 'Riesling', price: 20 }
  const order = await outside.order('demo', {
    items: [
      {
        ...item,
        id: 'a',
        quantity: 2,
        subtotal: 40,
        discount: 4,
        product: { id: 'p', container_size: '750 mL' },
        image_spec: '/bottles/pictured/{dims}.svg',
      },
      { ...item, id: 'b', quantity: 1, subtotal: 20, product: { id: 'q', container_size: '1.5 L' } },
      { ...item, id: 'c', quantity: 1, subtotal: 20, product: { id: 'r', container_size: '12 oz' } },
    ],
    transaction: { subtotal: 80, total: 76 },
  })
  const asked = page.waitForRequest((request) => request.url().includes('/bottles/pictured/'))
  await openOrder(page, order)
  expect(new URL((await asked).url()).pathname).toBe('/bottles/pictured/100x100.svg')
  await expect(products(page).getByText('BRAND PROMOTION', { exact: true })).toHaveCount(1)
  await expect(products(page).getByRole('row').nth(1)).toContainText('BRAND PROMOTION')
  await expect(summary(page)).toContainText('3.00 L')
  await expect(summary(page).locator('dl').last()).toHaveText(
    'Subtotal$80.00Tax$0.00Delivery fee$0.00Shipping$0.00Tip$0.00Discount-$4.00Total$76.00',
  )
  const small = await outside.order('demo')
  await followToOrder(page, small)
  await expect(summary(page)).toContainText('750 mL')
})

test('VIEW-020 VIEW-021 VIEW-022 VIEW-023 engravings are below their bottle, grouped by their text', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo', {
    items: [
      { id: 'a', name: 'Rye', quantity: 3, price: 40, subtotal: 120 },
      {
        id: 'b',
        name: 'engraving',
        quantity: 3,
        price: 15,
        subtotal: 45,
        parent_line_item_id: 'a',
        aux_data: { engraving_message: ['To Ana\nWith love', 'To Ana\nWith love', 'To Bo'] },
      },
    ],
    transaction: { subtotal: 165, total: 165 },
  })
  await openOrder(page, order)
  const rows = products(page).getByRole('row')
  await expect(rows).toHaveCount(5)
  const cell = (row: number, name: string) => rows.nth(row).getByRole('cell', { name, exact: true })
  await expect(cell(2, 'Engraving')).toBeVisible()
  for (const figure of ['3', '$15.00', '$45.00']) await expect(cell(2, figure)).toBeVisible()
  await expect(rows.nth(3)).toContainText('Line 1: To Ana')
  await expect(rows.nth(3)).toContainText('Line 2: With love')
  for (const figure of ['2', '$15.00', '$30.00']) await expect(cell(3, figure)).toBeVisible()
  await expect(rows.nth(4)).toContainText('Line 1: To Bo')
  await expect(cell(4, '1')).toBeVisible()
  await expect(cell(4, '$15.00')).toHaveCount(2)
})

const demands = [
  {
    delivery: { method: 'on_demand' },
    text: 'On demand: please deliver within 2 hours of submission.',
  },
  { delivery: { method: 'preorder' }, text: 'Paid in full' },
  {
    delivery: { method: 'deposit' },
    text: 'Deposit order: the balance is charged after acceptance and before delivery.',
  },
  {
    delivery: {
      method: 'scheduled',
      date: '2027-03-09',
      window: ['2027-03-09T19:00:00Z', '2027-03-09T21:30:00Z'],
    },
    text: 'Scheduled delivery: 03.09.2027, 2:00 PM to 4:30 PM',
  },
]

test('VIEW-012 VIEW-013 VIEW-014 VIEW-015 an order shows what its delivery method demands of the shop, before and while it is accepted', async ({
  page,
  outside,
}) => {
  for (const [index, { delivery, text }] of demands.entries()) {
    await (index === 0 ? openOrder : followToOrder)(page, await outside.order('demo', { delivery }))
    await expect(page.getByText(text)).toBeVisible()
    await page.getByRole('button', { name: 'Accept' }).first().click()
    await expect(page.getByRole('dialog').getByText(text)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test.describe('once accepted', () => {
  test('VIEW-016 T16 T17 a presale more than 10 days away can be neither shipped nor delivered, one of 9 days can', async ({
    openDesk,
    outside,
    shop,
    url,
  }) => {
    const { bearer } = await signIn(url, shop.owner)
    const page = await openDesk(shop.owner)
    const presale = (days: number, method = 'preorder') =>
      outside.order(shop.key, {
        delivery: deliveryBy(method),
        courier_estimate_id: 'est-1',
        items: [
          {
            id: 'a',
            name: 'Port 2026',
            quantity: 1,
            price: 30,
            subtotal: 30,
            aux_data: { preorder_available_date: daysFromNow(days) },
          },
        ],
        transaction: { subtotal: 30, total: 30 },
      })
    const [far, near] = [await presale(12), await presale(9)]
    const [farLocal, nearLocal] = [await presale(12, 'scheduled'), await presale(9, 'scheduled')]
    for (const order of [far, near, farLocal, nearLocal])
      await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    const blocked = page.getByText('PRESALE ORDER: NOT READY TO SHIP', { exact: true })
    await openOrder(page, far)
    await expect(blocked).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add Tracking' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Enter tracking details' })).toHaveCount(0)
    await followToOrder(page, near)
    await expect(blocked).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add Tracking' }).first()).toBeVisible()
    const deliver = page.getByRole('button', { name: 'Deliver', exact: true }).first()
    const courier = page.getByRole('button', { name: 'REQUEST PICKUP', exact: true })
    await followToOrder(page, farLocal)
    await expect(blocked).toBeVisible()
    await expect(deliver).toHaveCount(0)
    await expect(courier).toHaveCount(0)
    await followToOrder(page, nearLocal)
    await expect(courier).toBeVisible()
    await expect(deliver).toBeVisible()
    await expect(blocked).toHaveCount(0)
    await follow(page, '/orders/active?sort=desc')
    await expect(rowOf(page, nearLocal).getByRole('button', { name: /^Request Pickup / })).toBeVisible()
    await expect(rowOf(page, farLocal)).toContainText('From ')
    await expect(
      rowOf(page, farLocal).getByRole('button', { name: /^(Request Pickup|Deliver) / }),
    ).toHaveCount(0)
    await chooseMore(page, farLocal, 'Review Order')
    await expect(dialog(page, 'Review Order').getByText('PRESALE ORDER: NOT READY TO SHIP')).toBeVisible()
  })

  test('VIEW-026 VIEW-027 tracking can be entered before shipping, and is a link afterwards', async ({
    page,
    outside,
    url,
  }) => {
    const { bearer } = await signIn(url, 'member@demo.test')
    const order = await outside.order('demo')
    const enter = page.getByRole('button', { name: 'Enter tracking details' })
    await openOrder(page, order)
    await expect(enter).toHaveCount(0)
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await expect(enter).toBeVisible()
    await outside.tell(order, { status: 'PAYMENT_SUBMITTED' })
    await expect(page.getByText('Payment sent', { exact: true })).toBeVisible()
    await expect(enter).toBeVisible()
    await outside.tell(order, { status: 'PAYMENT_APPROVED' })
    await expect(page.getByText('Payment approved', { exact: true })).toBeVisible()
    await expect(enter).toBeVisible()
    await outside.update(bearer, order, {
      status: 'MERCHANT_SHIPPED',
      order: {
        tracking_provider: 'OTHER',
        other_tracking_provider: 'Bike & Co',
        tracking_id: 'B-77',
        tracking_url: 'https://bike.example/b-77',
      },
    })
    await expect(enter).toHaveCount(0)
    const link = recipient(page).getByRole('link', { name: /^B-77/ })
    await expect(link).toHaveAttribute('href', 'https://bike.example/b-77')
    await outside.carrier(order, 'delivered', 'B-77')
    await expect(page.getByText('Delivered by the carrier')).toBeVisible()
    await expect(link).toBeVisible()
  })

  test('DELIV-001 on-demand and scheduled orders are delivered, all others tracked', async ({
    page,
    outside,
    url,
  }) => {
    const { bearer } = await signIn(url, 'member@demo.test')
    for (const [method, wanted, other] of [
      ['on_demand', 'Deliver', 'Add Tracking'],
      ['scheduled', 'Deliver', 'Add Tracking'],
      ['preorder', 'Add Tracking', 'Deliver'],
      ['shipped', 'Add Tracking', 'Deliver'],
    ] as const) {
      const order = await outside.order('demo', { delivery: deliveryBy(method) })
      await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
      await (method === 'on_demand' ? openOrder : followToOrder)(page, order)
      await expect(page.getByRole('button', { name: wanted, exact: true }).first()).toBeVisible()
      await expect(page.getByRole('button', { name: other, exact: true })).toHaveCount(0)
    }
  })
})

test('ENT-007 CONST-003 VIEW-034 another shop sees its orders in its own time zone, as MM.DD.YYYY', async ({
  openDesk,
  outside,
}) => {
  const order = await outside.order('other', { date_submitted: '2026-02-03T01:15:00Z' })
  const page = await openDesk('owner@other.test')
  await openOrder(page, order)
  await expect(summary(page)).toContainText('02.02.2026 5:15 PM')
})
