import { GUARD_MS } from '../web/src/lib/parts/late-press.ts'
import { dialog, expect, openOrder, openOrders, test, toast } from './desk.ts'
import { dialogTakesKeys } from './fields.ts'
import { runUntil, stopTime } from './page-time.ts'
import { signIn } from './people.ts'
import { pressWhileBusy } from './slow.ts'

for (const key of ['Enter', 'Space'])
  test(`a bouncing ${key} accepts one order, not the next one with it`, async ({
    openDesk,
    outside,
    ownShop,
  }) => {
    const [first, second] = [await outside.order(ownShop.key), await outside.order(ownShop.key)]
    const page = await openDesk(ownShop.owner)
    await page.addInitScript(() =>
      localStorage.setItem('cellarhand-preferences', JSON.stringify({ afterDecision: 'next' })),
    )
    await page.clock.install()
    await openOrders(page)
    await expect(page.getByRole('button', { name: `Accept next, #${first.id}` })).toBeEnabled()
    await page.keyboard.press('a')
    const box = dialog(page, 'Accept & Confirm')
    const confirm = box.getByRole('button', { name: 'ACCEPT' })
    await dialogTakesKeys(page)
    // However slow the machine is, the bounce comes as soon as the button of the next order has the focus.
    await stopTime(page)
    await page.keyboard.press(key)
    const nextOne = box.filter({ hasText: `#${second.id}` }).getByRole('button', { name: 'ACCEPT' })
    await runUntil(page, () => expect(nextOne).toBeFocused({ timeout: 200 }), 20)
    await page.keyboard.press(key)
    await page.clock.runFor(GUARD_MS)
    await expect(confirm).toBeEnabled()
    await expect(box).toContainText(`#${second.id}`)
    await page.clock.resume()
    // A new press counts.
    await page.keyboard.press(key)
    await expect(page.getByText('No more orders to decide', { exact: true })).toBeVisible()
  })

for (const key of ['Enter', 'Space'])
  test(`a bouncing ${key} that took a dialog to its next step chooses nothing there`, async ({
    page,
    outside,
    url,
  }) => {
    const { bearer } = await signIn(url, 'manager@demo.test')
    const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await page.clock.install()
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Deliver', exact: true }).first().click()
    const deliver = dialog(page, 'Deliver Order')
    await dialogTakesKeys(page)
    await deliver.getByRole('button', { name: 'MARK DELIVERED' }).focus()
    await stopTime(page)
    await page.keyboard.press(key)
    const first = deliver.getByRole('button', { name: "Driver's license" })
    await runUntil(page, () => expect(first).toBeFocused({ timeout: 200 }), 20)
    await page.keyboard.press(key)
    await page.clock.runFor(GUARD_MS)
    await expect(deliver.locator('[data-early]')).toHaveCount(0)
    await expect(first).toHaveAttribute('aria-pressed', 'false')
    await page.clock.resume()
    // A new press counts.
    await page.keyboard.press(key)
    await expect(first).toHaveAttribute('aria-pressed', 'true')
  })

test('a second press on a busy machine, before the first one shows, sends nothing a second time', async ({
  page,
  outside,
}) => {
  const order = await outside.order('demo')
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith(`${order.id}/reject`) && sent.push(request.method()))
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Reject', exact: true }).first().click()
  const reject = dialog(page, 'Reject Order')
  await reject.getByText('Bad weather', { exact: true }).click()
  await reject.getByRole('button', { name: 'REJECT' }).focus()
  await pressWhileBusy(page, ['Enter', 'Enter'])
  await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
  expect(sent).toEqual(['POST'])
})
