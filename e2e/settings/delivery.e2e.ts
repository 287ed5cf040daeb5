import type { Order } from '@cellarhand/contract/orders'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Locator, Page } from '@playwright/test'
import { courierSentinels } from '../../server/src/delivery/couriers/courier-sentinels.ts'
import { basic } from '../../server/seed/calls.ts'
import { dialog, expect, followToOrder, openOrder, test, toast } from '../desk.ts'
import type { Outside } from '../outside.ts'
import { runUntil, stopTime } from '../page-time.ts'
import { signIn } from '../people.ts'

const press = (at: Page | Locator, name: string) =>
  at.getByRole('button', { name, exact: true }).first().click()

const stored = (outside: Outside, { id }: Order) =>
  outside.call('GET /marketplace/v1/orders/{id}', { as: basic('marketplace:marketplace'), params: { id } })

const local = { delivery: { method: 'on_demand' } } satisfies Partial<NewOrder>
const recipientAt = (street_1: string) => ({
  first_name: 'Dee',
  last_name: 'Nakamura',
  street_1,
  city: 'New York',
  state: 'NY',
  zipcode: '10005',
  phone_number: '+12125550123',
})

interface At {
  outside: Outside
  url: string
}

async function accepted({ outside, url }: At, changes: Partial<NewOrder> = {}): Promise<Order> {
  const { bearer } = await signIn(url, 'manager@demo.test')
  const order = await outside.order('demo', { ...local, ...changes })
  return outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
}

async function out(at: At): Promise<Order> {
  const { bearer } = await signIn(at.url, 'manager@demo.test')
  return at.outside.update(bearer, await accepted(at), { status: 'MERCHANT_SHIPPED' })
}

const withCourier = { courier_estimate_id: 'est-1' }

test('GEN-019 DELIV-002 DELIV-011 DELIV-012 DELIV-013 GAP-132 ERR-019 a courier is requested from the delivery dialog', async ({
  page,
  outside,
  url,
}) => {
  const order = await accepted({ outside, url }, withCourier)
  await openOrder(page, order)
  await press(page, 'Deliver')
  await press(dialog(page, 'Deliver Order'), 'CALL A COURIER')
  const courier = dialog(page, 'Request Courier Pickup')
  const bags = courier.getByLabel('Number of bags')
  await bags.fill('0')
  await press(courier, 'REQUEST PICKUP')
  await expect(courier.getByText('a whole number, at least 1')).toBeVisible()
  await expect(bags).toBeFocused()
  await press(courier, 'One bag more')
  await press(courier, 'One bag more')
  await expect(bags).toHaveValue('2')
  await courier.getByLabel('Pickup instructions').fill('Ring at the side door')
  await expect(courier.getByLabel('Save these instructions for later')).not.toBeChecked()
  await press(courier, 'REQUEST PICKUP')
  await expect(toast(page, 'Courier details saved successfully!')).toBeVisible()
  await expect(page.getByText('Sandbox Courier', { exact: true }).first()).toBeVisible()
  expect(await stored(outside, order)).toMatchObject({
    courier_info: { number_of_packages: 2 },
    aux_data: { courier_pick_instructions: 'Ring at the side door' },
  })
})

test('DELIV-014 instructions that are saved for later stand in the next order’s dialog, and others do not', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const page = await openDesk(ownShop.owner)
  const courier = dialog(page, 'Request Courier Pickup')
  const instructions = courier.getByLabel('Pickup instructions')
  const kept = 'Always: ring at the side door'
  for (const [found, typed] of [
    [undefined, kept],
    [kept, 'Once: the bell is broken'],
    [kept, ''],
  ] as const) {
    const order = await outside.order(ownShop.key, { delivery: { method: 'on_demand' }, ...withCourier })
    await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
    await (found === undefined ? openOrder : followToOrder)(page, order)
    await press(page, 'REQUEST PICKUP')
    if (found !== undefined) await expect(instructions).toHaveValue(found)
    await instructions.fill(typed)
    if (typed === kept) await courier.getByLabel('Save these instructions for later').check()
    await press(courier, 'REQUEST PICKUP')
    await expect(courier).toHaveCount(0)
  }
})

test('DELIV-001 while MARK DELIVERED waits for its first step, that button says so and keeps the focus', async ({
  openDesk,
  outside,
  url,
  cable,
}) => {
  const order = await accepted({ outside, url }, { delivery: { method: 'on_demand' } })
  const page = await openDesk('owner@demo.test', { baseURL: cable.url })
  await openOrder(page, order)
  await press(page, 'Deliver')
  const deliver = dialog(page, 'Deliver Order')
  const button = (name: string) => deliver.getByRole('button', { name, exact: true })
  cable.holdAnswers('PUT /m/v2/orders')
  await button('MARK DELIVERED').click()
  await expect(button('MARK DELIVERED')).toHaveAttribute('aria-busy', 'true')
  await expect(button('MARK DELIVERED')).toBeFocused()
  await expect(button('OUT FOR DELIVERY')).toBeDisabled()
  cable.mend()
  // The ID is all that the second step has still to ask.
  await expect(button("Driver's license")).toBeFocused()
})

test('DELIV-015 the courier service’s words show in the dialog, and no typed text is lost', async ({
  page,
  outside,
  url,
}) => {
  const street = courierSentinels.find(({ plan }) => plan === 'too_far')?.street ?? ''
  const order = await accepted({ outside, url }, { ...withCourier, recipient: recipientAt(street) })
  await openOrder(page, order)
  await press(page, 'REQUEST PICKUP')
  const courier = dialog(page, 'Request Courier Pickup')
  await courier.getByLabel('Number of bags').fill('3')
  await press(courier, 'REQUEST PICKUP')
  await expect(courier.getByRole('alert')).toHaveText('This address is too far away for a courier.')
  await expect(courier.getByLabel('Number of bags')).toHaveValue('3')
})

test('DELIV-016 VIEW-032 T28 the courier is refreshed and cancelled while the order is accepted', async ({
  page,
  outside,
  url,
}) => {
  const order = await accepted({ outside, url }, withCourier)
  await page.clock.install()
  await openOrder(page, order)
  await expect(page.getByRole('button', { name: 'Refresh courier' })).toHaveCount(0)
  await press(page, 'REQUEST PICKUP')
  await press(dialog(page, 'Request Courier Pickup'), 'REQUEST PICKUP')
  const refresh = page.getByRole('button', { name: 'Refresh courier' })
  await expect(refresh).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await stopTime(page)
  const answered = page.waitForResponse(/\/courier\/refresh$/)
  await refresh.click()
  await (await answered).finished()
  // An event may make the page ask meanwhile; this is the request after the wait, which only the page's time ends.
  await page.clock.runFor(1_000)
  const again = page.waitForRequest(
    (request) => request.url().endsWith(`/m/v2/orders/${order.id}`) && request.method() === 'GET',
  )
  let isAsked = false
  void again.then(() => (isAsked = true))
  await runUntil(page, async () => expect(isAsked).toBe(true))
  await page.clock.resume()
  await expect(refresh).not.toHaveAttribute('aria-busy', 'true')
  await press(page, 'Courier details')
  const details = dialog(page, 'Courier Details')
  await expect(details.getByText('Bags')).toBeVisible()
  await press(details, 'CANCEL COURIER')
  await expect(page.getByText('Cancelled: a courier can be requested again')).toBeVisible()
  expect((await stored(outside, order)).courier_info?.order_status).toBe('ORDER_CANCELLED')
})

test('DELIV-017 DELIV-018 DELIV-019 DELIV-020 DELIV-021 DELIV-022 DELIV-023 GEN-016 a text message that fails says so, with the reason, and keeps the number; directions go to a phone, whose number no answer has to repeat', async ({
  page,
  outside,
  url,
}) => {
  const order = await accepted({ outside, url })
  await openOrder(page, order)
  await press(page, 'Send Directions to Phone')
  const send = dialog(page, 'Send Directions to Phone')
  const number = send.getByLabel('Phone number')
  await expect(number).toBeFocused()
  await number.pressSequentially('212555')
  await expect(number).toHaveValue('(212) 555')
  await press(send, 'SEND')
  await expect(send.getByText('Please enter a valid phone number')).toBeVisible()
  await number.fill('5005550009')
  await press(send, 'SEND')
  await expect(send.getByRole('alert')).toContainText('There was an error trying to send the message.')
  await expect(send.getByRole('alert')).toContainText('landline')
  await expect(number).toHaveValue('(500) 555-0009')
  await press(send, 'CLOSE')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await press(page, 'Send Directions to Phone')
  const phone = `212556${String(1000 + (Number(order.id) % 9000))}`
  await number.fill(phone)
  await expect(number).toHaveValue(/^\(\d{3}\) \d{3}-\d{4}$/)
  const answered = page.waitForResponse(/\/m\/v2\/sms$/)
  await press(send, 'SEND')
  expect(await (await answered).json()).toEqual({})
  await expect(toast(page, /^We have sent directions to \+1 \(212\) 556-\d{4}\.$/)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { items } = await outside.call('GET /demo/outbox.json', { as: '' })
  const text = items.find(({ to }) => to === `+1${phone}`)
  expect(text?.text).toContain(`Directions to order #${order.id}: https://www.google.com/maps/dir/`)
})

test('GEN-015 GAP-114 VIEW-011 directions are printed with map, the whole address and every line of the instructions, on the page', async ({
  page,
  outside,
  url,
}) => {
  const recipient = {
    ...recipientAt(`118 ${'Pearl'.repeat(35)}`),
    last_name: 'N'.repeat(100),
    street_2: 'Apt'.repeat(60),
    street_3: 'Rear'.repeat(50),
    delivery_instructions: `${'W'.repeat(300)}\nsecond line\nthird line`,
  }
  const order = await accepted({ outside, url }, { recipient })
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes')
  })
  await openOrder(page, order)
  await press(page, 'Print Directions')
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: `Directions to order #${order.id}` })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Map of / }).last()).toBeVisible()
  await expect(page.locator('#root')).toBeHidden()
  await page.setViewportSize({ width: 700, height: 900 })
  const sheet = page.getByRole('region', { name: 'Directions' })
  const { street_1, street_2, street_3, last_name, delivery_instructions } = recipient
  const lines = delivery_instructions.split('\n')
  const shown = (await sheet.innerText()).replaceAll(/[ \t]+/g, ' ')
  for (const text of [street_1, street_2, street_3, last_name]) expect(shown).toContain(text)
  expect(shown).toContain(`Instructions: ${lines.join('\n')}`)
  expect(await sheet.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
})

/** The events of things done, without the views of pages. */
const eventsOf = async (page: Page) => {
  const layer = await page.evaluate(() => (globalThis as { dataLayer?: { event: string }[] }).dataLayer ?? [])
  return layer.map(({ event }) => event).filter((event) => !event.startsWith('Page '))
}

test('DELIV-024 TELE-004 TELE-005 GAP-17 delivery instructions are edited in place; each event has the name of what was done, wherever the order is by then', async ({
  page,
  outside,
  url,
}) => {
  const order = await accepted({ outside, url }, withCourier)
  await openOrder(page, order)
  const edit = page.getByRole('button', { name: 'Edit instructions' })
  await edit.click()
  const field = page.getByLabel('Delivery instructions')
  await expect(field).toBeFocused()
  await expect(page.getByRole('button', { name: 'SAVE', exact: true })).toBeDisabled()
  await field.fill('Leave with the doorman')
  await field.press('Escape')
  await expect(edit).toBeFocused()
  await edit.click()
  await field.fill('Ring twice')
  await press(page, 'SAVE')
  await expect(toast(page, 'Delivery details saved successfully!')).toBeVisible()
  await expect(page.getByText('Ring twice', { exact: true })).toBeVisible()
  expect((await stored(outside, order)).recipient.delivery_instructions).toBe('Ring twice')
  await expect.poll(() => eventsOf(page)).toEqual(['Save Delivery Instructions'])
  await press(page, 'Deliver')
  await press(dialog(page, 'Deliver Order'), 'CALL A COURIER')
  await press(dialog(page, 'Request Courier Pickup'), 'REQUEST PICKUP')
  await expect.poll(() => eventsOf(page)).toEqual(['Save Delivery Instructions', 'Request Courier'])
})

test('DELIV-005 an age check is one press at the hand-over', async ({ page, outside, url }) => {
  const order = await out({ outside, url })
  await openOrder(page, order)
  await press(page, 'Mark Delivered')
  const deliver = dialog(page, 'Deliver Order')
  await press(deliver, 'Now')
  await press(deliver, 'Passport')
  await expect(deliver.getByRole('button', { name: 'Passport' })).toHaveAttribute('aria-pressed', 'true')
  await deliver.getByLabel('Delivered by').fill('Sam')
  await press(deliver, 'MARK DELIVERED')
  await expect(toast(page, 'Delivery status updated successfully!')).toBeVisible()
  await expect(page.getByText('Checked, Passport')).toBeVisible()
  expect((await stored(outside, order)).age_check).toMatchObject({ method: 'passport', checked_by: 'Sam' })
})

test('T29 a driver with a phone has big targets without scrolling sideways, and an order that was not handed over returns with the reason', async ({
  openDesk,
  outside,
  url,
}) => {
  const page = await openDesk('owner@demo.test', { viewport: { width: 390, height: 844 } })
  const order = await out({ outside, url })
  await openOrder(page, order)
  await press(page, 'Mark Delivered')
  const deliver = dialog(page, 'Deliver Order')
  for (const name of ['Now', 'Passport', 'NOT HANDED OVER', 'MARK DELIVERED']) {
    const box = await deliver.getByRole('button', { name, exact: true }).boundingBox()
    expect([name, (box?.height ?? 0) >= 44]).toEqual([name, true])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await press(deliver, 'NOT HANDED OVER')
  await press(deliver, 'BRING BACK TO THE STORE')
  await expect(deliver.getByRole('alert')).toHaveText('Please insert a reason')
  await press(deliver, 'No valid ID')
  await press(deliver, 'BRING BACK TO THE STORE')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Not handed over: no valid ID').first()).toBeVisible()
  expect((await stored(outside, order)).status).toBe('MERCHANT_ACCEPTED')
})
