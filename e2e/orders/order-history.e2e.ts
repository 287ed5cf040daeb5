import { bottles } from './bottles.ts'
import { randomUUID } from 'node:crypto'
import { basic } from '../../server/seed/calls.ts'
import { block, dialog, expect, openOrder, test } from '../desk.ts'
import { signIn } from '../people.ts'

test('VIEW-034 the history shows the author, the shop’s time and the change, for the shop and for the parties outside', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { items: bottles, transaction: { subtotal: 20, total: 20 } })
  const report = { wrongPrice: { 'line-1': { checked: true, price: 12.5 } } }
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, {
    status: 'MERCHANT_SHIPPED',
    order: { tracking_provider: 'UPS', tracking_id: '1Z77' },
  })
  await outside.carrier(order, 'in_transit', '1Z77')
  await openOrder(page, order)
  const history = block(page, 'History').getByRole('listitem')
  await expect(history).toHaveCount(4)
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hour: 'numeric',
    minute: '2-digit',
  })
  for (const [index, words] of [
    ['In transit with the carrier', 'by UPS'],
    ['Tracking saved', 'Accepted → Shipped', 'Tracking code: 1Z77'],
    ['Accepted', 'New → Accepted'],
    ['Order received', 'from Old Vine'],
  ].entries()) {
    for (const text of words) await expect(history.nth(index)).toContainText(text)
    const time = history.nth(index).locator('time')
    const at = (await time.getAttribute('datetime')) ?? ''
    const shown = clock.format(new Date(at)).replaceAll('\u202f', ' ')
    // Since the shop's midnight, the day stands before it.
    await expect(time).toHaveText(new RegExp(`^(\\d\\d\\.\\d\\d\\.\\d{4} )?${shown}$`))
    await expect(time).toHaveAttribute('title', /America\/New_York/)
  }
  await expect(history.first().getByRole('img', { name: 'The carrier' })).toBeVisible()
  const other = await outside.order('demo', { items: bottles, transaction: { subtotal: 20, total: 20 } })
  await outside.update(bearer, other, {
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: JSON.stringify(report) },
  })
  await openOrder(page, other)
  await expect(history.first()).toContainText('Bourbon: Wrong price: $12.50')
})

test('VIEW-005 an order that is over for the shop is read-only, one that is still to be delivered is not', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const finished = page.getByText('This order is finished here: it can be read and printed.')
  const cancelled = await outside.order('demo')
  await outside.tell(cancelled, { status: 'CANCELLED' })
  await openOrder(page, cancelled)
  await expect(finished).toBeVisible()
  const parcel = await outside.order('demo')
  await outside.update(bearer, parcel, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, parcel, {
    status: 'MERCHANT_SHIPPED',
    order: { tracking_provider: 'UPS', tracking_id: '1Z999' },
  })
  await openOrder(page, parcel)
  await expect(page.getByText('The carrier has this order')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Correct Tracking' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit instructions' })).toHaveCount(0)
  const local = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await outside.update(bearer, local, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, local, { status: 'MERCHANT_SHIPPED' })
  await openOrder(page, local)
  await expect(page.getByRole('button', { name: 'Mark Delivered' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit instructions' })).toBeVisible()
  await expect(finished).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('VIEW-005 GAP-96 an order that is out with a courier opens with the courier’s news', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const local = { delivery: { method: 'on_demand' }, courier_estimate_id: 'est-1' }
  const order = await outside.order('demo', local)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    key: randomUUID(),
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
  await outside.call('POST /marketplace/v1/orders/{id}/courier_events', {
    as: basic('marketplace:marketplace'),
    params: { id: order.id },
    key: randomUUID(),
    body: { order_status: 'ORDER_PICKED_UP' },
  })
  await page.goto(`/orders/view/${order.id}`)
  const details = dialog(page, 'Courier Details')
  await expect(details).toContainText('Picked up')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
})

test('the history lists every action, newest first, and the open order follows it live', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo')
  await openOrder(page, order)
  const history = block(page, 'History').getByRole('listitem')
  await expect(history).toHaveCount(1)
  await expect(history.first()).toContainText('Order received')
  await outside.tell(order, { status: 'CANCELLED', comment: 'The customer changed her mind' })
  await expect(history.first()).toContainText('Cancelled')
  await expect(history.first()).toContainText('The customer changed her mind')
  await expect(history).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Reject' })).toHaveCount(0)
})
