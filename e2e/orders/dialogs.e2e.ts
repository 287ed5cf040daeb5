import type { Locator, Page } from '@playwright/test'
import { courierSentinels } from '../../server/src/delivery/couriers/courier-sentinels.ts'
import { anItem, anOrder } from '../../server/test/orders.ts'
import { stored } from './deciding.ts'
import {
  chooseMore,
  dialog,
  expect,
  openNewest,
  openOrder,
  pickCarrier,
  rowOf,
  test,
  toast,
} from '../desk.ts'
import { signIn } from '../people.ts'

async function openReview(page: Page, order: { id: string }) {
  await chooseMore(page, order, 'Review Order')
  return dialog(page, 'Review Order')
}

async function openReject(page: Page, order: { id: string }) {
  const review = await openReview(page, order)
  await review.getByRole('button', { name: 'REJECT', exact: true }).click()
  return dialog(page, 'Reject Order')
}

test.describe('a dialog closed before the answer', () => {
  test('SHELL-019 DELIV-015 the courier service’s refusal still shows', async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const { bearer } = await signIn(url, 'manager@demo.test')
    const street_1 = courierSentinels.find(({ plan }) => plan === 'too_far')?.street ?? ''
    const submitted = await outside.order('demo', {
      delivery: { method: 'on_demand' },
      courier_estimate_id: 'est-1',
      recipient: { ...anOrder('x').recipient, street_1 },
    })
    const order = await outside.update(bearer, submitted, { status: 'MERCHANT_ACCEPTED' })
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await openOrder(page, order)
    await page.getByRole('button', { name: 'REQUEST PICKUP' }).first().click()
    const courier = dialog(page, 'Request Courier Pickup')
    await expect(courier).toBeVisible()
    cable.holdAnswers()
    await courier.getByRole('button', { name: 'REQUEST PICKUP' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    cable.mend()
    await expect(toast(page, `Something went wrong, the order ${order.id} wasn't updated.`)).toBeVisible()
    await expect(toast(page, 'This address is too far away for a courier.')).toBeVisible()
  })

  test('SHELL-019 its answer does not affect the dialog that the clerk has opened since', async ({
    openDesk,
    outside,
    cable,
    shop,
    url,
  }) => {
    const { bearer } = await signIn(url, shop.owner)
    const parcel = await outside.update(bearer, await outside.order(shop.key), {
      status: 'MERCHANT_ACCEPTED',
    })
    const fresh = await outside.order(shop.key)
    const page = await openDesk(shop.owner, { baseURL: cable.url })
    await openNewest(page)
    const reject = await openReject(page, fresh)
    await expect(reject).toBeVisible()
    await page.keyboard.press('Escape')
    await rowOf(page, parcel)
      .getByRole('button', { name: `Add Tracking #${parcel.id}` })
      .click()
    const tracking = dialog(page, 'Tracking Information')
    await pickCarrier(tracking, 'GSO')
    await tracking.getByLabel('Tracking number').fill('G1')
    cable.holdAnswers()
    await tracking.getByRole('button', { name: 'SAVE' }).click()
    await page.keyboard.press('Escape')
    await openReject(page, fresh)
    await reject.getByRole('radio', { name: 'Other' }).check()
    await reject.getByLabel('Reason', { exact: true }).fill('The last bottle broke')
    cable.mend()
    await expect(toast(page, 'Tracking was saved.')).toBeVisible()
    await expect(toast(page, `Order #${parcel.id}`)).toBeVisible()
    await expect(reject.getByLabel('Reason', { exact: true })).toHaveValue('The last bottle broke')
    await expect(page).toHaveURL(/\/orders\/active/)
    expect((await stored(outside, parcel)).tracking_id).toBe('G1')
  })
})

test('DELIV-003 a dialog whose own change arrives first over the event stream still ends with the answer', async ({
  openDesk,
  outside,
  cable,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const submitted = await outside.order('demo', { delivery: { method: 'on_demand' } })
  const order = await outside.update(bearer, submitted, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk('member@demo.test', { baseURL: cable.url })
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Deliver', exact: true }).first().click()
  const deliver = dialog(page, 'Deliver Order')
  await expect(deliver).toBeVisible()
  cable.holdAnswers(`PUT /m/v2/orders/${order.id}`)
  await deliver.getByRole('button', { name: 'OUT FOR DELIVERY' }).click()
  await expect(page.locator('#root [aria-current="step"]')).toContainText('Out for delivery')
  await expect(deliver.getByRole('button', { name: 'OUT FOR DELIVERY' })).toHaveAttribute('aria-busy', 'true')
  cable.mend()
  await expect(toast(page, 'Delivery status updated successfully!')).toBeVisible()
  await expect(deliver).toHaveCount(0)
})

for (const [opener, title, button, held] of [
  ['Add Tracking', 'Tracking Information', 'SAVE', 'PUT /m/v2/orders/'],
  ['REQUEST PICKUP', 'Request Courier Pickup', 'REQUEST PICKUP', 'POST /m/v2/merchant/'],
] as const)
  test(`the dialog ${title} whose own change arrives first over the event stream does not call it somebody else’s`, async ({
    openDesk,
    outside,
    cable,
    url,
  }) => {
    const { bearer } = await signIn(url, 'manager@demo.test')
    const isCourier = opener === 'REQUEST PICKUP'
    const local = { delivery: { method: 'on_demand' }, courier_estimate_id: 'est-1' } as const
    const submitted = await outside.order('demo', isCourier ? local : {})
    const order = await outside.update(bearer, submitted, { status: 'MERCHANT_ACCEPTED' })
    const page = await openDesk('member@demo.test', { baseURL: cable.url })
    await openOrder(page, order)
    await page.getByRole('button', { name: opener }).first().click()
    const open = dialog(page, title)
    await expect(open).toBeVisible()
    if (!isCourier) {
      await pickCarrier(open, 'UPS')
      await open.getByLabel('Tracking number').fill('1Z999AA10123456784')
    }
    await expect(page.locator('#root button').getByText(opener, { exact: true })).not.toHaveCount(0)
    cable.holdAnswers(held)
    const press = open.getByRole('button', { name: button })
    await press.click()
    // The order behind the dialog, which hides its roles, shows the change.
    await expect(page.locator('#root button').getByText(opener, { exact: true })).toHaveCount(0)
    await expect(press).toHaveAttribute('aria-busy', 'true')
    await expect(open.getByText('This order is now')).toHaveCount(0)
    cable.mend()
    await expect(open).toHaveCount(0)
  })

test.describe('inside Review Order', () => {
  test('SHELL-019 DELIV-024 Escape and SAVE close the instructions and not the review', async ({
    openDesk,
    outside,
    shop,
  }) => {
    const order = await outside.order(shop.key, { delivery: { method: 'on_demand' } })
    const page = await openDesk(shop.owner)
    await openNewest(page)
    const review = await openReview(page, order)
    const edit = review.getByRole('button', { name: 'Edit instructions' })
    const field = review.getByLabel('Delivery instructions')
    await edit.click()
    await field.fill('Leave with the doorman')
    await field.press('Escape')
    await expect(edit).toBeFocused()
    await edit.click()
    await review.getByRole('button', { name: 'CLOSE', exact: true }).press('Escape')
    await expect(edit).toBeFocused()
    await edit.click()
    await field.fill('Ring twice')
    await review.getByRole('button', { name: 'SAVE', exact: true }).click()
    await expect(toast(page, 'Delivery details saved successfully!')).toBeVisible()
    await expect(review.getByText('Ring twice', { exact: true })).toBeVisible()
    await expect(edit).toBeFocused()
    await expect(page).toHaveURL(/\/orders\/active/)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('SHELL-019 Escape closes one dialog at a time', async ({ openDesk, outside, shop }) => {
    const order = await outside.order(shop.key, { delivery: { method: 'on_demand' } })
    const page = await openDesk(shop.owner)
    await openNewest(page)
    const review = await openReview(page, order)
    const opener = review.getByRole('button', { name: 'Send Directions to Phone' })
    await opener.click()
    const send = dialog(page, 'Send Directions to Phone')
    await expect(send.getByLabel('Phone number')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(send).toHaveCount(0)
    await expect(opener).toBeFocused()
    await expect(page.locator('#root')).toHaveAttribute('aria-hidden', 'true')
    await page.keyboard.press('Escape')
    await expect(review).toHaveCount(0)
    await expect(page.locator('#root')).not.toHaveAttribute('aria-hidden')
  })
})

// Without a border of its own, such a name draws the digits that follow it to its other side: "Yarden 750 2018 mL".
test('a bottle’s size and a house number stay behind a name in Hebrew or Arabic', async ({
  page,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const given = anOrder('demo')
  const order = await outside.order('demo', {
    delivery: { method: 'on_demand' },
    items: [anItem({ name: 'Yarden קברנה 2018' })],
    recipient: { ...given.recipient, first_name: 'محمد', last_name: 'الخطيب', street_1: '297 Pearl St' },
  })
  /** From the right end of the first text to the left end of the second one, in pixels. */
  const after = (box: Locator, ...texts: [string, string]) =>
    box.evaluate((element, wanted) => {
      const [first = 0, second = 0] = wanted.map((text, at) => {
        const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        while (walk.nextNode() && !walk.currentNode.textContent?.includes(text));
        const range = document.createRange()
        const start = walk.currentNode.textContent?.indexOf(text) ?? 0
        range.setStart(walk.currentNode, start)
        range.setEnd(walk.currentNode, start + text.length)
        const { left, right } = range.getBoundingClientRect()
        return at === 0 ? right : left
      })
      return second - first
    }, texts)
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click()
  const accept = dialog(page, 'Accept & Confirm')
  expect(await after(accept, '2018', '750 mL')).toBeGreaterThan(0)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Deliver', exact: true }).first().click()
  expect(await after(dialog(page, 'Deliver Order'), 'محمد', '297')).toBeGreaterThan(0)
})
