import type { Page } from '@playwright/test'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import { heldPlaces } from '../server/seed/demo-rules.ts'
import { anItem } from '../server/test/orders.ts'
import { actions } from './orders/deciding.ts'
import { dialog, expect, openNewest, openOrder, rowOf, test } from './desk.ts'
import type { Outside } from './outside.ts'
import { signIn } from './people.ts'
import { selectionBar } from './orders/selection.ts'

const local = { delivery: { method: 'on_demand' } } satisfies Partial<NewOrder>
/** A parcel that a rule of the demo holds until an owner lets it pass. */
const held = {
  recipient: { ...heldPlaces[0], first_name: 'Ngozi', last_name: 'Eze', phone_number: '+13075550117' },
} as Partial<NewOrder>
const byName = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first()

interface Opening {
  /** The name of the dialog that opens. */
  readonly title: string | RegExp
  /** The file of its part, which the test holds back. */
  readonly part: string
  readonly order?: Partial<NewOrder>
  readonly isAccepted?: boolean
  /** A clerk has asked the owners about the rule that holds the order. */
  readonly isAsked?: boolean
  /** The person at the desk, if not the clerk. */
  readonly person?: string
  readonly press: (page: Page) => Promise<void>
}

const withKey = (key: string) => (page: Page) => page.keyboard.press(key)
const withButton = (name: string | RegExp) => async (page: Page) => {
  await byName(page, name).focus()
  await page.keyboard.press('Enter')
}

const fromOrder: readonly Opening[] = [
  { title: 'Accept & Confirm', part: 'accept-dialog', press: withKey('a') },
  { title: 'Reject Order', part: 'reject-dialog', press: withKey('r') },
  { title: 'Keyboard shortcuts', part: 'shortcut-sheet', press: withKey('?') },
  { title: 'Order alarm', part: 'alarm-panel', press: withButton(/^Order alarm: /) },
  { title: 'Out of Stock', part: 'report-dialogs', press: withButton('Out of stock') },
  { title: 'Wrong Price', part: 'report-dialogs', press: withButton('Wrong Price') },
  {
    title: 'Amontillado',
    part: 'picture-preview',
    order: { items: [anItem({ name: 'Amontillado', image_spec: '/images/bottles/white-0-{dims}.svg' })] },
    press: withButton('Show Amontillado large'),
  },
  {
    title: 'Tracking Information',
    part: 'tracking-dialog',
    isAccepted: true,
    press: withButton('Add Tracking'),
  },
  {
    title: 'Create Shipping Label',
    part: 'label-dialog',
    isAccepted: true,
    press: withButton('Create Shipping Label'),
  },
  {
    title: 'Deliver Order',
    part: 'deliver-dialog',
    order: local,
    isAccepted: true,
    press: withButton('Deliver'),
  },
  {
    title: 'Request Courier Pickup',
    part: 'courier-dialog',
    order: { ...local, courier_estimate_id: 'est-1' },
    isAccepted: true,
    press: withButton('REQUEST PICKUP'),
  },
  {
    title: 'Send Directions to Phone',
    part: 'send-directions-dialog',
    order: local,
    press: withButton('Send Directions to Phone'),
  },
  { title: 'Ask an owner', part: 'ask-dialog', order: held, press: withButton('Ask an owner') },
  {
    title: 'Let it pass',
    part: 'pass-dialog',
    order: held,
    person: 'owner@demo.test',
    press: withButton('Let it pass'),
  },
  {
    title: 'Keep it held',
    part: 'keep-dialog',
    order: held,
    isAsked: true,
    person: 'owner@demo.test',
    press: withButton('Keep it held'),
  },
]

async function orderFor(
  { order: changes, isAccepted, isAsked }: Opening,
  outside: Outside,
  url: string,
): Promise<Order> {
  const order = await outside.order('demo', changes)
  if (!isAccepted && !isAsked) return order
  const { bearer } = await signIn(url, 'manager@demo.test')
  if (isAccepted) return outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const rule = order.duties?.block[0]?.rule ?? ''
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    body: { rule },
  })
  return order
}

/** Keys that a clerk may type without looking at the screen. */
const typedOn = ['a', 'r', 'p', 'x', '/', 'g', 'i', '?', 'Enter', 'Space']

/** Presses keys while the opened part is held back. Neither the page nor the part may react to them. */
async function expectKeysToRest(page: Page, title: string | RegExp): Promise<void> {
  const address = page.url()
  const commands: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isRead = ['GET', 'HEAD'].includes(request.method())
    if (/\/(orders|users|reports)\b/.test(pathname) && !isRead) commands.push(pathname)
  })
  const opened = page.getByRole('dialog', { name: title })
  await expect(opened).toBeVisible()
  await expect(opened.getByText('Loading', { exact: true })).toBeAttached()
  const holdsFocus = () => opened.evaluate((box) => box.contains(document.activeElement))
  expect(await holdsFocus()).toBe(true)
  for (const key of typedOn) await page.keyboard.press(key)
  await expect(opened).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  expect(await holdsFocus()).toBe(true)
  expect(page.url()).toBe(address)
  expect(commands).toEqual([])
}

async function expectToArrive(page: Page, title: string | RegExp): Promise<void> {
  const opened = page.getByRole('dialog', { name: title })
  await expect(opened.getByText('Loading', { exact: true })).toHaveCount(0)
  await expect(opened.locator(':focus')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test.describe('a dialog whose part is loading opens at once and takes the keys', () => {
  for (const opening of fromOrder) {
    const { title, part, press, person = 'member@demo.test' } = opening
    test(`${title}`, async ({ openDesk, outside, cable, url }) => {
      const order = await orderFor(opening, outside, url)
      const before = await actions(outside, url, order)
      const page = await openDesk(person, { baseURL: cable.url })
      cable.holdAnswers(`GET /assets/${part}-`)
      await openOrder(page, order)
      await expect(page.getByText('Order received')).toBeVisible()
      await press(page)
      await expectKeysToRest(page, title)
      cable.mend()
      await expectToArrive(page, title)
      expect(await actions(outside, url, order)).toEqual(before)
      // An open question rings on the owners' screens of all other tests.
      if (opening.isAsked) await outside.tell(order, { status: 'CANCELLED' })
    })
  }

  // One file holds all three.
  const part = 'labels-dialog'
  const fromBar = [
    ['Accept 1', 'Accept Orders'],
    ['Packing slips', 'Packing Slips'],
    ['Labels', 'Shipping Labels'],
  ] as const
  for (const [name, title] of fromBar) {
    test(`${title}, from the bar of a selection`, async ({ openDesk, outside, shop, cable }) => {
      const order = await outside.order(shop.key)
      const page = await openDesk(shop.owner, { baseURL: cable.url })
      cable.holdAnswers(`GET /assets/${part}-`)
      await openNewest(page)
      await expect(rowOf(page, order)).toBeVisible()
      await page.getByRole('checkbox', { name: `Select #${order.id}` }).click()
      await selectionBar(page).getByRole('button', { name }).focus()
      await page.keyboard.press('Enter')
      await expectKeysToRest(page, title)
      cable.mend()
      await expectToArrive(page, title)
    })
  }

  const fromSettings = [
    ['/settings/users', 'INVITE', 'Invite a user', 'invite-dialog'],
    ['/settings/users', /^Edit .*/, /^Edit /, 'edit-role-dialog'],
    ['/settings/users', /^Revoke .*/, /^Revoke /, 'revoke-dialog'],
    ['/settings/users', 'Require It', 'Require Two-Step Sign-In', 'require-dialog'],
    ['/settings/profile', /^Set Up$/, 'Set Up Two-Step Sign-In', 'two-step-dialog'],
  ] as const
  for (const [path, name, title, part] of fromSettings) {
    test(`${title.toString()}, in the settings`, async ({ openDesk, cable }) => {
      const page = await openDesk('owner@demo.test', { baseURL: cable.url })
      cable.holdAnswers(`GET /assets/${part}-`)
      await page.goto(path)
      await expect(byName(page, name)).toBeVisible()
      await withButton(name)(page)
      await expectKeysToRest(page, title)
      cable.mend()
      await expectToArrive(page, title)
    })
  }
})

test.describe('keys do nothing while the page waits for a part', () => {
  test('the settings menu', async ({ openDesk, outside, cable }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    cable.holdAnswers('GET /assets/settings-dropdown-')
    await openOrder(page, order)
    await withButton('Settings')(page)
    for (const key of typedOn) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    cable.mend()
    await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
    for (const key of ['a', 'r', '?']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.keyboard.press('r')
    await expect(dialog(page, 'Reject Order')).toBeVisible()
  })

  test('Escape cancels the settings menu', async ({ openDesk, outside, cable }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    cable.holdAnswers('GET /assets/settings-dropdown-')
    await openOrder(page, order)
    await withButton('Settings')(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await expect(dialog(page, 'Reject Order')).toBeVisible()
    cable.mend()
  })

  test('the form of the delivery instructions', async ({ openDesk, outside, cable }) => {
    const order = await outside.order('demo', local)
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    cable.holdAnswers('GET /assets/instructions-form-')
    await openOrder(page, order)
    await withButton('Edit instructions')(page)
    for (const key of typedOn) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    cable.mend()
    await expect(page.getByLabel('Delivery instructions')).toBeFocused()
    await expect(page.getByLabel('Delivery instructions')).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(byName(page, 'Edit instructions')).toBeFocused()
  })

  test('the panel of a filter', async ({ openDesk, outside, shop, cable }) => {
    const order = await outside.order(shop.key)
    const page = await openDesk(shop.owner, { baseURL: cable.url })
    cable.holdAnswers('GET /assets/filter-panels-')
    await openNewest(page)
    await expect(rowOf(page, order)).toBeVisible()
    await page.keyboard.press('j')
    await expect(page.getByRole('link', { name: `#${order.id}`, exact: true })).toBeFocused()
    await withButton('Method')(page)
    for (const key of ['a', 'r', 'x', 'j', 'Enter']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(selectionBar(page)).toHaveCount(0)
    cable.mend()
    await expect(page.getByRole('radio', { name: 'All methods' })).toBeFocused()
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Method' })).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
  })
})

test('the focus cannot move behind a dialog, and Tab stays in it', async ({ page, outside }) => {
  const order = await outside.order('demo')
  await openOrder(page, order)
  await page.keyboard.press('a')
  const accept = dialog(page, 'Accept & Confirm')
  const last = accept.getByRole('button', { name: 'ACCEPT', exact: true })
  const first = accept.getByRole('button', { name: 'Close dialog' })
  await expect(last).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(first).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(last).toBeFocused()
  await page.evaluate(() => document.querySelector<HTMLElement>('#root h1')?.focus())
  await expect(last).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeFocused()
})

test('LIST-025 a key that follows the first tick before its bar has come acts once the bar is there, and another press takes it back', async ({
  openDesk,
  outside,
  ownShop: shop,
  cable,
}) => {
  const order = await outside.order(shop.key)
  for (const [keys, isKept] of [
    [['a'], true],
    [['a', 'j'], false],
  ] as const) {
    const page = await openDesk(shop.owner, { baseURL: cable.url })
    cable.holdAnswers('GET /assets/selection-bar-')
    await page.goto('/orders/active')
    await expect(rowOf(page, order)).toBeVisible()
    await expect(page.getByRole('group', { name: 'Next orders' })).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(page.getByRole('checkbox', { name: `Select #${order.id}` })).toBeChecked()
    for (const key of keys) await page.keyboard.press(key)
    await expect(selectionBar(page)).toHaveCount(0)
    cable.mend()
    if (isKept) await expect(dialog(page, 'Accept Orders')).toBeVisible()
    await expect(page.locator('[role=group][aria-label="Selected orders"]')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(isKept ? 1 : 0)
  }
})
