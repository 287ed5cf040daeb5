import type { Page } from '@playwright/test'
import { openPushService, type PushService } from '../../server/test/providers/push-service.ts'
import { openDatabase } from '../database.ts'
import { expect, openOrders, test, toast } from '../desk.ts'
import { signIn } from '../people.ts'
import { button, card, mayNotify, openAlarms, readySwitch, withPushService } from './push-device.ts'

test.use({ serviceWorkers: 'allow' })

/** A person who has allowed notifications on an earlier visit is not asked anew. */
async function hasAllowed(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = () => Promise.resolve('granted')
  })
}

async function switchOn(page: Page, origin?: string): Promise<void> {
  await withPushService(page.context(), origin)
  await hasAllowed(page)
  await openAlarms(page)
  await idle(page)
  await (await readySwitch(page)).click()
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

/** The push service does not know the device's address any more, which the server hears with its next message. */
async function refuse(dataDir: string, service: PushService, page: Page): Promise<void> {
  const path = await page.evaluate(() => {
    const stored = localStorage.getItem('a push service’s subscription') ?? ''
    return new URL((JSON.parse(stored) as { endpoint: string }).endpoint).pathname
  })
  service.answer({ path }, 410)
  const id = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('cellarhand-push') ?? '{}') as { id: string }).id,
  )
  const database = await openDatabase(dataDir)
  await database.query(
    `insert into push_messages (merchant_id, message_id, device_id, topic, content)
     select merchant_id, device_id, device_id, 'due-orders', '{}' from push_devices where device_id = $1`,
    [id],
  )
  await expect
    .poll(async () => {
      const { rows } = await database.query('select from push_devices where device_id = $1', [id])
      return rows.length
    })
    .toBe(0)
  await database.end()
}

test('a device whose address its push service refused gets another address at the next start, or by a press, with late orders as before', async ({
  openDesk,
  dataDir,
  ownShop: shop,
}) => {
  const service = await openPushService()
  try {
    const page = await openDesk(shop.owner)
    await switchOn(page, service.origin)
    await card(page).getByRole('switch', { name: 'Late and nearly late orders too' }).click()
    await expect(card(page).getByRole('switch', { checked: true })).toBeVisible()
    const [before = ''] = await devicesOf(dataDir, shop)
    await refuse(dataDir, service, page)
    expect(await devicesOf(dataDir, shop)).toEqual([])
    await openOrders(page)
    await expect.poll(() => devicesOf(dataDir, shop)).toEqual([expect.stringMatching(/^[0-9a-f]{64} true$/)])
    const [second = ''] = await devicesOf(dataDir, shop)
    expect(second).not.toBe(before)
    await expect(noLonger(page)).toHaveCount(0)

    // Its own look comes first, else it would hear of the refusal and renew the address before the person does.
    const looked = page.waitForResponse((answer) => answer.url().includes('/push?device='))
    await openAlarms(page)
    await looked
    await idle(page)
    await expect(card(page).getByText('This device gets your messages.')).toBeVisible()
    await refuse(dataDir, service, page)
    // The page that hears of it by itself is the next one; here the person is faster.
    await page.evaluate(() => localStorage.removeItem('cellarhand-push'))
    await openAlarms(page)
    await button(page).click()
    await expect(card(page).getByText('This device gets your messages.')).toBeVisible()
    expect(await devicesOf(dataDir, shop)).not.toContain(second.replace('true', 'false'))
  } finally {
    service.stop()
  }
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
  // The sign-in page may be loading anew just then.
  await expect(async () => expect(await remembered()).toBeNull()).toPass()
})

test('an answer about the device that comes after the sign-out leaves nothing for the next person', async ({
  openDesk,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await switchOn(page)
  const signsOut = Promise.withResolvers<void>()
  const isAnswered = Promise.withResolvers<void>()
  await page.route('**/push?device=*', async (route) => {
    await signsOut.promise
    await route.continue()
  })
  page.on('requestfinished', (request) => {
    if (request.url().includes('/push?device=')) isAnswered.resolve()
  })
  await page.route('**/a/v2/logout', async (route) => {
    signsOut.resolve()
    await isAnswered.promise
    await page.evaluate(() => navigator.locks.request('cellarhand-push', () => undefined))
    await route.continue()
  })
  const asked = page.waitForRequest('**/push?device=*')
  await page.goto('/settings/profile')
  await asked
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to the order desk' })).toBeVisible()
  await expect(async () =>
    expect(await page.evaluate(() => localStorage.getItem('cellarhand-push'))).toBeNull(),
  ).toPass()
})
