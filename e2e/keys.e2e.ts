import type { Page } from '@playwright/test'
import { actions, stored } from './orders/deciding.ts'
import { dialog, expect, openNewest, openOrder, rowOf, test, toast } from './desk.ts'
import { signIn } from './people.ts'
import { openNewOrders } from './orders/selection.ts'
import { onSlowLine, onSlowMachine, pressWhileBusy } from './slow.ts'
import { dialogTakesKeys, pressPair } from './fields.ts'
import { stopTime } from './page-time.ts'

const field = (page: Page) => dialog(page, 'Commands').getByRole('combobox')
const reject = (page: Page) => dialog(page, 'Reject Order')
const accept = (page: Page) => dialog(page, 'Accept & Confirm')
const radio = (page: Page, name: string) => reject(page).getByRole('radio', { name })

/** The page's calls, without those that only read. */
function watchCommands(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isCommand = !['GET', 'HEAD'].includes(request.method()) || pathname.includes('/reports/')
    if (isCommand && !/presence|alarms|events|watch\/screen|t$/.test(pathname))
      asked.push(`${request.method()} ${pathname}`)
  })
  return asked
}

test.describe('letters after Ctrl+K', () => {
  test('while its commands are fetched, Escape closes the palette, and letters and Enter wait in it', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const order = await outside.order('demo')
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    const asked = watchCommands(page)
    cable.holdAnswers('GET /assets/command-')
    await openOrder(page, order)
    const title = page.getByRole('heading', { level: 1, name: `#${order.id}` })
    await expect(title).toBeFocused()
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('re')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(title).toBeFocused()
    // The page has its keys again.
    await page.keyboard.press('r')
    await expect(reject(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('reports')
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toHaveValue('reports')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(page).toHaveURL(new RegExp(`/orders/view/${order.id}$`))
    cable.mend()
    await expect(page).toHaveURL(/\/reports$/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(asked).toEqual([])
    expect(await actions(outside, url, order)).toEqual(['submit'])
  })

  test.describe('beside the parts that the idle page fetches', () => {
    test.use({ fetchesAhead: true })

    for (const [ground, begin, text] of [
      ['a line with a second of latency', onSlowLine, 'active'],
      ['a slow machine', onSlowMachine, 'reports'],
    ] as const) {
      test(`on ${ground}, "${text}" and Enter decide nothing and open that place`, async ({
        openDesk,
        outside,
        url,
      }) => {
        test.slow()
        const order = await outside.order('demo')
        const page = await openDesk('member@demo.test')
        const asked = watchCommands(page)
        await begin(page)
        await openOrder(page, order)
        await page.keyboard.press('ControlOrMeta+k')
        await page.keyboard.type(text, { delay: 70 })
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(new RegExp(`/${text}$`), { timeout: 180_000 })
        expect(asked).toEqual([])
        expect(await actions(outside, url, order)).toEqual(['submit'])
      })
    }
  })
})

test('a or r with Enter, pressed while the page is busy, opens its dialog and decides nothing, and a command typed into the palette leads to its page', async ({
  page,
  outside,
  url,
}) => {
  const order = await outside.order('demo')
  const asked = watchCommands(page)
  await openOrder(page, order)
  for (const [key, name] of [
    ['a', 'Accept & Confirm'],
    ['r', 'Reject Order'],
  ] as const) {
    // Fetches everything, so that the dialog opens with the key itself.
    await page.keyboard.press(key)
    await expect(dialog(page, name)).toContainText(`#${order.id}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await pressWhileBusy(page, [key, 'Enter', 'Enter'])
    await expect(dialog(page, name).locator(':focus')).toBeVisible()
    await expect(dialog(page, name)).toContainText(`#${order.id}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(asked).toEqual([])

  await page.keyboard.press('ControlOrMeta+k')
  await expect(dialog(page, 'Commands').getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await pressWhileBusy(page, ['ControlOrMeta+k', ...'profile', 'Enter'])
  await expect(page).toHaveURL(/\/profile$/)
  expect(await actions(outside, url, order)).toEqual(['submit'])
})

test('on the list, an Enter meant for a dialog does not open the order behind it, and no key does anything while an order is loading', async ({
  openDesk,
  outside,
  shop,
  cable,
  url,
}) => {
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  const order = await outside.order(shop.key)
  cable.holdAnswers('GET /assets/order-page-')
  await openNewest(page)
  await expect(rowOf(page, order)).toBeVisible()
  await page.keyboard.press('j')
  const link = page.getByRole('link', { name: `#${order.id}`, exact: true })
  await expect(link).toBeFocused()
  await pressWhileBusy(page, ['a', 'Enter'])
  await expect(accept(page).getByRole('button', { name: 'ACCEPT', exact: true })).toBeFocused()
  await expect(page).toHaveURL(/\/orders\/active\?sort=desc$/)
  expect((await stored(outside, order)).status).toBe('SUBMITTED')
  await page.keyboard.press('Escape')
  await expect(link).toBeFocused()

  await page.keyboard.press('?')
  const close = dialog(page, 'Keyboard shortcuts').getByRole('button', { name: 'Close dialog' })
  await expect(close).toBeFocused()
  for (let press = 0; press < 5; press++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(link).toBeFocused()
  await expect(page).toHaveURL(/\/orders\/active\?sort=desc$/)

  await page.keyboard.press('Enter')
  for (const key of ['a', 'r', 'x', '?']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  cable.mend()
  await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { bearer } = await signIn(url, shop.owner)
  const { history } = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: order.id } })
  expect(history.map(({ action }) => action)).toEqual(['submit'])
})

test.describe('a held key', () => {
  test('acts once: a held r, then a held Enter, reject nothing, and the Enter that opened a dialog does not answer it', async ({
    page,
    outside,
    url,
  }) => {
    const order = await outside.order('demo')
    const asked = watchCommands(page)
    await openOrder(page, order)
    for (let press = 0; press < 10; press++) await page.keyboard.down('r')
    await expect(radio(page, 'Customer cancelled')).toBeFocused()
    for (let press = 0; press < 10; press++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.keyboard.up('r')
    expect(asked).toEqual([])
    await expect(reject(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await actions(outside, url, order)).toEqual(['submit'])

    await page.getByRole('button', { name: 'Accept' }).first().focus()
    await page.keyboard.down('Enter')
    await expect(accept(page).getByRole('button', { name: 'ACCEPT', exact: true })).toBeFocused()
    for (let press = 0; press < 10; press++) await page.keyboard.down('Enter')
    await expect(accept(page)).toBeVisible()
    expect(asked).toEqual([])
    await page.keyboard.up('Enter')
    await page.keyboard.press('Enter')
    await expect(accept(page)).toHaveCount(0)
    await expect(page.getByText(/^Accepted by/)).toBeVisible()
    expect(await actions(outside, url, order)).toEqual(['accept', 'submit'])
  })

  test('the Enter that took a dialog to its next step does not answer that step', async ({
    page,
    outside,
    url,
  }) => {
    const { bearer } = await signIn(url, 'manager@demo.test')
    const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Deliver', exact: true }).first().click()
    const deliver = dialog(page, 'Deliver Order')
    await dialogTakesKeys(page)
    await deliver.getByRole('button', { name: 'MARK DELIVERED' }).focus()
    await page.keyboard.down('Enter')
    const first = deliver.getByRole('button', { name: "Driver's license" })
    await expect(first).toBeFocused()
    for (let press = 0; press < 10; press++) await page.keyboard.down('Enter')
    await expect(first).toBeFocused()
    await expect(first).toHaveAttribute('aria-pressed', 'false')
    expect((await stored(outside, order)).status).toBe('MERCHANT_SHIPPED')
    await page.keyboard.up('Enter')
    await deliver.getByRole('button', { name: 'Passport' }).click()
    await expect(deliver.getByRole('button', { name: 'MARK DELIVERED' })).toBeFocused()
    await expect(deliver.locator('[data-early]')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(deliver).toHaveCount(0)
    expect((await stored(outside, order)).status).toBe('CLOSED')
  })
})

test('on the list a held x selects once, a held j keeps moving, and a held Ctrl+K opens the palette once, none of whose repeats reaches the browser', async ({
  openDesk,
  outside,
  dataDir,
}) => {
  const { page, bar } = await openNewOrders({ openDesk, outside, dataDir }, 3)
  for (let press = 0; press < 3; press++) await page.keyboard.down('j')
  await page.keyboard.up('j')
  await expect(page.getByRole('row').last().getByRole('link')).toBeFocused()
  for (let press = 0; press < 4; press++) await page.keyboard.down('x')
  await page.keyboard.up('x')
  await expect(bar.getByText('1 selected', { exact: true })).toBeVisible()

  await page.evaluate(() => {
    const seen = globalThis as unknown as { leftToBrowser: number }
    seen.leftToBrowser = 0
    addEventListener('keydown', ({ key, defaultPrevented }) => {
      if (key === 'k' && !defaultPrevented) seen.leftToBrowser += 1
    })
  })
  await page.keyboard.down('ControlOrMeta')
  for (let repeats = 0; repeats < 3; repeats++) await page.keyboard.down('k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.down('k')
  await page.keyboard.up('k')
  await page.keyboard.press('k')
  await page.keyboard.up('ControlOrMeta')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(field(page)).toHaveValue('')
  const left = await page.evaluate(() => (globalThis as unknown as { leftToBrowser: number }).leftToBrowser)
  expect(left).toBe(0)
})

test.describe('Reject Order by keyboard', () => {
  const hint = 'Choose the reason first: an arrow key changes it, Space keeps it.'

  test('ACT-005 Enter does not take the preset reason, wherever the focus is; an arrow key chooses another, and Enter rejects', async ({
    page,
    outside,
    url,
  }) => {
    const order = await outside.order('demo')
    const asked = watchCommands(page)
    await openOrder(page, order)
    await page.keyboard.press('r')
    await expect(radio(page, 'Customer cancelled')).toBeFocused()
    await expect(radio(page, 'Customer cancelled')).toBeChecked()
    for (let press = 0; press < 3; press++) await page.keyboard.press('Enter')
    await expect(reject(page).getByRole('alert')).toHaveText(hint)
    await expect(radio(page, 'Customer cancelled')).toBeFocused()
    for (const key of ['Enter', 'Space']) {
      await reject(page).getByRole('button', { name: 'REJECT', exact: true }).focus()
      await page.keyboard.press(key)
      await expect(radio(page, 'Customer cancelled')).toBeFocused()
    }
    expect(asked).toEqual([])
    expect(await actions(outside, url, order)).toEqual(['submit'])

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(radio(page, 'Bad weather')).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
    const { status, status_comment } = await stored(outside, order)
    expect([status, status_comment]).toEqual(['MERCHANT_REJECTED', 'Bad weather'])
  })

  test('ACT-005 Space takes the preset reason, and Enter rejects', async ({ page, outside }) => {
    const order = await outside.order('demo')
    await openOrder(page, order)
    await page.keyboard.press('r')
    await expect(radio(page, 'Customer cancelled')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(reject(page).getByRole('alert')).toHaveText(hint)
    await page.keyboard.press('Space')
    await expect(reject(page).getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
    const { status, status_comment } = await stored(outside, order)
    expect([status, status_comment]).toEqual(['MERCHANT_REJECTED', 'Customer cancelled'])
  })
})

test('text meant for another place decides nothing on an order’s page; after a scanned number the next Enter presses the button', async ({
  page,
  outside,
  url,
}) => {
  const order = await outside.order('demo')
  const asked = watchCommands(page)
  await openOrder(page, order)
  for (const text of ['active', 'reports', 'ada marsh', 'for ada']) {
    // The first letter with a meaning here opens a dialog, and it is open before the next letter.
    const opened = /[ar]/.exec(text)?.[0] === 'a' ? accept(page) : reject(page)
    for (const letter of text) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      if (/[ar]/.test(letter)) await expect(opened.locator(':focus')).toBeVisible()
    }
    await page.keyboard.press('Enter')
    await expect(opened).toBeVisible()
    expect([text, ...asked]).toEqual([text])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(await actions(outside, url, order)).toEqual(['submit'])

  await page.keyboard.press('a')
  await expect(accept(page).getByRole('button', { name: 'ACCEPT', exact: true })).toBeFocused()
  await page.keyboard.type('#1000123')
  await page.keyboard.press('Enter')
  await expect(accept(page)).toBeVisible()
  expect(await actions(outside, url, order)).toEqual(['submit'])
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Accepted by/)).toBeVisible()
})

test('two keys in a row lead to the list though another key was pressed a moment before, or a page is loading', async ({
  openDesk,
  outside,
  shop,
  cable,
}) => {
  const order = await outside.order(shop.key)
  const page = await openDesk(shop.owner, { baseURL: cable.url })
  // Before the page: a pause that began on the real clock could not be cleared by the other.
  await page.clock.install()
  // Before the page, which fetches such parts early.
  cable.holdAnswers('GET /assets/today-')
  await openOrder(page, order)
  await stopTime(page)
  await page.keyboard.press('q')
  await page.clock.runFor(900)
  await page.keyboard.press('g')
  await page.clock.runFor(200)
  await page.keyboard.press('o')
  await page.clock.resume()
  await expect(page).toHaveURL(/\/orders\/active/)
  await pressPair(page, 'g', 't')
  await pressPair(page, 'g', 'i')
  await expect(page).toHaveURL(/\/inventory/)
})
