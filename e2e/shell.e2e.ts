import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { dialog, expect, followToOrder, openOrder, openOrders, test, toast } from './desk.ts'
import { stopTime } from './page-time.ts'
import { signIn } from './people.ts'

test('SHELL-007 SHELL-008 ROUTE-020 an owner’s Settings dropdown and the settings’ own navigation have every entry, and Escape closes the dropdown', async ({
  page,
}) => {
  await page.goto('/settings/profile')
  const inside = page.getByRole('navigation', { name: 'Settings' })
  await expect(inside.getByRole('link')).toHaveText([
    'Profile',
    'Company',
    'Alarms',
    'Users',
    'Billing',
    'Carrier Account',
    'Rules',
    'Developers Information',
  ])
  const settings = page.getByRole('button', { name: 'Settings' })
  await settings.click()
  const entries = [
    'Profile',
    'Company',
    'Alarms',
    'Users',
    'Billing',
    'Carrier',
    'Rules',
    'Developer',
    'Sign Out',
  ]
  for (const name of entries) await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible()
  const shown = await page.getByRole('menuitem').allTextContents()
  expect(shown.filter((name) => entries.includes(name))).toEqual(entries)
  for (let opened = 0; opened < 2; opened++) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(settings).toBeFocused()
    await settings.click()
    await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
  }
})

test('SHELL-020 the dialogs of an order have the names that people use for them', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const local = { delivery: { method: 'on_demand' } }
  const accept = { status: 'MERCHANT_ACCEPTED' }
  const fresh = await outside.order('demo')
  const parcel = await outside.update(bearer, await outside.order('demo'), accept)
  const bottles = await outside.update(bearer, await outside.order('demo', local), accept)
  const opened = [
    [parcel, 'Add Tracking', 'Tracking Information'],
    [parcel, 'Create Shipping Label', 'Create Shipping Label'],
    [bottles, 'Deliver', 'Deliver Order'],
    [fresh, 'Reject', 'Reject Order'],
    [fresh, 'Accept', 'Accept & Confirm'],
  ] as const
  await openOrder(page, parcel)
  for (const [order, button, name] of opened) {
    await followToOrder(page, order)
    await page.getByRole('button', { name: button }).filter({ visible: true }).first().click()
    await expect(dialog(page, name)).toBeVisible()
    if (name === 'Accept & Confirm') continue
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'Review Order' }).click()
  await expect(dialog(page, 'Review Order')).toBeVisible()
})

test('SHELL-009 SHELL-011 CONST-001 CONST-002 GAP-177 logged-in pages have a footer, and the layout changes at 1100, 780 and 480 px', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1101, height: 800 })
  await openOrders(page)
  await expect(page.getByRole('contentinfo')).toContainText(/© \d{4} Thirstie/)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible()
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()

  // The orders are cards from 780 px down.
  await page.setViewportSize({ width: 781, height: 800 })
  await expect(page.getByRole('table', { name: 'Active orders' })).toBeVisible()
  await page.setViewportSize({ width: 780, height: 800 })
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Orders' }).getByRole('listitem').first()).toBeVisible()

  // Up to 480 px is a phone, where the page's heading leaves its room to the orders.
  await page.setViewportSize({ width: 481, height: 800 })
  const width = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.width
  await expect.poll(width).toBeGreaterThan(20)
  await page.setViewportSize({ width: 480, height: 800 })
  await expect.poll(width).toBe(1)
})

const palette = (page: Page) => dialog(page, 'Commands')
const typed = (page: Page) => palette(page).getByRole('combobox')

const saved = 'Order was updated successfully!'

/** How long a message was in the live region, by the page's own clock. */
function watchMessage(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        let since: number | undefined
        const isThere = () =>
          [...document.querySelectorAll('[role="status"]')].some((region) =>
            region.textContent.includes(wanted),
          )
        const look = (): void => {
          if (isThere()) since ??= performance.now()
          else if (since !== undefined) resolve(performance.now() - since)
        }
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
        look()
      }),
    text,
  )
}

/** Rejects the order, and returns how long its message was shown. */
async function rejectOne(page: Page, id: string): Promise<{ shownMs: Promise<number> }> {
  await page.goto(`/orders/view/${id}`)
  await page.getByRole('button', { name: 'Reject' }).first().click()
  const shownMs = watchMessage(page, saved)
  await dialog(page, 'Reject Order').getByRole('button', { name: 'REJECT', exact: true }).click()
  await expect(toast(page, saved)).toBeVisible()
  return { shownMs }
}

test('a dismissed message disappears', async ({ page, outside }) => {
  await page.clock.install()
  await rejectOne(page, (await outside.order('demo')).id)
  await stopTime(page)
  await page.getByRole('button', { name: 'Dismiss message' }).click()
  await page.clock.resume()
  await expect(toast(page, saved)).toHaveCount(0)
})

test('SHELL-021 a message disappears after 8 seconds, and waits while the mouse is on it', async ({
  page,
  openDesk,
  outside,
}) => {
  const alone = await rejectOne(page, (await outside.order('demo')).id)
  const other = await openDesk('owner@demo.test')
  await other.clock.install()
  const { shownMs: held } = await rejectOne(other, (await outside.order('demo')).id)
  await stopTime(other)
  await toast(other, saved).hover()
  let isOver = false
  void held.then(() => (isOver = true))
  // Longer than a message stays by itself.
  await other.clock.runFor(9_000)
  await expect(toast(other, saved)).toBeVisible()
  expect(isOver).toBe(false)
  await other.mouse.move(0, 0)
  await other.clock.resume()
  expect(await held).toBeGreaterThan(16_000)
  expect(await alone.shownMs).toBeGreaterThan(7_900)
})

test.describe('with service workers', () => {
  test.use({ serviceWorkers: 'allow' })

  test('SHELL-002 an old service worker is unregistered on load', async ({ page }) => {
    // Any script of ours that runs without a window can take the old worker's place.
    const folder = path.join(import.meta.dirname, '../web/dist/assets')
    const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    const sources = await Promise.all(scripts.map((name) => readFile(path.join(folder, name), 'utf8')))
    const standalone = scripts.filter(
      (_, index) => !/\bimport\b|document|window|Scalar/.test(sources[index] ?? 'window'),
    )
    await page.goto('/terms')
    const count = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await page.evaluate(
      async (name) => navigator.serviceWorker.register(`/assets/${name}`, { type: 'module' }),
      standalone[0] ?? 'no script of ours stands alone',
    )
    expect(await count()).toBe(1)
    await page.reload()
    await expect.poll(count).toBe(0)
  })
})

test('SHELL-012 a page that could not be loaded says so, and can be tried again', async ({
  openDesk,
  cable,
  outside,
}) => {
  const order = await outside.order('demo')
  const theirs = await openDesk('member@demo.test', { baseURL: cable.url })
  // The screen's code has been fetched, but not its data.
  await theirs.goto('/orders/view/1')
  await expect(theirs.getByRole('heading', { name: 'Error Code: 404' })).toBeVisible()
  await theirs.keyboard.press('ControlOrMeta+k')
  await typed(theirs).fill(order.id)
  await expect(theirs.getByRole('option').first()).toBeVisible()
  cable.cut()
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByRole('heading', { name: 'Error Occurred, please try again later' })).toBeVisible()
  cable.mend()
  await theirs.getByRole('button', { name: 'Try Again' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
})

test('SHELL-013 SHELL-014 a page that fails while it renders shows an error screen, whose button leads to /', async ({
  browser,
  url,
}) => {
  const { storage } = await signIn(url, 'owner@demo.test')
  // A separate browser that is not watched for errors, because this error is intended.
  const context = await browser.newContext({ storageState: storage, baseURL: url })
  const page = await context.newPage()
  await openOrders(page)
  const link = page.getByRole('table').getByRole('link').first()
  await link.evaluate((element) => {
    const fail = {
      get(): never {
        throw new Error('a browser that cannot write dates and numbers')
      },
    }
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', fail)
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', fail)
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'formatToParts', fail)
    ;(element as HTMLElement).click()
  })
  await expect(page.getByRole('heading', { name: 'Something on this page failed' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await context.close()
})

test('the chosen colours and rows stay, also in other tabs, and a shortcut does nothing in a field', async ({
  page,
  context,
}) => {
  await openOrders(page)
  const other = await context.newPage()
  await openOrders(other)
  const groundOf = (tab: Page) => tab.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const ground = () => groundOf(page)
  const light = await ground()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await expect.poll(() => groundOf(other)).toBe(dark)
  await other.close()
  await page.reload()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(await ground()).toBe(dark)
  await page.keyboard.press('?')
  await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('?')
  await expect(page.getByRole('combobox', { name: 'Order #' })).toHaveValue('?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a switch in the menu Settings turns off every shortcut that types a character, on this device', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo')
  const keySwitch = page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' })
  const openSwitch = () => page.getByRole('button', { name: 'Settings' }).click()
  await openOrder(page, order)
  await openSwitch()
  await expect(keySwitch).toBeChecked()
  await keySwitch.click()
  await page.reload()
  const title = page.getByRole('heading', { level: 1, name: `#${order.id}` })
  await expect(title).toBeVisible()
  for (const key of ['a', 'r', 'u', 'm', 'j', 'k', '.', '?', 'g', 'o', 'g', 't'])
    await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(title).toBeVisible()
  await expect(page.getByRole('button', { name: 'Let go' })).toHaveCount(0)
  const hints = page.locator('button kbd[aria-hidden]')
  await expect(hints).not.toHaveCount(0)
  await expect(hints.filter({ visible: true })).toHaveCount(0)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  for (const key of ['/', 'n', 's', 'j', '7', 'A', 'P', '?']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Order #' })).toHaveValue('')
  await expect(page.locator('tbody :focus, input:focus')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(typed(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await openSwitch()
  await expect(keySwitch).not.toBeChecked()
  await keySwitch.click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
})

test('the command palette leads to pages, settings and an order by its number, offers the open order’s actions, moves by arrow keys, and Escape gives the focus back', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo')
  await openOrders(page)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(typed(page)).toBeFocused()
  await typed(page).fill('on hold')
  await expect(palette(page).getByRole('option')).toHaveText([/^On Hold orders/i])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/orders\/on-hold$/)
  await expect(palette(page)).toHaveCount(0)

  // In a field too, where the shortcut types nothing.
  await page.getByRole('combobox', { name: 'Order #' }).focus()
  await page.keyboard.press('ControlOrMeta+k')
  await typed(page).fill(`#${order.id}`)
  await page.keyboard.press('Enter')
  const title = page.getByRole('heading', { level: 1, name: `#${order.id}` })
  await expect(title).toBeFocused()

  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.keyboard.press('ControlOrMeta+k')
  await typed(page).fill('dark')
  await page.keyboard.press('Enter')
  await expect.poll(ground).not.toBe(light)

  await expect(title).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  const onPage = palette(page).getByRole('option', { name: /This page$/ })
  await expect(onPage.filter({ hasText: 'Reject' })).toHaveCount(1)
  await expect(palette(page).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await expect(palette(page).getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(palette(page).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(title).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await typed(page).fill('accept')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('ACCEPT')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('ControlOrMeta+k')
  await typed(page).fill('no such thing')
  await expect(palette(page).getByText('Nothing here is called that.')).toBeVisible()
  await page.keyboard.press('Enter')
  await typed(page).fill('profile')
  await palette(page).getByRole('option', { name: 'Profile' }).click()
  await expect(page).toHaveURL(/\/settings\/profile$/)
  await page.keyboard.press('ControlOrMeta+k')
  await typed(page).fill('shortcuts')
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
})
