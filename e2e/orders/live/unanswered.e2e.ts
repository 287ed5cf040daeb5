import { randomUUID } from 'node:crypto'
import type { BrowserContextOptions, Page } from '@playwright/test'
import type { Cable } from '../../cable.ts'
import { askToAccept, next, pressAccept, stored } from '../deciding.ts'
import { dialog, expect, openOrder, openOrders, rowOf, test, toast } from '../../desk.ts'
import type { Outside } from '../../outside.ts'
import { runUntil, stopTime, timeOf } from '../../page-time.ts'
import { signIn } from '../../people.ts'
import { selectionBar, selectLoaded } from '../selection.ts'
import type { Shop } from '../../shop.ts'

interface Ground {
  readonly openDesk: (person: string, options?: BrowserContextOptions) => Promise<Page>
  readonly outside: Outside
  readonly url: string
  readonly cable: Cable
}

test('an accept’s retry disappears with the session, and the next person cannot use it', async ({
  openDesk,
  outside,
  cable,
}) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  await openOrder(page, order)
  await askToAccept(page)
  await stopTime(page)
  cable.hold()
  await pressAccept(page)
  const again = page.getByRole('button', { name: 'Try again' })
  await runUntil(page, async () => expect(again).toBeVisible({ timeout: 200 }))
  const token = await page.evaluate(() => localStorage.getItem('jwt'))
  await outside.call('POST /a/v2/logout', { as: `Bearer ${token}`, body: {} })
  cable.mend()
  await page.clock.resume()
  // The event stream may tell the page first, and the button is gone then.
  await page.evaluate(() => document.querySelector<HTMLElement>('[aria-label="Back to the list"]')?.click())
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await expect(again).toHaveCount(0)
})

test('an unanswered change of a carrier or courier promises nothing that the server does not keep', async ({
  openDesk,
  outside,
  url,
  cable,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const fresh = await outside.order('demo', {
    delivery: { method: 'on_demand' },
    courier_estimate_id: 'est-1',
  })
  const order = await outside.update(bearer, fresh, { status: 'MERCHANT_ACCEPTED' })
  await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
    as: bearer,
    params: { tmk: 'demo', id: order.id },
    key: randomUUID(),
    body: { courier_info: { dispatch_type: 'immediate', number_of_package: 1 } },
  })
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Courier details', exact: true }).first().click()
  const cancel = dialog(page, 'Courier Details').getByRole('button', { name: 'CANCEL COURIER' })
  await expect(cancel).toBeVisible()
  await stopTime(page)
  cable.hold()
  await cancel.click()
  const words = toast(page, /^Not confirmed\..*Check the order before you try again\.$/)
  await runUntil(page, async () => expect(words).toBeVisible({ timeout: 200 }))
  cable.mend()
})

test.describe('beside an accept without an answer', () => {
  /** The list with both orders selected, and the first order's accept without an answer. */
  async function acceptLate({ openDesk, outside, cable }: Ground, { key, owner }: Shop) {
    const [first, second] = [await outside.order(key), await outside.order(key)]
    const page = await openDesk(owner, { baseURL: cable.url })
    await page.clock.install()
    // By then the order view's parts have been fetched.
    await openOrder(page, first)
    await openOrders(page)
    await selectLoaded(page)
    await rowOf(page, first)
      .getByRole('button', { name: `Accept #${first.id}` })
      .click()
    await expect(dialog(page, 'Accept & Confirm')).toBeVisible()
    await stopTime(page)
    cable.hold()
    await pressAccept(page)
    await runUntil(page, async () => expect(page).toHaveURL(/view/, { timeout: 200 }))
    await page.getByRole('button', { name: 'Back to the list' }).click()
    return { page, first, second }
  }

  test('the dialog of another order does not mention it', async ({
    openDesk,
    outside,
    cable,
    url,
    ownShop,
  }) => {
    const { page, second } = await acceptLate({ openDesk, outside, cable, url }, ownShop)
    await rowOf(page, second)
      .getByRole('button', { name: `Accept #${second.id}` })
      .click()
    await runUntil(page, async () =>
      expect(dialog(page, 'Accept & Confirm')).toContainText(`#${second.id}`, { timeout: 200 }),
    )
    await page.clock.runFor(2_500)
    await expect(dialog(page, 'Accept & Confirm').getByText('Not confirmed yet.')).toHaveCount(0)
    cable.mend()
  })

  test('a selection’s steps that depend on it wait too', async ({
    openDesk,
    outside,
    cable,
    url,
    ownShop,
  }) => {
    const { page } = await acceptLate({ openDesk, outside, cable, url }, ownShop)
    const button = (name: string) => selectionBar(page).getByRole('button', { name, exact: true })
    await runUntil(page, async () => expect(button('Labels')).toBeDisabled({ timeout: 200 }))
    await expect(button('Receipts')).toBeDisabled()
    await expect(button('Packing slips')).toBeEnabled()
    cable.mend()
    await page.clock.resume()
    await expect(button('Labels')).toBeEnabled()
    await expect(button('Receipts')).toBeEnabled()
  })
})

test('a delivery, which takes two calls, has its outcome in 15 seconds too', async ({
  openDesk,
  outside,
  url,
  cable,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await page.clock.install()
  await openOrder(page, order)
  await next(page, 'Mark Delivered').click()
  const deliver = dialog(page, 'Deliver Order')
  await deliver.getByRole('button', { name: 'Now' }).click()
  await deliver.getByRole('button', { name: 'Passport' }).click()
  await stopTime(page)
  const asked: string[] = []
  page.on('request', (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname))
  const count = (ending: string) => asked.filter((path) => path.endsWith(ending)).length
  cable.holdAnswers('POST /m/v2/merchant/')
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  const pressedAt = await timeOf(page)
  // The first call gets its answer late, at its second try; the second call never gets one.
  await page.clock.runFor(2_500)
  await expect(deliver.getByRole('status').filter({ hasText: 'Not confirmed yet.' })).toBeVisible()
  // Word of the request comes late on a busy machine, and each further piece of time brings the try nearer to its end.
  await runUntil(page, async () =>
    expect.poll(() => count(`/orders/${order.id}/data`), { timeout: 1_000 }).toBe(2),
  )
  await page.clock.runFor(Math.max(0, pressedAt + 13_500 - (await timeOf(page))))
  cable.mend()
  cable.holdAnswers('POST /m/v2/orders/')
  await expect.poll(() => count(`/m/v2/orders/${order.id}`)).toBe(1)
  const words = toast(page, /^Not confirmed\. The server did not answer in time/)
  await runUntil(page, async () => expect(words).toBeVisible({ timeout: 200 }))
  // Each call by itself has as long.
  expect((await timeOf(page)) - pressedAt).toBeLessThan(22_000)
})

test.describe('an unanswered send-out whose order has come back since', () => {
  /** The server sent the order out, the cable held the answer, and a colleague has brought the order back. */
  async function sentOutAndBack({ openDesk, outside, url, cable }: Ground, isClosedEarly: boolean) {
    const { bearer } = await signIn(url, 'manager@demo.test')
    const fresh = await outside.order('demo', { delivery: { method: 'on_demand' } })
    const order = await outside.update(bearer, fresh, { status: 'MERCHANT_ACCEPTED' })
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await page.clock.install()
    await openOrder(page, order)
    await next(page, 'Deliver').click()
    const sendOut = dialog(page, 'Deliver Order').getByRole('button', { name: 'OUT FOR DELIVERY' })
    await expect(sendOut).toBeVisible()
    await stopTime(page)
    cable.holdAnswers('PUT /m/v2/orders/')
    await sendOut.click()
    if (isClosedEarly) await page.keyboard.press('Escape')
    const words = toast(page, /^Not confirmed\. The server did not answer in time/)
    await runUntil(page, async () => expect(words).toBeVisible({ timeout: 200 }))
    expect((await stored(outside, order)).status).toBe('MERCHANT_SHIPPED')
    cable.mend()
    await page.clock.resume()
    // Behind the dialog, or without a dialog.
    const markDelivered = page.locator('main').getByText(/^Mark Delivered/)
    await expect(markDelivered.first()).toBeAttached()
    await outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
      as: bearer,
      params: { tmk: 'demo', id: order.id },
      key: randomUUID(),
      body: { reason: 'nobody_there' },
    })
    await expect(markDelivered).toHaveCount(0)
    return { page, order, sendOut }
  }

  test('is sent again by the next press, without an old answer', async ({
    openDesk,
    outside,
    url,
    cable,
  }) => {
    const { page, order, sendOut } = await sentOutAndBack({ openDesk, outside, url, cable }, false)
    await sendOut.click()
    await expect(toast(page, 'Delivery status updated successfully!')).toBeVisible()
    expect((await stored(outside, order)).status).toBe('MERCHANT_SHIPPED')
  })

  test('shows its present state after "Try again", which sends nothing on a state that nobody has seen', async ({
    openDesk,
    outside,
    url,
    cable,
  }) => {
    const { page, order } = await sentOutAndBack({ openDesk, outside, url, cable }, true)
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
    await expect(next(page, 'Deliver')).toBeEnabled()
    expect((await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
  })
})
