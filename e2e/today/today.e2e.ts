import fs from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Order } from '@cellarhand/contract/orders'
import { createUser } from '../../server/src/sign-in/public.ts'
import { asAdmin, openDatabase } from '../database.ts'
import { expect, openOrders, test, toast } from '../desk.ts'
import { pressPair } from '../fields.ts'
import { password, signIn } from '../people.ts'

const day = '2026-10-14'
const received = (time: string) => ({
  delivery: { method: 'on_demand' },
  date_submitted: new Date(`${day}T${time}:00-04:00`).toISOString(),
})
const words = 'None left; the <b>last</b> one broke, "sorry"'

const clerkHead =
  'Clerk,Decided,Accepted,Rejected,"To accept, median minutes","To accept, 95th percentile","To hand over, median minutes","To hand over, 95th percentile",Late'

const card = (page: Page, name: string): Locator => page.getByRole('region', { name })
const rowsOf = async (part: Locator) => plain(await part.locator('tbody tr').allInnerTexts())
/** As a person reads it, across the cells' borders. */
const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())

async function addMember(dataDir: string, merchantKey: string): Promise<string> {
  const email = `member@${merchantKey}.test`
  await asAdmin(dataDir, (db) =>
    createUser(db, {
      email,
      firstName: 'Mona',
      lastName: 'Reyes',
      password,
      merchantKey,
      role: 'merch.user',
    }),
  )
  return email
}

test('a day’s orders as figures, chart, table and file, the same in each; by clerk for managers and owners alone', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const orders: Order[] = []
  for (const time of ['17:05', '17:20', '17:40', '19:10'])
    orders.push(await outside.order(ownShop.key, received(time)))
  const [first, second, refused, open] = orders as [Order, Order, Order, Order]
  for (const order of [first, second]) {
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
    await outside.update(bearer, order, {
      status: 'CLOSED',
      delivery_info: { delivered_on: order.date_submitted },
    })
  }
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
    as: bearer,
    params: { tmk: ownShop.key, id: refused.id },
    body: { reason: { code: 'other', value: words } },
  })
  const database = await openDatabase(dataDir)
  for (const [minutes, action, order] of [
    [3, 'accept', first],
    [5, 'accept', second],
    [30, 'send_out', first],
    [40, 'send_out', second],
    [50, 'deliver', first],
    [150, 'deliver', second],
    [2, 'reject', refused],
  ] as const)
    await database.query(
      `update order_history h set at = o.submitted_at + $3 * interval '1 minute'
       from orders o where o.order_id = $1 and h.order_id = $1 and h.action = $2`,
      [order.id, action, minutes],
    )
  await database.end()

  const page = await openDesk(ownShop.owner)
  await page.goto(`/today?day=${day}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Wed 10.14.2026' })).toBeVisible()
  await expect(page.locator('dl')).toHaveText(
    /Orders4.*Accepted2.*Rejected125 %.*To accept4 min95 of 100 within 4\.9 min.*To hand over35 min.*Late21 open, 1 done late/,
  )
  await expect(page.getByRole('img', { name: /busiest was 5 PM with 3 orders, 1 late/ })).toBeVisible()
  const table = card(page, 'Hour by hour')
  await expect
    .poll(() => rowsOf(table))
    .toEqual(['5 PM 3 2 1 – 1 4 min 35 min', '6 PM 0 – – – – – –', '7 PM 1 – – – 1 – –'])
  await expect(table.locator('tfoot')).toHaveText(/All day *4 *2 *1 *– *2 *4 min *35 min/)
  await expect
    .poll(() => rowsOf(card(page, 'Late')))
    .toEqual([
      expect.stringMatching(`^#${open.id} Not accepted yet .*, open$`),
      `#${second.id} Done 2 h 25 min after it was accepted 30 min`,
    ])
  await expect.poll(() => rowsOf(card(page, 'Rejected, why'))).toEqual([`Other: ${words} 1`])
  await expect
    .poll(() => rowsOf(card(page, 'By clerk')))
    .toEqual(['Ada Marsh 2 1 4 min 95 of 100: 4.9 min 35 min 95 of 100: 40 min 1'])

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`orders-${day}.csv`)
  const lines = (await fs.readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines.slice(0, 5).map((line) => line.split(',').slice(1, 10).join(' '))).toEqual([
    expect.stringContaining('Received Orders Accepted'),
    '5 PM 3 2 0 0 1 0 1 4',
    '6 PM 0 0 0 0 0 0 0 ',
    '7 PM 1 0 1 0 0 0 1 ',
    'All day 4 2 1 0 1 0 2 4',
  ])
  expect(lines.slice(5)).toEqual([
    '',
    '"Rejected, why",Orders',
    expect.stringMatching(/^"?Other: .*,1$/),
    '',
    'Late order,Minutes late,Open,What held it up',
    expect.stringMatching(new RegExp(`^${open.id},\\d+,yes,Not accepted yet$`)),
    `${second.id},30,no,Done 2 h 25 min after it was accepted`,
    '',
    clerkHead,
    'Ada Marsh,3,2,1,4,4.9,35,39.5,1',
  ])

  await page.getByRole('link', { name: `#${second.id}` }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/view/${second.id}$`))

  const member = await openDesk(await addMember(dataDir, ownShop.key))
  await member.goto(`/today?day=${day}`)
  await expect(card(member, 'Late')).toBeVisible()
  await expect(card(member, 'By clerk')).toHaveCount(0)
  const [own] = await Promise.all([
    member.waitForEvent('download'),
    member.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(await fs.readFile(await own.path(), 'utf8')).not.toContain('Clerk')
})

test('a file that is asked for before the clerks have loaded waits for them, and is not made without them', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.update(bearer, await outside.order(ownShop.key, received('17:05')), {
    status: 'MERCHANT_ACCEPTED',
  })
  const page = await openDesk(ownShop.owner)
  const files: string[] = []
  page.on('download', (file) => files.push(file.suggestedFilename()))
  await page.route('**/today/clerks*', (route) => route.abort())
  const press = page.getByRole('button', { name: 'Download CSV' })
  await page.goto(`/today?day=${day}`)
  await press.click()
  await expect(toast(page, /^The figures by clerk could not be loaded, so no file was made\./)).toBeVisible()
  await expect(press).not.toHaveAttribute('aria-busy')
  expect(files).toEqual([])

  const answer = Promise.withResolvers<void>()
  await page.unroute('**/today/clerks*')
  await page.route('**/today/clerks*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.reload()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    press.click().then(async () => {
      await expect(press).toHaveAttribute('aria-busy', 'true')
      expect(files).toEqual([])
      answer.resolve()
    }),
  ])
  const lines = (await fs.readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines.slice(-2)).toEqual([clerkHead, expect.stringMatching(/^Ada Marsh,1,/)])
})

test('Today opens by key and from the menu, goes from day to day, and says so where a day has no orders', async ({
  openDesk,
  ownShop,
}) => {
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await pressPair(page, 'g', 't')
  await expect(page).toHaveURL(/\/today$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await expect(page.getByText('No order has come in today.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Day after' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
  await page.getByLabel('Day', { exact: true }).fill(day)
  await expect(page.getByRole('heading', { level: 1, name: 'Wed 10.14.2026' })).toBeVisible()
  await expect(page).toHaveURL(`/today?day=${day}`)
  await expect(page.getByText('No order came in on that day.')).toBeVisible()
  await page.getByRole('button', { name: 'Day before' }).click()
  await expect(page).toHaveURL('/today?day=2026-10-13')
  await page.getByRole('button', { name: 'Day after' }).press('Enter')
  await expect(page.getByLabel('Day', { exact: true })).toHaveValue(day)
  await page.goto('/today?day=nonsense')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
})
