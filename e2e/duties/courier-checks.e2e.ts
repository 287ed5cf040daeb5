import { changeAsAdmin } from '../database.ts'
import { block, dialog, expect, openOrder, openOrders, rowOf, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'

test('an owner relies on a courier service that sends no result: its orders say so, and claim no check', async ({
  openDesk,
  outside,
  ownShop,
  url,
  dataDir,
}) => {
  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/duties')
  const part = page.getByRole('region', { name: 'ID checks of couriers' })
  await expect(part).toContainText('each such delivery needs a look after an hour')
  await part.getByRole('button', { name: 'Rely on Sandbox Courier' }).press('Enter')
  const rely = dialog(page, 'Rely on the check')
  await rely.getByRole('button', { name: 'RELY ON IT', exact: true }).click()
  await expect(rely.getByText('Please name the agreement')).toBeVisible()
  await rely.getByLabel('Agreement and its date').fill('Addendum of October 1, section 4')
  await rely.getByRole('button', { name: 'RELY ON IT', exact: true }).click()
  await expect(rely).toHaveCount(0)
  await expect(part).toContainText(
    /Confirmed by Ada Marsh, \d\d\.\d\d\.\d{4}: Addendum of October 1, section 4/,
  )
  expect(await violationsOf(page)).toEqual([])

  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key, {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
  })
  for (const body of [
    { status: 'MERCHANT_ACCEPTED' },
    { status: 'MERCHANT_SHIPPED' },
    { status: 'CLOSED', delivery_info: { delivered_on: order.date_submitted } },
  ])
    await outside.update(bearer, order, body)
  // As after a courier's delivery a minute ago: the closing itself recorded nothing missing, and the proof is asked now.
  await changeAsAdmin(dataDir, async ({ query }) => {
    const name = `${order.id}-1-e2e`
    await query(
      "update orders set document = (document::jsonb #- '{duties,missing}')::text::json where merchant_id = $1 and order_id = $2",
      [ownShop.key, order.id],
    )
    await query(
      `insert into courier_deliveries (merchant_id, order_id, attempt, delivery_id, service, state, stage, packages, asked_by_name, due_at)
       values ($1, $2, 1, $3, 'Sandbox Courier', 'over', 'delivered', 1, 'a test', now())`,
      [ownShop.key, order.id, name],
    )
    await query(
      "insert into sandbox_couriers (delivery_id, stage, plan, packages) values ($1, 'delivered', 'silent_check', 1)",
      [name],
    )
    await query(
      'insert into courier_proofs (merchant_id, order_id, attempt, due_at) values ($1, $2, 1, now())',
      [ownShop.key, order.id],
    )
  })
  await openOrder(page, order)
  const entry = block(page, 'History').getByRole('listitem').filter({ hasText: 'Proof of delivery kept' })
  await expect(entry).toContainText(
    'ID check: left to Sandbox Courier under its agreement, which Ada Marsh confirmed on',
  )
  await expect(
    page.getByText(/^Under its agreement with the shop; Sandbox Courier sends no result/),
  ).toContainText('Confirmed by Ada Marsh')
  await expect(page.getByText('ID checked', { exact: true })).toHaveCount(0)
  await openOrders(page, 'completed')
  await expect(rowOf(page, order)).toBeVisible()
  await expect(rowOf(page, order)).not.toContainText('No ID check')
})

test('a rule is found by its words on a phone, and those that wait for an owner stand alone', async ({
  openDesk,
  ownShop,
}) => {
  const page = await openDesk(ownShop.owner, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto('/settings/duties')
  const find = page.getByRole('search', { name: 'Rules' })
  const rules = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Set aside / }) })
  await find.getByLabel('Find a rule').fill('virginia age')
  await expect(rules).toHaveCount(1)
  await expect(find.getByRole('status')).toHaveText(/^1 of \d+ rules$/)
  await find.getByLabel('Find a rule').fill('')
  const waiting = find.getByLabel(/^Only those to confirm or to read again/)
  await waiting.check()
  await expect(rules.filter({ hasText: 'Rule TERMS-AGE' })).toHaveCount(0)
  const virginia = rules.filter({ hasText: 'Rule VA-AGE' })
  await virginia.getByRole('button', { name: 'Confirm VA-AGE' }).click()
  // It stays in sight with its answer, and the keyboard in its row.
  await expect(virginia).toContainText('Confirmed by Ada Marsh')
  await expect(virginia).toBeFocused()
  expect(await violationsOf(page)).toEqual([])
  await waiting.uncheck()
  await waiting.check()
  await expect(virginia).toHaveCount(0)
})
