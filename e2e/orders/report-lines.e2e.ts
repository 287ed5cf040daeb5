import type { Order } from '@cellarhand/contract/orders'
import { actions, lineOf, next, option, stored, twoBottles, update } from './deciding.ts'
import { chooseMore, dialog, expect, openNewest, openOrder, rowOf, test, toast } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import { dialogTakesKeys } from '../fields.ts'

test.describe('reporting lines', () => {
  test('VIEW-028 VIEW-030 T08 LIST-009 ACT-012 ACT-013 ACT-014 ACT-015 ACT-018 ACT-019 out of stock, with the text that stands there on open', async ({
    openDesk,
    outside,
    ownShop,
  }) => {
    const order = await outside.order(ownShop.key, twoBottles)
    const page = await openDesk(ownShop.owner)
    await openOrder(page, order)
    await expect(page.getByRole('columnheader', { name: 'Options' })).toBeVisible()
    await option(page, 'Rye', 'Out of stock').click()
    const stock = dialog(page, 'Out of Stock')
    const soon = stock.getByRole('radio', {
      name: 'Available soon from the distributor (will be obtained and shipped within 4 days)',
    })
    await expect(soon).toBeChecked()
    await expect(
      stock.getByRole('radio', { name: 'Not available (item will be removed from the order)' }),
    ).toBeVisible()
    await expect(stock.getByLabel('When')).toHaveValue('within 48 hrs')
    await expect(stock.getByRole('button', { name: 'CLOSE', exact: true })).toBeVisible()
    await update(stock).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`/orders/view/${order.id}$`))
    await expect(lineOf(page, 'Rye').first()).toContainText('Out of stock: within 48 hrs')
    await expect(page.getByText('On hold', { exact: true }).last()).toBeVisible()
    await expect(option(page, 'Rye', 'Out of stock')).toHaveCount(0)
    // The button that opened the dialog is gone.
    await expect(option(page, 'Rye', 'Wrong Price')).toBeFocused()
    const { status, rejection_message } = await stored(outside, order)
    expect(status).toBe('REJECTED_PARTIAL')
    expect(JSON.parse(rejection_message ?? '')).toEqual({
      outOfStock: { 'p-Rye': { checked: true, reason: 'within 48 hrs' } },
    })

    await option(page, 'Gin', 'Out of stock').click()
    await stock.getByRole('radio', { name: /^Not available/ }).check()
    await expect(stock.getByLabel('When')).toHaveCount(0)
    await update(stock).click()
    await expect(lineOf(page, 'Gin').first()).toContainText('Out of stock: Not available')
    expect(
      Object.keys(JSON.parse((await stored(outside, order)).rejection_message ?? '').outOfStock),
    ).toEqual(['p-Rye', 'p-Gin'])
    await page.reload()
    await expect(lineOf(page, 'Rye').first()).toContainText('Out of stock')
    for (const line of ['Rye', 'Gin']) {
      await expect(option(page, line, 'Out of stock')).toHaveCount(0)
      await expect(option(page, line, 'Wrong Price')).toBeEnabled()
    }
    await page.goto('/orders/on-hold')
    await expect(rowOf(page, order)).toContainText('Out of stock: Rye, within 48 hrs; Out of stock: Gin')
  })

  test('ACT-016 ACT-017 ACT-020 ACT-021 GEN-011 the right price is the number after the $, and must be above 0', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo', twoBottles)
    await openOrder(page, order)
    await option(page, 'Gin', 'Wrong Price').click()
    const wrong = dialog(page, 'Wrong Price')
    const price = wrong.getByLabel('Right price of one')
    await expect(wrong.getByText('$', { exact: true })).toBeVisible()
    await expect(wrong.getByRole('button', { name: 'CLOSE', exact: true })).toBeVisible()
    await dialogTakesKeys(page)
    for (const bad of ['', '0', '0.00', '-3', 'twelve', '1.234']) {
      await price.fill(bad)
      await update(wrong).click()
      await expect(wrong.getByText('Please enter a price above 0')).toBeVisible()
      await expect(price).toBeFocused()
      await expect(price).toHaveValue(bad)
    }
    await price.fill('$1,012.50')
    await expect(wrong.getByText('Please enter a price above 0')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(lineOf(page, 'Gin').first()).toContainText('Wrong price: $1,012.50')
    const { rejection_message, transaction } = await stored(outside, order)
    expect(JSON.parse(rejection_message ?? '')).toEqual({
      wrongPrice: { 'p-Gin': { checked: true, price: 1012.5 } },
    })
    expect(transaction.total).toBe(40)
  })

  test('a chosen but unsent line says so, keeps its text, and can be withdrawn', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo', twoBottles)
    await openOrder(page, order)
    await option(page, 'Gin', 'Wrong Price').click()
    await dialog(page, 'Wrong Price').getByLabel('Right price of one').fill('12')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(option(page, 'Gin', 'Wrong Price')).toBeFocused()
    await expect(lineOf(page, 'Gin')).toContainText('Not sent yet')
    await option(page, 'Gin', 'Wrong Price').click()
    await expect(dialog(page, 'Wrong Price').getByLabel('Right price of one')).toHaveValue('12')
    await page.keyboard.press('Escape')
    await lineOf(page, 'Gin').getByRole('button', { name: 'Undo wrong price' }).click()
    await expect(page.locator(':focus')).toHaveCount(1)
    await expect(lineOf(page, 'Gin')).not.toContainText('Not sent yet')
    expect((await stored(outside, order)).status).toBe('SUBMITTED')
  })
})

test('ACT-022 a report that cannot be sent says so and loses nothing', async ({
  openDesk,
  outside,
  cable,
  url,
}) => {
  const order = await outside.order('demo', twoBottles)
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrder(page, order)
  await option(page, 'Rye', 'Out of stock').click()
  const stock = dialog(page, 'Out of Stock')
  await stock.getByLabel('When').fill('on Tuesday')
  cable.cut()
  await update(stock).click()
  await expect(toast(page, 'There was an error trying to update your order.')).toBeVisible()
  await expect(stock.getByLabel('When')).toHaveValue('on Tuesday')
  cable.mend()
  await update(stock).click()
  await expect(lineOf(page, 'Rye').first()).toContainText('Out of stock: on Tuesday')
  expect(await actions(outside, url, order)).toEqual(['report_items', 'submit'])
})

test.describe('a part of a line', () => {
  test('ACT-018 GAP-101 a part of a line is counted by buttons, arrow keys or typing, and a second part adds up', async ({
    page,
    outside,
  }) => {
    const gin = {
      id: 'line-gin',
      name: 'Gin',
      product: { id: 'p-Gin' },
      quantity: 6,
      price: 10,
      subtotal: 60,
    }
    const order = await outside.order('demo', { items: [gin], transaction: { subtotal: 60, total: 60 } })
    await openOrder(page, order)
    await option(page, 'Gin', 'Out of stock').click()
    const stock = dialog(page, 'Out of Stock')
    const there = stock.getByRole('spinbutton', { name: 'How many are there?' })
    await expect(there).toHaveValue('0')
    await expect(stock.getByRole('button', { name: 'One less' })).toBeDisabled()
    await dialogTakesKeys(page)
    await stock.getByRole('button', { name: 'One more' }).click()
    await there.press('ArrowUp')
    await expect(there).toHaveValue('2')
    await expect(stock.getByText('Can the other 4 still be had?')).toBeVisible()
    await there.fill('9')
    await expect(there).toHaveValue('5')
    await there.press('ArrowDown')
    await expect(there).toHaveValue('4')
    await update(stock).click()
    await expect(lineOf(page, 'Gin').first()).toContainText('Out of stock: 2 of 6, within 48 hrs')
    await option(page, 'Gin', 'Out of stock').click()
    await expect(stock.getByText('of 4; 2 of 6 are reported')).toBeVisible()
    await dialogTakesKeys(page)
    await there.fill('1')
    await there.press('Enter')
    await expect(lineOf(page, 'Gin').first()).toContainText('Out of stock: 5 of 6, within 48 hrs')
    const { shortage } = await stored(outside, order)
    expect(shortage?.lines).toEqual([{ line_id: 'line-gin', name: 'Gin', quantity: 6, missing: 5 }])
  })
})

type Listed =
  | 'PAYMENT_DECLINED'
  | 'CANCELLED'
  | 'MERCHANT_REJECTED'
  | 'DISPUTED'
  | 'REFUNDED'
  | 'MERCHANT_ACCEPTED'

/** Brings an order to that status through the calls of its real parties. */
async function orderWith(outside: Outside, url: string, status: Listed): Promise<Order> {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo')
  const reject = { params: { tmk: 'demo', id: order.id }, body: { reason: { code: 'bad_weather' as const } } }
  if (status === 'MERCHANT_REJECTED')
    return outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', { as: bearer, ...reject })
  if (status === 'REFUNDED') await outside.tell(order, { status: 'CANCELLED' })
  else if (status !== 'CANCELLED') await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  if (status === 'MERCHANT_ACCEPTED') return order
  const tracking = { tracking_provider: 'UPS', tracking_id: '1Z9' }
  if (status === 'DISPUTED')
    await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED', order: tracking })
  return outside.tell(order, { status })
}

test.describe('the Options column', () => {
  for (const [status, isEnabled] of [
    ['PAYMENT_DECLINED', false],
    ['CANCELLED', false],
    ['MERCHANT_REJECTED', false],
    ['DISPUTED', false],
    ['REFUNDED', false],
    ['MERCHANT_ACCEPTED', undefined],
  ] as const) {
    test(`VIEW-028 the Options of an order in ${status}`, async ({ page, outside, url }) => {
      const order = await orderWith(outside, url, status)
      await openOrder(page, order)
      await expect(page.getByRole('columnheader', { name: 'Product', exact: true })).toBeVisible()
      await expect(page.getByRole('columnheader', { name: 'Options' })).toHaveCount(
        isEnabled === undefined ? 0 : 1,
      )
      if (isEnabled === false)
        for (const label of ['Out of stock', 'Wrong Price'])
          await expect(page.getByRole('button', { name: label, exact: true })).toBeDisabled()
    })
  }
})

test.describe('reviewing', () => {
  test('ROUTE-017 GAP-99 GAP-100 an order is reviewed over its row, line by line, and the last line leads to the order', async ({
    openDesk,
    outside,
    shop,
  }) => {
    const order = await outside.order(shop.key, twoBottles)
    const page = await openDesk(shop.owner)
    await openNewest(page)
    await chooseMore(page, order, 'Review Order')
    const review = dialog(page, 'Review Order')
    for (const title of ['Recipient, customer and delivery', 'Additional info and summary', 'Products'])
      await expect(review.getByRole('heading', { name: title })).toBeVisible()
    for (const name of ['ACCEPT', 'REJECT'])
      await expect(review.getByRole('button', { name, exact: true })).toBeVisible()
    await option(review, 'Rye', 'Out of stock').click()
    await expect(dialog(page, 'Out of Stock')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(lineOf(review, 'Rye').first()).toContainText('Not sent yet')
    await expect(review.getByText(`Order #${order.id}`)).toBeFocused()
    await option(review, 'Gin', 'Wrong Price').click()
    const price = dialog(page, 'Wrong Price').getByLabel('Right price of one')
    await price.fill('18')
    await update(dialog(page, 'Wrong Price')).click()
    await expect(review).toBeVisible()
    await expect(lineOf(review, 'Gin').first()).toContainText('Wrong price: $18.00')
    await expect(page).toHaveURL(/\/orders\/active/)
    await expect(review.getByText(`Order #${order.id}`)).toBeFocused()
    await option(review, 'Rye', 'Out of stock').click()
    await update(dialog(page, 'Out of Stock')).click()
    await expect(page).toHaveURL(new RegExp(`/orders/view/${order.id}$`))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(Object.keys(JSON.parse((await stored(outside, order)).rejection_message ?? ''))).toEqual([
      'wrongPrice',
      'outOfStock',
    ])
  })

  test('VIEW-029 from Accept & Confirm the review has no Options, and ACCEPT accepts', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo', twoBottles)
    await openOrder(page, order)
    await next(page, 'Accept').click()
    await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'Review Order', exact: true }).click()
    const review = dialog(page, 'Review Order')
    await expect(review.getByRole('columnheader', { name: 'Product', exact: true })).toBeVisible()
    await expect(review.getByRole('columnheader', { name: 'Options' })).toHaveCount(0)
    await review.getByRole('button', { name: 'ACCEPT', exact: true }).click()
    await expect(page.getByText('Accepted by Marguerite Okafor')).toBeVisible()
  })
})
