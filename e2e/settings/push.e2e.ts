import type { Page } from '@playwright/test'
import { expect, openOrders, test, toast } from '../desk.ts'
import { buildKept } from '../offline/on-device.ts'
import { button, card, mayNotify, openAlarms, readySwitch, withPushService } from './push-device.ts'

test.use({ serviceWorkers: 'allow' })

test('a clerk switches messages on for the device in hand, with late orders too, sees it after a reload, and sign-out ends it in the browser and on the server', async ({
  openDesk,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await withPushService(page.context())
  await mayNotify(page, 'granted')
  await openAlarms(page)
  await (await readySwitch(page)).focus()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Switched on for this device')).toBeVisible()
  await expect(card(page).getByText('This device gets your messages.')).toBeVisible()
  const due = card(page).getByRole('switch', { name: 'Late and nearly late orders too' })
  // The button is gone: the control in its place has the focus.
  await expect(due).toBeFocused()
  await expect(due).not.toBeChecked()
  await due.click()
  await expect(due).toBeChecked()
  await page.reload()
  await expect(due).toBeChecked()
  await expect(card(page).getByRole('list', { name: 'Your other devices' })).toHaveCount(0)

  const another = await openDesk(shop.owner)
  await openAlarms(another)
  const others = card(another).getByRole('list', { name: 'Your other devices' })
  await expect(others.getByRole('listitem')).toHaveCount(1)

  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to the order desk' })).toBeVisible()
  // A sign-out loads the page anew, which may be under way.
  await expect(async () =>
    expect(await page.evaluate(() => localStorage.getItem('a push service’s subscription'))).toBeNull(),
  ).toPass()
  await expect
    .poll(async () => {
      await another.reload()
      await expect(button(another).or(card(another).getByText(/blocked in this browser/))).toBeVisible()
      return others.count()
    })
    .toBe(0)
})

test('switching off ends the messages, and another of the person’s devices can be switched off from here', async ({
  openDesk,
  ownShop: shop,
}) => {
  const pages = [await openDesk(shop.owner), await openDesk(shop.owner)] as const
  for (const page of pages) {
    await withPushService(page.context())
    await mayNotify(page, 'granted')
    await openAlarms(page)
    await (await readySwitch(page)).click()
    await expect(card(page).getByText('This device gets your messages.')).toBeVisible()
  }
  const [first, second] = pages
  await card(second).getByRole('list', { name: 'Your other devices' }).getByRole('button').click()
  await expect(toast(second, 'Switched off')).toBeVisible()
  await expect(card(second).getByText('This device gets your messages.')).toBeVisible()
  await first.reload()
  await expect(button(first)).toBeVisible()
  await card(second).getByRole('button', { name: 'Switch off for this device' }).focus()
  await second.keyboard.press('Enter')
  await expect(button(second)).toBeFocused()
  expect(await second.evaluate(() => localStorage.getItem('a push service’s subscription'))).toBeNull()
})

test.describe('a clerk without the right to change alarms', () => {
  test.use({ person: 'member@demo.test' })

  test('has the block for messages all the same, and nothing is asked before the press', async ({ page }) => {
    await mayNotify(page, 'granted')
    await page.goto('/settings/profile')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Alarms' }).click()
    await expect(page.getByText(/^Only managers and owners can change the store’s alarms/)).toBeVisible()
    await expect(button(page)).toBeVisible()
    expect(await page.evaluate(() => Notification.permission)).toBe('default')
  })
})

test('a refused permission, a closed prompt, a browser without push and an iPhone’s page are told in plain words', async ({
  openDesk,
}) => {
  const refusing = await openDesk('owner@demo.test')
  await mayNotify(refusing, 'denied')
  await openAlarms(refusing)
  await expect(
    card(refusing).getByText(/^Notifications from the desk are blocked in this browser/),
  ).toBeVisible()
  await expect(button(refusing)).toHaveCount(0)

  const closing = await openDesk('owner@demo.test')
  await mayNotify(closing, 'default')
  await openAlarms(closing)
  await button(closing).click()
  await expect(card(closing).getByText(/^The browser did not get your permission/)).toBeVisible()
  await expect(button(closing)).toBeVisible()

  const without = await openDesk('owner@demo.test')
  await without.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await openAlarms(without)
  await expect(card(without).getByText(/^This browser cannot receive messages/)).toBeVisible()

  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
  const phone = await openDesk('owner@demo.test', { userAgent })
  await phone.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await openAlarms(phone)
  await expect(card(phone).getByText(/only once the desk is on its home screen/)).toBeVisible()
})

test('a push service that does not answer is told, and nothing is stored', async ({
  openDesk,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await mayNotify(page, 'granted')
  await page.addInitScript(() => {
    PushManager.prototype.subscribe = () =>
      Promise.reject(new DOMException('Registration failed - push service error', 'AbortError'))
  })
  await openAlarms(page)
  await button(page).click()
  await expect(card(page).getByText(/^The messages could not be switched on/)).toBeVisible()
  await page.reload()
  await expect(button(page)).toBeVisible()
  await expect(card(page).getByRole('list')).toHaveCount(0)
})

/** Gives the desk's worker a message as the browser would, and answers the notifications that it shows. */
async function push(
  page: Page,
  data: string,
  title: string,
): Promise<{ title: string; body: string; tag: string; data: unknown }[]> {
  const { origin } = new URL(page.url())
  const devtools = await page.context().newCDPSession(page)
  const registrations: string[] = []
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: given }) =>
    // The worker has a registration for each address of the desk; this one has the messages.
    registrations.push(
      ...given
        .filter(({ scopeURL }) => new URL(scopeURL).pathname === '/orders')
        .map(({ registrationId }) => registrationId),
    ),
  )
  await devtools.send('ServiceWorker.enable')
  await expect.poll(() => registrations.length).toBeGreaterThan(0)
  const registrationId = registrations.at(-1) ?? ''
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/orders')
      const notes = (await registration?.getNotifications()) ?? []
      return notes.map(({ title: head, body, tag, data: given }) => ({
        title: head,
        body,
        tag,
        data: given as unknown,
      }))
    })
  await expect.poll(async () => (await shown()).map((note) => note.title)).toContain(title)
  return shown()
}

test('@prints the worker shows each message, a newer one in the place of the older, and a press opens its order on the open desk, and never another site', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'])
  await openOrders(page)
  await buildKept(page)
  const late = (id: number) => {
    const title = `Order ${id} is late`
    const message = { title, body: 'It was due at 6:30 PM.', path: `/orders/view/${id}`, topic: 'due-orders' }
    return push(page, JSON.stringify(message), title)
  }
  await late(1)
  const notes = await late(2)
  expect(notes).toEqual([
    {
      title: 'Order 2 is late',
      body: 'It was due at 6:30 PM.',
      tag: 'due-orders',
      data: { path: '/orders/view/2' },
    },
  ])
  const unreadable = await push(page, 'no message of ours', 'Orders wait')
  expect(unreadable.map(({ title }) => title)).toContain('Orders wait')
  const single = '/orders/view/2'
  const list = '/orders/active'
  expect(await press(page, single, [])).toEqual([`open ${single}`])
  expect(await press(page, single, ['/settings/profile'])).toEqual([`open ${single}`])
  expect(await press(page, single, ['/settings/profile', list])).toEqual([
    `focus ${list}`,
    `navigate ${list} to ${single}`,
  ])
  expect(await press(page, single, [single])).toEqual([`focus ${single}`])
  // The list takes nobody out of the order in hand.
  expect(await press(page, '/orders', ['/orders/view/9'])).toEqual(['focus /orders/view/9'])
  for (const hostile of [
    'https://evil.example/orders',
    '//evil.example/orders',
    '/a/v2/logout',
    'javascript:1',
  ])
    expect(await press(page, hostile, []), hostile).toEqual(['open /orders'])
})

/**
 * What the worker does when a notification is pressed while these pages are open. Only a finger on a real notification
 * lets a worker open and focus pages, so they are noted in place of the browser's own.
 */
async function press(page: Page, path: string, open: readonly string[]): Promise<string[]> {
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('There is no worker')
  return worker.evaluate(
    async ({ path: given, open: paths }) => {
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration
        clients: object
        NotificationEvent: new (type: string, init: { notification: Notification | undefined }) => Event
      }
      const done: string[] = []
      const opened = paths.map((own) => ({
        url: location.origin + own,
        focused: false,
        focus: () => Promise.resolve(done.push(`focus ${own}`)),
        navigate: (to: string) => Promise.resolve(done.push(`navigate ${own} to ${to}`)),
      }))
      const stand = (name: string, value: unknown) =>
        Object.defineProperty(scope.clients, name, { value, configurable: true })
      stand('matchAll', () => Promise.resolve(opened))
      stand('openWindow', (to: string) => Promise.resolve(done.push(`open ${to}`)))
      await scope.registration.showNotification('pressed', { tag: 'pressed', data: { path: given } })
      const [notification] = await scope.registration.getNotifications({ tag: 'pressed' })
      const event = new scope.NotificationEvent('notificationclick', { notification })
      let work: Promise<unknown> | undefined
      Object.assign(event, { waitUntil: (waited: Promise<unknown>) => (work = waited) })
      dispatchEvent(event)
      await work
      const left = await scope.registration.getNotifications({ tag: 'pressed' })
      return left.length === 0 ? done : [...done, 'the notification stays']
    },
    { path, open },
  )
}
