import type { Order } from '@cellarhand/contract/orders'
import type { Statements } from '../../server/src/platform/db/database.ts'
import { changeAsAdmin } from '../database.ts'
import { block, dialog, expect, openOrder, openOrders, test } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'

async function closedByCourier({ outside, url, as, shop }: At): Promise<Order> {
  const { bearer } = await signIn(url, as)
  const order = await outside.order(shop, {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
  })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  return outside.update(bearer, order, {
    status: 'CLOSED',
    delivery_info: { delivered_on: order.date_submitted, age_check: { method: 'driver_license' } },
  })
}
interface At {
  outside: Outside
  url: string
  as: string
  shop: string
}

/** As after a courier's delivery some hours ago: the server asks the sandbox for its proof now. */
async function deliveredHoursAgo(
  { query }: Statements,
  { order, shop, isKnown }: { order: Order; shop: string; isKnown: boolean },
): Promise<void> {
  const name = `${order.id}-1-e2e`
  await query(
    `insert into courier_deliveries (merchant_id, order_id, attempt, delivery_id, service, state, stage, packages, asked_by_name, due_at)
     values ($1, $2, 1, $3, 'Sandbox Courier', 'over', 'delivered', 1, 'a test', now())`,
    [shop, order.id, name],
  )
  if (isKnown)
    await query(
      "insert into sandbox_couriers (delivery_id, stage, plan, packages) values ($1, 'delivered', 'delivers', 1)",
      [name],
    )
  await query(
    `insert into courier_proofs (merchant_id, order_id, attempt, delivered_at, due_at)
     values ($1, $2, 1, now() - interval '3 hours', now())`,
    [shop, order.id],
  )
}

test('the history has the courier’s proof, and shows the signature to whoever asks', async ({
  openDesk,
  outside,
  ownShop,
  url,
  dataDir,
}) => {
  const order = await closedByCourier({ outside, url, as: ownShop.owner, shop: ownShop.key })
  await changeAsAdmin(dataDir, (statements) =>
    deliveredHoursAgo(statements, { order, shop: ownShop.key, isKnown: true }),
  )
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  const entry = block(page, 'History').getByRole('listitem').filter({ hasText: 'Proof of delivery kept' })
  await expect(entry).toContainText('by Sandbox Courier')
  await expect(entry).toContainText('Signed by: A recipient of the sandbox')
  await expect(entry).toContainText('ID check: passed')
  await entry.getByRole('button', { name: 'Show signature' }).click()
  const picture = entry.getByRole('img', { name: 'Signature of the recipient' })
  await expect(picture).toBeVisible()
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  expect(await violationsOf(page)).toEqual([])
})

test('a missing proof lists the order under "Needs a look", until an owner has looked', async ({
  openDesk,
  outside,
  ownShop,
  url,
  dataDir,
}) => {
  const order = await closedByCourier({ outside, url, as: ownShop.owner, shop: ownShop.key })
  await changeAsAdmin(dataDir, (statements) =>
    deliveredHoursAgo(statements, { order, shop: ownShop.key, isKnown: false }),
  )
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  const card = page.getByRole('region', { name: 'What this order needs' })
  await expect(card).toContainText(
    'Sandbox Courier has sent no full proof of the delivery: the picture of the signature is missing. Please ask Sandbox Courier for it.',
  )
  await openOrders(page, 'completed')
  await expect(page.getByRole('button', { name: 'Needs a look 1', exact: true })).toBeVisible()
  await openOrder(page, order)
  await card.getByRole('button', { name: 'I have looked' }).click()
  const pass = dialog(page, 'I have looked')
  await pass.getByLabel('Reason').fill('The courier has sent it by mail')
  await pass.getByRole('button', { name: 'I HAVE LOOKED', exact: true }).click()
  await expect(pass).toHaveCount(0)
  await expect(card).toHaveCount(0)
})
