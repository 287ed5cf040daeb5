import type { Page } from '@playwright/test'
import { anItem } from '../../server/test/orders.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import type { Shop } from '../shop.ts'
import { pressPair, typeAsScanner } from '../fields.ts'
import { expect, rowOf, test } from '../desk.ts'
import {
  cutBand,
  deskRecord,
  everyPageKept,
  LATE,
  openKeptList,
  pressSignOut,
  shownKept,
} from './on-device.ts'

test.use({ serviceWorkers: 'allow' })

const cider = {
  items: [
    anItem({
      id: 'cider',
      name: 'Orchard Cider',
      product: { id: 'p-cider', container_size: '750 mL' },
      offering: { id: 'o-cider', merchant_sku: null, stock_behaviour: null },
      quantity: 2,
      price: 20,
      subtotal: 40,
    }),
  ],
}

async function accepted(outside: Outside, url: string, shop: Shop) {
  const { bearer } = await signIn(url, shop.owner)
  return outside.update(bearer, await outside.order(shop.key, cider), { status: 'MERCHANT_ACCEPTED' })
}

/** Marks the page, so that a test sees whether it was loaded anew. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { isFirst: true }))
const isMarked = (page: Page) => page.evaluate(() => 'isFirst' in globalThis)

const main = (page: Page) => page.locator('main')
const awaited = [
  ['/today', 'The figures come by themselves once the connection is back.', 'Orders by hour'],
  [
    '/today?day=2026-01-05',
    'The figures come by themselves once the connection is back.',
    'No order came in on that day.',
  ],
  ['/hand-over', 'The hand-over comes by itself once the connection is back.', 'Waiting for a label'],
] as const

test('Today and the hand-over open without a line, say so, lead on, and fill by themselves', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  await everyPageKept(page)
  for (const [address, words, filled] of awaited) {
    cable.cut()
    await page.goto(address)
    await expect(main(page)).toContainText(`No connection. ${words}`)
    await page.reload()
    await expect(main(page)).toContainText(`No connection. ${words}`)
    // The page shows no orders, so nothing says that it does.
    await expect(cutBand(page)).toHaveCount(1)
    await expect(page.locator('body')).not.toContainText('You see the orders')
    await main(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(main(page)).toContainText(`Still no connection. ${words}`)
    await mark(page)
    await pressPair(page, 'g', 'o')
    await expect(rowOf(page, order)).toBeVisible()
    await page.goBack()
    await expect(main(page)).toContainText(words)
    await expect(page.getByRole('status', { name: 'Messages' })).toHaveText('')
    await main(page).getByRole('button', { name: 'Try Again' }).focus()
    cable.mend()
    await expect(main(page)).toContainText(filled, LATE)
    // The button is gone, and the keys are near its place.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    await expect(main(page)).not.toContainText('o connection.')
    expect(await isMarked(page), 'filled without a reload').toBe(true)
  }
})

test('the wall opens without a line with the kept orders and counts, and follows them once it is back', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  await everyPageKept(page)
  cable.cut()
  await page.goto('/wall?from=app')
  await page.reload()
  const wall = page.getByRole('main', { name: 'Wall screen' })
  await expect(wall.getByRole('listitem').filter({ hasText: `#${order.id}` })).toBeVisible()
  await expect(wall.getByRole('status').filter({ hasText: 'No connection' })).toHaveText(
    /^No connection since .*\d:\d\d/,
  )
  // The last of the two orders that came meanwhile may be younger than the record.
  await expect(wall.getByRole('definition').last()).toHaveText(/^[23]$/)
  await mark(page)
  const next = await outside.order(ownShop.key)
  cable.mend()
  await expect(wall.getByRole('listitem').filter({ hasText: `#${next.id}` })).toBeVisible(LATE)
  await expect(wall).not.toContainText('No connection')
  await expect(wall.getByRole('definition').last()).toHaveText('4')
  expect(await isMarked(page)).toBe(true)
})

test('pick mode opens without a line with the bottles of the kept orders, and with its list once it is back', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key, cider)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  await everyPageKept(page)
  cable.cut()
  await page.goto(`/pick/${order.id}`)
  await page.reload()
  await expect(main(page)).toContainText('Until then no scan counts.')
  await expect(main(page).getByRole('listitem')).toContainText('2 Orchard Cider 750 mL')
  await mark(page)
  cable.mend()
  await expect(
    page.getByRole('heading', { level: 1, name: `Pick #${order.id} · 0 of 2 bottles` }),
  ).toBeVisible(LATE)
  expect(await isMarked(page)).toBe(true)
})

test('what Today, the hand-over and pick lists showed last is there without a line, with its moment', async ({
  openDesk,
  outside,
  ownShop,
  cable,
  url,
}) => {
  const first = await accepted(outside, url, ownShop)
  const second = await accepted(outside, url, ownShop)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  await everyPageKept(page)
  const visits = [
    ['/today', 'Orders by hour'],
    ['/hand-over', 'Waiting for a label'],
    [`/pick/${first.id}`, 'The walk, shelf by shelf'],
    [`/pick/${second.id}`, 'The walk, shelf by shelf'],
  ] as const
  for (const [address, words] of visits) {
    await page.goto(address)
    await expect(main(page)).toContainText(words)
    await shownKept(page, () => outside.order(ownShop.key), 3)
  }
  await openKeptList(page, () => outside.order(ownShop.key))
  cable.cut()
  for (const [address, words] of [
    ...visits,
    [`/pick/${first.id},${second.id}`, 'Wave · 0 of 4 bottles'] as const,
  ]) {
    await page.goto(address)
    await expect(main(page)).toContainText(words)
    await expect(main(page).getByRole('status').filter({ hasText: 'No connection.' })).toHaveText(
      /^No connection\. You see .* as of .*\d:\d\d/,
    )
  }
  await mark(page)
  await typeAsScanner(page, '4006381333931\n')
  await expect(page.getByRole('alert')).toContainText('Not confirmed yet: trying again')
  await expect(page.getByRole('alert')).toContainText('Keep it in your hand.')
  cable.mend()
  await expect(main(page).getByRole('status').filter({ hasText: 'No connection.' })).toHaveCount(0, LATE)
  // The server has answered about the bottle in the hand: the stock list has no code of it.
  await expect(page.getByRole('alert')).toContainText('No code to compare', LATE)
  await page.getByRole('button', { name: 'No code to scan' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Wave · 1 of 4 bottles' })).toBeVisible()
  expect(await isMarked(page)).toBe(true)
})

test('a device whose person has signed out opens the sign-in page without a line, says so, and shows no order', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key, cider)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  await everyPageKept(page)
  await page.goto(`/pick/${order.id}`)
  await expect(main(page)).toContainText('Orchard Cider')
  await shownKept(page, () => outside.order(ownShop.key), 3)
  expect(await deskRecord(page, 'pages')).not.toBe('')
  await page.goto('/orders')
  await mark(page)
  await pressSignOut(page)
  // A sign-out with a line ends with a new page.
  await expect.poll(() => isMarked(page).catch(() => true)).toBe(false)
  await expect(page.getByRole('heading', { name: 'Sign in to the order desk' })).toBeVisible()
  cable.cut()
  for (const address of ['/wall', '/today', '/hand-over', `/pick/${order.id}`]) {
    await page.goto(address)
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('status').filter({ hasText: 'No connection.' })).toContainText(
      'Signing in needs one.',
    )
    await expect(page.locator('body')).not.toContainText(order.id)
    await expect(page.locator('body')).not.toContainText('Orchard Cider')
  }
  expect(await deskRecord(page)).toBe('')
  expect(await deskRecord(page, 'pages')).toBe('')
  cable.mend()
  await expect(page.getByText('Signing in needs one.')).toHaveCount(0, LATE)
})

test('a signed-in device that has kept nothing says that the server cannot be reached, and fills by itself', async ({
  openDesk,
  outside,
  ownShop,
  cable,
}) => {
  const order = await outside.order(ownShop.key)
  const page = await openDesk(ownShop.owner, { baseURL: cable.url })
  await openKeptList(page, () => outside.order(ownShop.key))
  await everyPageKept(page)
  cable.cut()
  await page.evaluate(() => void (document.cookie = 'cellarhand-seal=; path=/; max-age=0'))
  await page.goto('/wall')
  await expect(
    page.getByText('The server still cannot be reached. Please check the connection.'),
  ).toBeVisible()
  await mark(page)
  cable.mend()
  const wall = page.getByRole('main', { name: 'Wall screen' })
  await expect(wall.getByRole('listitem').filter({ hasText: `#${order.id}` })).toBeVisible(LATE)
  expect(await isMarked(page)).toBe(true)
})
