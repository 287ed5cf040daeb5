import type { Order } from '@cellarhand/contract/orders'
import { onDemand } from '../../server/test/orders.ts'
import { openDatabase } from '../database.ts'
import { expect, test } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { resize } from '../page-time.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'

/** On hold, since one of its bottles is missing. */
async function hold(outside: Outside, as: string, order: Order): Promise<Order> {
  const [item] = order.items
  const report = {
    outOfStock: { [item?.product?.id ?? '']: { checked: true, reason: 'The last one broke' } },
  }
  return outside.update(as, order, {
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: JSON.stringify(report) },
  })
}

test('the hand-over of a shift names what is late and who has it, with links, and prints its notes', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const held = await hold(outside, bearer, await outside.order(ownShop.key))
  const submitted = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const late = await outside.order(ownShop.key, { ...onDemand, date_submitted: submitted })
  const page = await openDesk(ownShop.owner)
  await page.goto(`/orders/view/${late.id}`)
  await page.getByRole('button', { name: 'I take it' }).click()
  await expect(page.getByText(/^You have it since/)).toBeVisible()
  await page.goto('/today')
  await page.getByRole('link', { name: 'Shift hand-over' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shift hand-over' })).toBeVisible()
  const part = page.getByRole('region', { name: /^Late/ })
  await expect(part.getByRole('row').nth(1)).toContainText(`#${late.id}`)
  await expect(part.getByRole('row').nth(1)).toContainText('Ada Marsh')
  await expect(page.getByRole('region', { name: 'Who has what' })).toContainText('Ada Marsh, 1')
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('No problems.')
  const notes = page.getByRole('region', { name: 'Notes for the next shift' })
  await notes.getByRole('button', { name: 'Add note' }).click()
  await notes.getByLabel('New note').fill('The printer needs labels')
  await notes.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(notes.getByRole('listitem')).toHaveCount(1)
  expect(await violationsOf(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add note' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden()
  await expect(part).toBeVisible()
  await expect(notes.getByText('The printer needs labels')).toBeVisible()
  await expect(notes.getByText(/^Ada Marsh, /)).toBeVisible()
  const onHold = page.getByRole('region', { name: /^On hold/ })
  await expect(onHold.getByRole('row').nth(1)).toContainText(`#${held.id}`)
  await expect(onHold.getByText(/^Out of stock: .+, The last one broke$/)).toBeVisible()
  await expect(onHold.getByRole('columnheader', { name: 'Comment' })).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await part.getByRole('link', { name: 'In the list' }).click()
  await expect(page).toHaveURL(/\/orders\/active\?due=late$/)
})

test('it names the orders on hold with the words of their list, and until when a customer may answer', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const held = await hold(outside, bearer, await outside.order(ownShop.key))
  const asked = await hold(outside, bearer, await outside.order(ownShop.key))
  const until = new Date(Date.now() + 26 * 3_600_000).toISOString()
  const database = await openDatabase(dataDir)
  await database.query(
    'update orders set document = (document::jsonb || $2::jsonb)::json where order_id = $1',
    [asked.id, JSON.stringify({ substitutes: { offers: [{ state: 'offered', until }] } })],
  )
  await database.end()

  const page = await openDesk(ownShop.owner)
  await page.goto('/hand-over')
  const part = page.getByRole('region', { name: /^On hold/ })
  const [first, second] = [part.getByRole('row').nth(1), part.getByRole('row').nth(2)]
  await expect(part.getByRole('heading')).toContainText('On hold 2')
  await expect(first).toContainText(`#${held.id}`)
  await expect(first).toContainText('On hold, Shipping')
  await expect(first).toContainText(/Out of stock: .+, The last one broke/)
  await expect(first).not.toContainText('Customer answers')
  await expect(second).toContainText(/Customer answers by \d+:\d\d [AP]M on \d\d\.\d\d\.\d{4}/)
  expect(await violationsOf(page)).toEqual([])

  await resize(page, { width: 700, height: 900 })
  const place = async (words: string | RegExp) =>
    (await first.getByText(words).boundingBox()) ?? { x: 0, y: 0 }
  const [recipient, status, reason] = [
    await place('Dee Nakamura'),
    await place('On hold, Shipping'),
    await place(/^Out of stock/),
  ]
  expect([status.x, reason.x]).toEqual([recipient.x, recipient.x])
  expect([recipient.y < status.y, status.y < reason.y]).toEqual([true, true])
  await part.getByRole('link', { name: 'In the list' }).click()
  await expect(page).toHaveURL(/\/orders\/on-hold\?sort=asc$/)
})

test('each figure leads to exactly its orders: to a filtered list, or to the part of the page that names them', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await hold(outside, bearer, await outside.order(ownShop.key))
  const past = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const late = await outside.order(ownShop.key, { ...onDemand, date_submitted: past })
  const parcel = await outside.update(bearer, await outside.order(ownShop.key), {
    status: 'MERCHANT_ACCEPTED',
  })
  const database = await openDatabase(dataDir)
  await database.query(
    `insert into order_history (merchant_id, order_id, version, action, from_status, to_status, actor_kind, actor_name)
     select merchant_id, order_id, version + 1, 'label_failed', status, status, 'merchant', 'Ada' from orders where order_id = $1`,
    [parcel.id],
  )
  await database.end()

  const page = await openDesk(ownShop.owner)
  const figure = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true })
  for (const [name, address, rows] of [
    ['2, Open', /\/orders\/active$/, [late.id, parcel.id]],
    ['1, New', /\/orders\/active\?status=new$/, [late.id]],
    ['1, Accepted', /\/orders\/active\?status=accepted$/, [parcel.id]],
    ['1, On hold', /\/orders\/on-hold$/, undefined],
    ['1, Late', /\/orders\/active\?due=late$/, [late.id]],
  ] as const) {
    await page.goto('/hand-over')
    await figure(name).click()
    await expect(page).toHaveURL(address)
    await expect(page.getByRole('grid').or(page.getByRole('table')).getByRole('row')).toHaveCount(
      1 + (rows?.length ?? 1),
    )
    for (const id of rows ?? []) await expect(page.getByRole('link', { name: `#${id}` })).toBeVisible()
  }

  await page.goto('/hand-over')
  for (const [title, address] of [
    ['Waiting for a label', /\/hand-over#shift-waiting-for-a-label$/],
    ['Problems', /\/hand-over#shift-problems$/],
  ] as const) {
    const part = page.getByRole('region', { name: new RegExp(`^${title}`) })
    await figure(`1, ${title}`).press('Enter')
    await expect(page).toHaveURL(address)
    await expect(part.getByRole('row')).toHaveCount(2)
    // The keyboard goes on from there.
    await page.keyboard.press('Tab')
    await expect.poll(() => part.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await expect(page.getByText('Due soon').locator('..').getByRole('link')).toHaveCount(0)
  const problems = page.getByRole('region', { name: /^Problems/ })
  await expect(problems.getByRole('row').nth(1)).toContainText('The label was not bought')
  expect(await violationsOf(page)).toEqual([])
  await problems.getByRole('link', { name: `#${parcel.id}` }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/view/${parcel.id}$`))
})
