import type { Page } from '@playwright/test'
import { openDatabase } from '../database.ts'
import { expect, openOrders, test, toast } from '../desk.ts'
import { signIn } from '../people.ts'
import { button, card, mayNotify, openAlarms, withPushService } from './push-device.ts'

test.use({ serviceWorkers: 'allow' })

/** A person who has allowed notifications on an earlier visit is not asked anew. */
async function hasAllowed(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = () => Promise.resolve('granted')
  })
}

async function switchOn(page: Page): Promise<void> {
  await withPushService(page.context())
  await hasAllowed(page)
  await openAlarms(page)
  await button(page).click()
  await expect(card(page).getByText('This device gets your messages.')).toBeVisible()
}

/** The push service gives the browser another address, or none, and tells nobody. */
const loseSubscription = (page: Page) =>
  page.evaluate(() => localStorage.removeItem('a push service’s subscription'))

async function devicesOf(dataDir: string, shop: { key: string }): Promise<string[]> {
  const database = await openDatabase(dataDir)
  const { rows } = await database.query<{ device: string }>(
    `select endpoint_digest || ' ' || due_orders as device from push_devices where merchant_id = $1`,
    [shop.key],
  )
  await database.end()
  return rows.map(({ device }) => device)
}
const noLonger = (page: Page) => toast(page, 'This device no longer gets messages')

test('a device whose browser lost its subscription gets messages again at the next start, with late orders as before', async ({
  openDesk,
  dataDir,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await switchOn(page)
  await card(page).getByRole('switch', { name: 'Late and nearly late orders too' }).click()
  await expect(card(page).getByRole('switch', { checked: true })).toBeVisible()
  const [before = ''] = await devicesOf(dataDir, shop)
  expect(before).toMatch(/ true$/)
  await loseSubscription(page)
  await openOrders(page)
  await expect.poll(async () => (await devicesOf(dataDir, shop)).includes(before)).toBe(false)
  expect(await devicesOf(dataDir, shop)).toEqual([expect.stringMatching(/^[0-9a-f]{64} true$/)])
  await expect(noLonger(page)).toHaveCount(0)
  await openAlarms(page)
  await expect(card(page).getByText('This device gets your messages.')).toBeVisible()
})

test('a device that somebody switched off from elsewhere, or that the server no longer has, stays off and says so once', async ({
  openDesk,
  dataDir,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await switchOn(page)
  const another = await openDesk(shop.owner)
  await openAlarms(another)
  await card(another).getByRole('list', { name: 'Your other devices' }).getByRole('button').click()
  await expect(toast(another, 'Switched off')).toBeVisible()
  await openOrders(page)
  await expect(noLonger(page)).toBeVisible()
  expect(await devicesOf(dataDir, shop)).toEqual([])
  await page.getByRole('button', { name: 'Open Alarms' }).click()
  await expect(button(page)).toBeVisible()
  // Also where its browser loses the subscription besides.
  await loseSubscription(page)
  await openOrders(page)
  await idle(page)
  await expect(noLonger(page)).toHaveCount(0)
  expect(await devicesOf(dataDir, shop)).toEqual([])
})

test('a browser that lost the permission says so once, and asks for nothing', async ({
  openDesk,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await switchOn(page)
  await loseSubscription(page)
  await mayNotify(page, 'default')
  await openOrders(page)
  await expect(noLonger(page)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('cellarhand-push'))).toBeNull()
})

/** As after a session that ran out and the sign-in of somebody else. */
async function signedInAs(page: Page, { token, key }: { token: string; key: string }): Promise<void> {
  await page.evaluate(
    (given) => {
      localStorage.setItem('jwt', given.token)
      document.cookie = `tmk=${given.key}; path=/; SameSite=Lax`
    },
    { token, key },
  )
}

/** The part that looks at the device has come and has had its turn. */
async function idle(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/assets\/idle-/.test(name)),
  )
  await page.evaluate(() => navigator.locks.request('cellarhand-push', () => undefined))
}

test('a sign-out is no loss, and the next person on the device gets none of it', async ({
  openDesk,
  dataDir,
  url,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await switchOn(page)
  const owners = await devicesOf(dataDir, shop)
  await loseSubscription(page)
  const remembered = () => page.evaluate(() => localStorage.getItem('cellarhand-push'))
  const own = await remembered()
  expect(own).not.toBeNull()
  const ownToken = await page.evaluate(() => localStorage.getItem('jwt'))
  const { token, storage } = await signIn(url, 'owner@demo.test')
  const key = storage.cookies[0]?.value ?? ''
  await signedInAs(page, { token, key })
  await openOrders(page)
  await idle(page)
  expect([await remembered(), await devicesOf(dataDir, shop)]).toEqual([own, owners])
  await expect(noLonger(page)).toHaveCount(0)

  await signedInAs(page, { token: ownToken ?? '', key: shop.key })
  await page.goto('/settings/profile')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to the order desk' })).toBeVisible()
  await expect.poll(remembered).toBeNull()
})
