import { randomUUID } from 'node:crypto'
import type { Order } from '@cellarhand/contract/orders'
import type { Page } from '@playwright/test'
import { basic } from '../../server/seed/calls.ts'
import { block, dialog, expect, openOrder, test } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'

const road = (page: Page) => page.getByRole('list', { name: 'Progress' })
const lastStage = (page: Page) => road(page).getByRole('listitem').last()
const newest = (page: Page) => block(page, 'History').getByRole('listitem').first()

async function expectNewest(page: Page, title: string, idCheck: string): Promise<void> {
  await expect(newest(page)).toContainText(`${title} by `)
  await expect(newest(page).getByText(idCheck, { exact: true })).toBeVisible()
}

async function sentOut({ outside, url }: { outside: Outside; url: string }) {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order('demo', {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  return { order: await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' }), bearer }
}

const closed = (order: Order, more: object = {}) => ({
  status: 'CLOSED',
  delivery_info: { delivered_on: order.date_submitted, ...more },
})

test('the dashboard closes an order only with a check, or not at all', async ({ page, outside, url }) => {
  const { order } = await sentOut({ outside, url })
  await openOrder(page, order)
  await expect(lastStage(page)).toHaveText(/^Deliver by (\d+\.\d+ )?\d+:\d\d [AP]M, check ID$/)
  await page.getByRole('button', { name: 'Mark Delivered' }).first().click()
  const deliver = dialog(page, 'Deliver Order')
  await deliver.getByRole('button', { name: 'Now' }).click()
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  const asks = deliver.getByRole('alert')
  await expect(asks).toHaveText(/^A rule asks for an ID check at the door\./)
  await expect(deliver.getByRole('button', { name: "Driver's license" })).toBeFocused()
  await deliver.getByRole('button', { name: 'Military ID' }).click()
  await expect(asks).toHaveCount(0)
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(lastStage(page)).toHaveText(/^Delivered, ID checked \d/)
})

test('the filled form of a hand-over stays when a colleague brings the order back, and sends nothing out again', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key, { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  const [first, second] = [await openDesk(ownShop.owner), await openDesk(ownShop.owner)]
  await openOrder(first, order)
  await first.getByRole('button', { name: 'Mark Delivered' }).first().click()
  const deliver = dialog(first, 'Deliver Order')
  await deliver.getByLabel('Delivered by').fill('Big Dave')
  await deliver.getByRole('button', { name: 'Passport' }).click()

  await openOrder(second, order)
  await second.getByRole('button', { name: 'Mark Delivered' }).first().click()
  const refusing = dialog(second, 'Deliver Order')
  await refusing.getByRole('button', { name: 'NOT HANDED OVER' }).click()
  await refusing.getByRole('button', { name: 'Under 21' }).click()
  await refusing.getByRole('button', { name: 'BRING BACK TO THE STORE' }).click()
  await expect(refusing).toHaveCount(0)

  await expect(deliver.getByText('That is not possible here any more', { exact: false })).toBeVisible()
  await expect(deliver.getByLabel('Delivered by')).toHaveValue('Big Dave')
  const answered = first.waitForResponse(
    (reply) => reply.request().method() === 'POST' && reply.url().endsWith(`/orders/${order.id}/data`),
  )
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  expect((await answered).status()).toBe(409)
  await expect(first.getByRole('status', { name: 'Messages' })).toContainText('was faster')
  await expect(deliver.getByLabel('Delivered by')).toHaveValue('Big Dave')
  const stored = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })
  expect([stored.status, stored.age_check?.reason, stored.delivery_info]).toEqual([
    'MERCHANT_ACCEPTED',
    'under_21',
    null,
  ])
})

test('an order that another program closed without a check says that none is on record', async ({
  page,
  outside,
  url,
}) => {
  const { order, bearer } = await sentOut({ outside, url })
  await outside.update(bearer, order, closed(order))
  await openOrder(page, order)
  await expect(lastStage(page)).toHaveText(/^Delivered, ID check not recorded \d/)
  await expectNewest(page, 'Delivered', 'ID check not recorded')
  await expect(block(page, 'Recipient, customer and delivery')).toContainText('ID check not recorded')
  await expect(page.getByText('ID checked')).toHaveCount(0)
})

test('a passed check shows with the kind of ID', async ({ page, outside, url }) => {
  const { order, bearer } = await sentOut({ outside, url })
  await outside.update(
    bearer,
    order,
    closed(order, { age_check: { method: 'passport' }, delivered_by: 'Sam' }),
  )
  await openOrder(page, order)
  await expect(lastStage(page)).toHaveText(/^Delivered, ID checked \d/)
  await expectNewest(page, 'Delivered', 'ID checked')
  await expect(block(page, 'Recipient, customer and delivery')).toContainText('ID checked, Passport')
})

test('a refusal at the door shows when the order is back, and is no check of the next delivery', async ({
  page,
  outside,
  url,
}) => {
  const { order, bearer } = await sentOut({ outside, url })
  const params = { tmk: 'demo', id: order.id }
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
    as: bearer,
    params,
    key: randomUUID(),
    body: { reason: 'no_valid_id', method: 'other_id', checked_by: 'Sam' },
  })
  await openOrder(page, order)
  await expect(lastStage(page)).toHaveText(
    /^Deliver by (\d+\.\d+ )?\d+:\d\d [AP]M, check ID \(ID refused before\)$/,
  )
  await expectNewest(page, 'Brought back', 'ID refused')
  await expect(newest(page)).toContainText('ID shown: Other ID')
  await expect(block(page, 'Recipient, customer and delivery')).toContainText('ID refused, Other ID')
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  await outside.update(bearer, order, closed(order))
  await openOrder(page, order)
  await expect(lastStage(page)).toHaveText(/^Delivered, ID check not recorded \d/)
  await expectNewest(page, 'Delivered', 'ID check not recorded')
  await expect(page.getByText('ID checked')).toHaveCount(0)
})

test('an order delivered by a courier claims no check', async ({ page, outside, url }) => {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order('demo', {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    key: randomUUID(),
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
  for (const order_status of ['ORDER_PICKED_UP', 'ORDER_DELIVERED'] as const)
    await outside.call('POST /marketplace/v1/orders/{id}/courier_events', {
      as: basic('marketplace:marketplace'),
      params: { id: order.id },
      key: randomUUID(),
      body: { order_status },
    })
  await openOrder(page, order)
  await expect(lastStage(page)).toHaveText(/^Delivered, ID check not recorded \d/)
  await expectNewest(page, 'Delivered by the courier', 'ID check not recorded')
})

test('a parcel says nothing about an ID', async ({ page, outside, url }) => {
  const { bearer } = await signIn(url, 'member@demo.test')
  const order = await outside.order('demo')
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, {
    status: 'MERCHANT_SHIPPED',
    order: { tracking_provider: 'UPS', tracking_id: '1Z999' },
  })
  await outside.carrier(order, 'delivered', '1Z999')
  await openOrder(page, order)
  await expect(lastStage(page)).toHaveText(/^Delivered \d/)
})
