import type { Locator, Page } from '@playwright/test'
import type { Order } from '@cellarhand/contract/orders'
import { basic } from '../../server/seed/calls.ts'
import { dialog, expect, openOrder, pickCarrier, test, toast } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { signIn } from '../people.ts'
import { deliveryBy } from '../../server/test/orders.ts'
import { dialogTakesKeys, emptyInDialog } from '../fields.ts'

const shownDay = String.raw`\d\d\.\d\d\.\d{4}`

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

async function openReject(page: Page, order: Order): Promise<Locator> {
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Reject' }).first().click()
  await dialogTakesKeys(page)
  return dialog(page, 'Reject Order')
}

/** An order that a clerk has accepted at another till. */
async function accepted(outside: Outside, url: string, changes: Parameters<Outside['order']>[1] = {}) {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', changes)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  return { order, bearer }
}

const stored = (outside: Outside, { id }: Order) =>
  outside.call('GET /marketplace/v1/orders/{id}', { as: basic('marketplace:marketplace'), params: { id } })

test.describe('accept and reject', () => {
  test('ACT-002 Accept & Confirm has ACCEPT and REJECT, and REJECT leads to the reasons', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo')
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Accept' }).first().click()
    const accept = dialog(page, 'Accept & Confirm')
    await expect(accept.getByRole('button', { name: 'ACCEPT', exact: true })).toBeFocused()
    await accept.getByRole('button', { name: 'REJECT', exact: true }).click()
    const reject = dialog(page, 'Reject Order')
    await expect(reject.getByRole('button', { name: 'REJECT', exact: true })).toBeVisible()
    await reject.getByRole('button', { name: 'CLOSE', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect((await stored(outside, order)).status).toBe('SUBMITTED')
  })

  test('ACT-003 ACT-005 ACT-006 ACT-009 ROUTE-016 a reject with the preset reason', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo')
    const reject = await openReject(page, order)
    const reasons = reject.getByRole('radio')
    await expect(reasons).toHaveCount(5)
    for (const reason of ['Customer cancelled', 'Courier issue', 'Bad weather', 'Store closed', 'Other'])
      await expect(reject.getByRole('radio', { name: reason, exact: true })).toBeVisible()
    await expect(reject.getByRole('radio', { name: 'Customer cancelled' })).toBeChecked()
    await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
    await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/orders/view/${order.id}$`))
    await expect(page.getByText('Rejected by Marguerite Okafor')).toBeVisible()
    await expect(page.getByText('Customer cancelled').first()).toBeVisible()
    const { status, rejection_message } = await stored(outside, order)
    expect(status).toBe('MERCHANT_REJECTED')
    expect(rejection_message).toContain('orderRejected')
  })

  test('ACT-004 GAP-102 the dialog says REJECT, and PARTIAL_REJECT beside it once some of the lines are reported', async ({
    page,
    outside,
    url,
  }) => {
    const { bearer } = await signIn(url, 'manager@demo.test')
    const items = ['p-1', 'p-2'].map((id) => ({
      id: `line-${id}`,
      name: `Cellar Red ${id}`,
      quantity: 1,
      price: 20,
      subtotal: 20,
      product: { id },
    }))
    const order = await outside.order('demo', { items, transaction: { subtotal: 40, total: 40 } })
    const whole = await openReject(page, order)
    await expect(whole.getByRole('button', { name: 'CLOSE', exact: true })).toBeVisible()
    await expect(whole.getByRole('button', { name: 'REJECT', exact: true })).toBeVisible()
    const reported = { outOfStock: { 'p-1': { checked: true, reason: 'within 48 hrs' } } }
    await outside.update(bearer, order, {
      status: 'REJECTED_PARTIAL',
      order: { rejection_message: JSON.stringify(reported) },
    })
    const partial = await openReject(page, order)
    await expect(partial.getByRole('button', { name: 'CLOSE', exact: true })).toBeVisible()
    await partial.getByRole('button', { name: 'PARTIAL_REJECT', exact: true }).click()
    await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
    await expect(page.getByText('Partly rejected by Marguerite Okafor')).toBeVisible()
    expect((await stored(outside, order)).status).toBe('REJECTED_PARTIAL')
    // The shop finds the rest missing too: an order that is held in part can be rejected in full (GAP-102).
    const rest = await openReject(page, order)
    await expect(rest.getByRole('button', { name: 'PARTIAL_REJECT', exact: true })).toBeVisible()
    const inFull = rest.getByRole('button', { name: 'REJECT', exact: true })
    await inFull.press('Enter')
    await expect(rest.getByRole('alert')).toContainText('Choose the reason first')
    await inFull.click()
    await expect(page.getByText(/^Rejected by Marguerite Okafor/)).toBeVisible()
    expect((await stored(outside, order)).status).toBe('MERCHANT_REJECTED')
  })

  test('ACT-007 ACT-008 the reason Other asks for a text, and another reason removes the error', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo')
    const reject = await openReject(page, order)
    const submit = reject.getByRole('button', { name: 'REJECT', exact: true })
    const problem = reject.getByText('Please insert a reason', { exact: true })
    await reject.getByRole('radio', { name: 'Other' }).check()
    await submit.click()
    await expect(problem).toBeVisible()
    await expect(reject.getByLabel('Reason', { exact: true })).toBeFocused()
    await reject.getByRole('radio', { name: 'Bad weather' }).check()
    await expect(problem).toHaveCount(0)
    await reject.getByRole('radio', { name: 'Other' }).check()
    await expect(problem).toHaveCount(0)
    await reject.getByLabel('Reason', { exact: true }).fill('The bottle broke')
    await submit.click()
    await expect(toast(page, 'Order was updated successfully!')).toBeVisible()
    await expect(page.getByText('The bottle broke').first()).toBeVisible()
  })

  test('ACT-010 a reject that comes too late says so, and names the earlier decision', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo')
    const reject = await openReject(page, order)
    await outside.tell(order, { status: 'CANCELLED', comment: 'No longer wanted' })
    await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
    await expect(toast(page, 'Error occurred trying to rejected the order.')).toBeVisible()
    await expect(toast(page, /was faster: Cancelled at/)).toBeVisible()
    expect((await stored(outside, order)).status).toBe('CANCELLED')
  })
})

test('a button that works takes no second press', async ({ openDesk, outside, cable }) => {
  const order = await outside.order('demo')
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  const reject = (await openReject(page, order)).getByRole('button', { name: 'REJECT', exact: true })
  await expect(reject).toBeVisible()
  let sent = 0
  page.on('request', (request) => (sent += request.url().endsWith('/reject') ? 1 : 0))
  cable.holdAnswers(`POST /m/v2/merchant/demo/orders/${order.id}/reject`)
  await reject.click()
  await expect(reject).toHaveAttribute('aria-busy', 'true')
  await reject.click({ force: true })
  await page.keyboard.press('Enter')
  cable.mend()
  await expect(page.getByText(/^Rejected by /)).toBeVisible()
  expect(sent).toBe(1)
})

test.describe('tracking', () => {
  test('SHIP-012 SHIP-013 SHIP-014 SHIP-015 SHIP-017 the carriers, their logos, and the required fields', async ({
    page,
    outside,
    url,
  }) => {
    const { order } = await accepted(outside, url)
    await openOrder(page, order)
    await press(page, 'Add Tracking')
    const tracking = dialog(page, 'Tracking Information')
    const label = (carrier: string) =>
      tracking.locator('label').filter({ has: page.getByRole('radio', { name: carrier, exact: true }) })
    await expect(tracking.getByRole('radio')).toHaveCount(4)
    for (const [carrier, marks] of [
      ['FedEx', 0],
      ['UPS', 0],
      ['GSO', 1],
      ['OTHER', 1],
    ] as const)
      await expect(label(carrier).locator('svg')).toHaveCount(marks)
    await expect(label('FedEx')).toHaveText('FedExFedEx')
    await expect(label('UPS')).toHaveText('upsUPS')

    const problem = tracking.getByRole('alert').getByText('* Please fill in all the fields', { exact: true })
    await press(page, 'SAVE')
    await expect(problem).toBeVisible()
    await expect(tracking.getByRole('radio', { name: 'FedEx' })).toBeFocused()
    await pickCarrier(tracking, 'UPS')
    await expect(problem).toHaveCount(0)
    await tracking.getByLabel('Tracking number').fill('   ')
    await press(page, 'SAVE')
    await expect(problem).toBeVisible()
    await expect(tracking.getByLabel('Tracking number')).toBeFocused()
    await tracking.getByLabel('Tracking number').fill(' 1Z 999 AA1 ')
    await press(page, 'SAVE')
    await expect(page.getByRole('link', { name: /^1Z999AA1/ })).toBeVisible()
    const { tracking_id, tracking_provider } = await stored(outside, order)
    expect([tracking_provider, tracking_id]).toEqual(['UPS', '1Z999AA1'])
  })

  test('SHIP-016 a tracking number of more than 30 characters stays as typed, and is said to be too long', async ({
    page,
    outside,
    url,
  }) => {
    const { order } = await accepted(outside, url)
    await openOrder(page, order)
    await press(page, 'Add Tracking')
    const field = dialog(page, 'Tracking Information').getByLabel('Tracking number')
    await field.click()
    await page.keyboard.insertText('1234 5678 90 '.repeat(4))
    await expect(field).toHaveValue('1234567890'.repeat(4))
    await pickCarrier(dialog(page, 'Tracking Information'), 'FedEx')
    await press(page, 'SAVE')
    await expect(field).toBeFocused()
    await expect(page.getByText('A tracking number has at most 30 characters', { exact: true })).toBeVisible()
    expect((await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
    await field.fill('1234567890'.repeat(3))
    await press(page, 'SAVE')
    await expect(page.getByRole('link', { name: /^1234567890/ })).toBeVisible()
  })

  test('SHIP-018 SHIP-019 another carrier needs a name, a number and an address', async ({
    page,
    outside,
    url,
  }) => {
    const { order } = await accepted(outside, url)
    await openOrder(page, order)
    await press(page, 'Add Tracking')
    const tracking = dialog(page, 'Tracking Information')
    await expect(tracking.getByLabel('Carrier name')).toHaveCount(0)
    await pickCarrier(tracking, 'OTHER')
    const problem = tracking.getByText('* Please fill in all the fields', { exact: true })
    for (const [field, value] of [
      ['Carrier name', 'Bike & Co'],
      ['Tracking number', 'B 42'],
      ['Tracking URL', 'https://bike.example/42'],
    ] as const) {
      await press(page, 'SAVE')
      await expect(problem).toBeVisible()
      await expect(tracking.getByLabel(field)).toBeFocused()
      await expect(tracking.getByLabel(field)).toHaveAttribute('aria-invalid', 'true')
      await tracking.getByLabel(field).fill(value)
    }
    await tracking.getByLabel('Tracking URL').fill('javascript:alert(1)')
    await press(page, 'SAVE')
    await expect(tracking.getByText(/starts with http:\/\/ or https:\/\//)).toBeVisible()
    await tracking.getByLabel('Tracking URL').fill('https://bike.example/42')
    await press(page, 'SAVE')
    await expect(page.getByRole('link', { name: /^B42/ })).toHaveAttribute('href', 'https://bike.example/42')
  })

  test('SHIP-021 tracking that cannot be saved says so', async ({ page, outside, url }) => {
    const { order } = await accepted(outside, url)
    await openOrder(page, order)
    await press(page, 'Add Tracking')
    const tracking = dialog(page, 'Tracking Information')
    await pickCarrier(tracking, 'GSO')
    await tracking.getByLabel('Tracking number').fill('G1')
    await outside.tell(order, { status: 'CANCELLED' })
    await press(page, 'SAVE')
    await expect(toast(page, "Something went wrong, tracking details weren't saved.")).toBeVisible()
    expect((await stored(outside, order)).tracking_id).toBeNull()
  })
})

test.describe('delivery', () => {
  async function openDelivered(
    page: Page,
    outside: Outside,
    url: string,
  ): Promise<{ order: Order; form: Locator }> {
    const { order, bearer } = await accepted(outside, url, {
      delivery: { method: 'on_demand' },
      date_submitted: '2026-01-02T15:00:00Z',
    })
    await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED' })
    await openOrder(page, order)
    await press(page, 'Mark Delivered')
    return { order, form: dialog(page, 'Deliver Order') }
  }

  test('DELIV-006 DELIV-007 date, time and AM/PM are required and must be real', async ({
    page,
    outside,
    url,
  }) => {
    const { order, form } = await openDelivered(page, outside, url)
    const missing = form.getByRole('alert').getByText('Please fill in required fields', { exact: true })
    // It opens with this moment, which is mostly the one.
    await expect(form.getByLabel('Delivery date')).toHaveValue(/^\d\d\/\d\d\/\d{4}$/)
    await expect(form.getByLabel('AM/PM')).not.toHaveValue('')
    await emptyInDialog(form.getByLabel('Delivery date'))
    await emptyInDialog(form.getByLabel('Time'))
    await form.getByLabel('AM/PM').selectOption('')
    await press(page, 'MARK DELIVERED')
    await expect(missing).toBeVisible()
    await expect(form.getByLabel('Delivery date')).toBeFocused()
    await form.getByLabel('Delivery date').fill('01/03/2026')
    await expect(missing).toHaveCount(0)
    await press(page, 'MARK DELIVERED')
    await expect(missing).toBeVisible()
    await expect(form.getByLabel('Time')).toBeFocused()
    await form.getByLabel('Time').fill('9:30')
    await press(page, 'MARK DELIVERED')
    await expect(missing).toBeVisible()
    await expect(form.getByLabel('AM/PM')).toBeFocused()
    await form.getByLabel('AM/PM').selectOption('PM')
    for (const [date, time] of [
      ['02/30/2026', '9:30'],
      ['01/03/2026', '13:00'],
      ['2026-01-03', '9:30'],
    ] as const) {
      await form.getByLabel('Delivery date').fill(date)
      await form.getByLabel('Time').fill(time)
      await press(page, 'MARK DELIVERED')
      await expect(form.getByRole('alert')).toBeVisible()
    }
    expect((await stored(outside, order)).status).toBe('MERCHANT_SHIPPED')
  })

  for (const [half, expected, shown] of [
    ['AM', '2026-01-03T05:05:00.000Z', '01.03.2026 12:05 AM'],
    ['PM', '2026-01-03T17:05:00.000Z', '01.03.2026 12:05 PM'],
  ] as const) {
    test(`DELIV-004 DELIV-005 DELIV-008 DELIV-010 12:05 ${half} in the shop’s time, with the driver and the recipient`, async ({
      page,
      outside,
      url,
    }) => {
      const { order, form } = await openDelivered(page, outside, url)
      await form.getByLabel('Delivery date').fill('01/03/2026')
      await form.getByLabel('Time').fill('12:05')
      await form.getByLabel('AM/PM').selectOption(half)
      if (half === 'PM') {
        await form.getByLabel('Delivered by').fill(' Sam ')
        await form.getByLabel('Signed by').fill('D. Nakamura')
      }
      await press(page, 'Passport')
      await press(page, 'MARK DELIVERED')
      await expect(toast(page, 'Delivery status updated successfully!')).toBeVisible()
      await expect(page.getByText(shown).first()).toBeVisible()
      const { status, delivery_info } = await stored(outside, order)
      expect(status).toBe('CLOSED')
      expect(new Date(delivery_info?.delivered_on ?? 0).toISOString()).toBe(expected)
      expect([delivery_info?.delivered_by, delivery_info?.signed_by]).toEqual(
        half === 'PM' ? ['Sam', 'D. Nakamura'] : [null, null],
      )
    })
  }

  test('a delivery in the future is refused at its field, and the typed text stays', async ({
    page,
    outside,
    url,
  }) => {
    const { form } = await openDelivered(page, outside, url)
    await form.getByLabel('Delivery date').fill('12/31/2099')
    await form.getByLabel('Time').fill('1:00')
    await form.getByLabel('AM/PM').selectOption('PM')
    await press(page, 'Passport')
    await press(page, 'MARK DELIVERED')
    await expect(form.getByRole('alert')).toBeVisible()
    await expect(form.getByLabel('Delivery date')).toHaveAttribute('aria-invalid', 'true')
    await expect(form.getByLabel('Delivery date')).toHaveValue('12/31/2099')
  })

  test('DELIV-009 an on-demand order is due 2 hours after it was submitted', async ({ page, outside }) => {
    const order = await outside.order('demo', { delivery: { method: 'on_demand' } })
    await openOrder(page, order)
    const due = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      hour: 'numeric',
      minute: '2-digit',
    }).format(Date.parse(order.date_submitted) + 2 * 3_600_000)
    const time = due.replaceAll('\u202f', ' ')
    // Late in the evening, that is tomorrow.
    await expect(page.getByText(new RegExp(`Due by ${time}( on ${shownDay})?\\.$`))).toBeVisible()
  })

  test('an order that was due on an earlier day says on which', async ({ page, outside }) => {
    const date_submitted = new Date(Date.now() - 40 * 3_600_000).toISOString()
    const order = await outside.order('demo', { delivery: { method: 'on_demand' }, date_submitted })
    await openOrder(page, order)
    await expect(page.getByText(new RegExp(`Due by \\d+:\\d\\d [AP]M on ${shownDay}\\.$`))).toBeVisible()
  })
})

test('SHELL-017 SHELL-018 SHELL-019 Escape and Close close every dialog and give the focus back', async ({
  page,
  outside,
  url,
}) => {
  const fresh = await outside.order('demo')
  const local = await accepted(outside, url, { delivery: deliveryBy('scheduled') })
  const parcel = await accepted(outside, url)
  for (const [order, opener, title] of [
    [fresh, 'Accept', 'Accept & Confirm'],
    [fresh, 'Reject', 'Reject Order'],
    [local.order, 'Deliver', 'Deliver Order'],
    [parcel.order, 'Add Tracking', 'Tracking Information'],
  ] as const) {
    await openOrder(page, order)
    const button = page.getByRole('button', { name: opener }).first()
    for (const close of ['Escape', 'Close dialog']) {
      await button.click()
      await expect(dialog(page, title)).toBeVisible()
      if (close === 'Escape') await page.keyboard.press('Escape')
      else await dialog(page, title).getByRole('button', { name: close }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(button).toBeFocused()
    }
  }
})
