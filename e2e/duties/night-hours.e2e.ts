import fs from 'node:fs/promises'
import { anOrder } from '../../server/test/orders.ts'
import { openDatabase } from '../database.ts'
import { chooseMore, block, dialog, expect, openOrder, openOrders, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'
import { openShop } from '../shop.ts'

const hourMs = 3_600_000
const words = 'No hand-over from 2 AM to 6 AM.'

/** A zone in which it is between 3 and 4 in the morning now, so that the server's own clock and the page's are there. */
function zoneAtNight(): string {
  const ahead = (3 - new Date().getUTCHours() + 24 + 12) % 24
  // The sign of these zones is the other way round.
  return `Etc/GMT${ahead < 12 ? '+' : '-'}${Math.abs(ahead - 12)}`
}

test('a hand-over at 2:30 in the morning is refused in the rule’s words, and nothing typed is lost; at a lawful hour it is one', async ({
  openDesk,
  outside,
  dataDir,
  url,
}) => {
  const shop = await openShop(dataDir, { timezone: zoneAtNight() })
  const { bearer } = await signIn(url, shop.owner)
  const order = await outside.order(shop.key, {
    delivery: { method: 'on_demand' },
    date_submitted: new Date(Date.now() - 5 * hourMs).toISOString(),
    recipient: { ...anOrder(shop.key).recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' },
  })
  const inHours = await outside.order(shop.key, {
    delivery: { method: 'on_demand' },
    recipient: { ...anOrder(shop.key).recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' },
  })
  for (const each of [order, inHours]) await outside.update(bearer, each, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  // It left before the night, since nothing is handed over before it leaves.
  const database = await openDatabase(dataDir)
  const left = new Date(Date.now() - 4 * hourMs)
  await database.query('update orders set shipped_at = $2 where order_id = $1', [order.id, left])
  await database.end()
  await outside.decideRule(bearer, { merchant: shop.key, rule: 'CA-HOURS' })

  const page = await openDesk(shop.owner)
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Mark Delivered' }).first().click()
  const deliver = dialog(page, 'Deliver Order')
  // The clocks agree that it is night.
  await deliver.getByRole('button', { name: 'Now' }).click()
  await expect(deliver.getByLabel('Time')).toHaveValue(/^0?[34]:\d\d$/)
  await deliver.getByLabel('Time').fill('2:30')
  await expect(deliver.getByLabel('AM/PM')).toHaveValue('AM')
  await deliver.getByLabel('Delivered by').fill('Big Dave')
  await deliver.getByLabel('Signed by').fill('Dee Nakamura')
  await deliver.getByRole('button', { name: 'Passport' }).click()
  const answered = page.waitForResponse(
    (response) => response.status() >= 400 && response.url().includes(order.id),
  )
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  expect((await answered).status()).toBe(409)
  await expect(deliver.getByRole('alert')).toHaveText(`${words} See what can be done`)
  await expect(deliver.getByLabel('Time')).toHaveValue('2:30')
  await expect(deliver.getByLabel('Delivered by')).toHaveValue('Big Dave')
  await expect(deliver.getByLabel('Signed by')).toHaveValue('Dee Nakamura')
  await expect(deliver.getByRole('button', { name: 'Passport' })).toHaveAttribute('aria-pressed', 'true')
  expect(await violationsOf(page)).toEqual([])
  if (process.env['NIGHT_SHOT']) await page.screenshot({ path: process.env['NIGHT_SHOT'] })

  await deliver.getByLabel('Time').fill('1:30')
  await expect(deliver.getByRole('alert')).toHaveCount(0)
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(deliver).toHaveCount(0)
  await expect(block(page, 'History').getByRole('listitem').first()).toContainText('Delivered')
  const stored = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })
  expect(stored).toMatchObject({
    status: 'CLOSED',
    delivery_info: { signed_by: 'Dee Nakamura', delivered_by: 'Big Dave' },
    age_check: { result: 'passed', method: 'passport' },
  })

  // The details of the order have the check, the signer and the hour.
  await openOrders(page, 'completed')
  const [file] = await Promise.all([page.waitForEvent('download'), chooseMore(page, order, 'Download CSV')])
  const [head = '', line = ''] = (await fs.readFile(await file.path(), 'utf8')).split('\r\n')
  const cells = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]))
  expect(cells).toMatchObject({
    'ID check': 'passed',
    ID: 'passport',
    'ID checked by': 'Big Dave',
    'Signed by': 'Dee Nakamura',
    'Delivered by': 'Big Dave',
    'Delivered at': stored.delivery_info?.delivered_on,
  })

  // Within the hours nothing leaves for the door either.
  await openOrder(page, inHours)
  await page.getByRole('button', { name: 'Deliver', exact: true }).first().click()
  await deliver.getByRole('button', { name: 'OUT FOR DELIVERY' }).click()
  await expect(page.getByRole('status', { name: 'Messages' })).toContainText(words)
  await expect(deliver).toHaveCount(0)
  // The other press of the first step is refused like it.
  await page.getByRole('button', { name: 'Deliver', exact: true }).first().click()
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(deliver).toHaveCount(0)
})
