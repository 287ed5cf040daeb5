import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { toUtah } from '../../server/test/orders.ts'
import { dialog, expect, openOrder, openOrders, rowOf, test, toast } from '../desk.ts'
import { signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'

const utah = 'No rule that this shop has confirmed allows to ship these bottles to Utah.'
const card = (page: Page) => page.getByRole('region', { name: 'What this order needs' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('an order to a place that no signed rule allows is held: the view says why and what can be done, and an owner lets it pass', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.decideRule(bearer, { merchant: ownShop.key, rule: 'US-HOME-STATE' })
  const [held, fine] = [await outside.order(ownShop.key, toUtah), await outside.order(ownShop.key)]
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await expect(rowOf(page, fine)).toBeVisible()
  await expect(button(page, `Accept #${fine.id}`)).toBeVisible()
  await expect(button(page, `Accept #${held.id}`)).toHaveCount(0)
  await expect(rowOf(page, held)).toContainText('Held: Utah')
  // With less room the time left stays beside the reason.
  await page.setViewportSize({ width: 1180, height: 900 })
  await expect(rowOf(page, held).getByText('Held: Utah')).toBeVisible()
  await expect(rowOf(page, held).getByText(/^By .* [AP]M$/)).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await button(page, 'Needs a look 1').click()
  await expect(page).toHaveURL(/needs_a_look=/)
  await expect(rowOf(page, fine)).toHaveCount(0)
  await expect(rowOf(page, held)).toBeVisible()

  await openOrder(page, held)
  await expect(card(page)).toContainText('1 against it')
  await expect(card(page)).toContainText('Reject it with “Other: We cannot ship to Utah”')
  await expect(card(page).getByText(utah)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  expect(await violationsOf(page)).toEqual([])
  await card(page).getByRole('button', { name: 'Reject' }).click()
  const reject = dialog(page, 'Reject Order')
  await expect(reject.getByRole('radio', { name: 'Other' })).toBeChecked()
  await expect(reject.getByRole('textbox')).toHaveValue('We cannot ship to Utah')
  await expect(reject).not.toContainText('restocking fee')
  await reject.getByRole('button', { name: 'CLOSE', exact: true }).click()

  await card(page).getByRole('button', { name: 'Let it pass' }).click()
  const pass = dialog(page, 'Let it pass')
  await pass.getByRole('button', { name: 'LET IT PASS', exact: true }).click()
  await expect(pass.getByText('Please give the reason')).toBeVisible()
  await pass.getByLabel('Reason').fill('The brand holds a licence there')
  await pass.getByRole('button', { name: 'LET IT PASS', exact: true }).click()
  await expect(pass).toHaveCount(0)
  await expect(page.getByText(/^Let pass by an owner by Ada Marsh/)).toBeVisible()
  await expect(page.getByText('Reason: The brand holds a licence there')).toBeVisible()
  await page.getByRole('button', { name: 'Accept' }).first().click()
  await dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }).click()
  await expect(page.getByText(/^Accepted by Ada Marsh/)).toBeVisible()
})

test('the failure of a rule’s decision goes with the next try, and stays beside the success of another rule', async ({
  openDesk,
  ownShop,
}) => {
  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/duties')
  const failure = toast(page, /^The rule was not confirmed/)
  let isRefused = true
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/duties\/US-PO-BOX$/, async (route) => {
    if (isRefused)
      return route.fulfill({ status: 409, json: { message: 'Not now', code: 'changed_elsewhere' } })
    asked.resolve()
    await held.promise
    return route.continue()
  })
  const confirm = (rule: string) => button(page, `Confirm ${rule}`)
  await confirm('US-PO-BOX').click()
  await expect(failure).toBeVisible()
  // The pointer above it holds it on the screen.
  await failure.hover()
  await confirm('CA-HOURS').press('Enter')
  await expect(confirm('CA-HOURS')).toHaveCount(0)
  await expect(failure).toBeVisible()
  isRefused = false
  await confirm('US-PO-BOX').press('Enter')
  await asked.promise
  // At once: every toast goes after a while.
  expect(await failure.count()).toBe(0)
  held.resolve()
  await expect(confirm('US-PO-BOX')).toHaveCount(0)
})

test('a parcel to a PO box is held by the rule that the shop has signed, and is rejected in its words', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  for (const rule of ['US-HOME-STATE', 'US-PO-BOX'])
    await outside.decideRule(bearer, { merchant: ownShop.key, rule })
  const recipient = {
    ...toUtah.recipient,
    street_1: '22 Canal Street',
    street_2: 'P.O. Box 1187',
    city: 'New York',
    state: 'NY',
    zipcode: '10013',
  }
  const held = await outside.order(ownShop.key, { recipient })
  const page = await openDesk(ownShop.owner)
  await openOrders(page)
  await expect(rowOf(page, held)).toContainText('Held: PO box')
  await openOrder(page, held)
  await expect(
    card(page).getByText('A parcel with alcohol does not go to a PO box: a person has to sign for it.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0)
  await card(page).getByRole('button', { name: 'Reject' }).click()
  const reject = dialog(page, 'Reject Order')
  await expect(reject.getByRole('textbox')).toHaveValue('We cannot ship to a PO box')
  await reject.getByRole('button', { name: 'REJECT', exact: true }).click()
  const stored = () => outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id: held.id } })
  await expect.poll(async () => (await stored()).status).toBe('MERCHANT_REJECTED')
  expect((await stored()).rejection_message).toContain('We cannot ship to a PO box')
})

test('each line names its rule, where it was read and whether anybody at the shop has confirmed it', async ({
  openDesk,
  outside,
  ownShop,
}) => {
  const order = await outside.order(ownShop.key, { delivery: { method: 'on_demand' } })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  const must = card(page).getByRole('listitem').filter({ hasText: 'Check the ID at the door' })
  await expect(must.getByRole('link', { name: 'Rule TERMS-AGE' })).toHaveAttribute('href', '/terms')
  await expect(must).not.toContainText('Nobody at the shop has confirmed it.')

  await openOrder(page, await outside.order(ownShop.key))
  await expect(card(page)).toContainText('nothing is against it')
  await card(page)
    .getByRole('button', { name: /^Good to know: \d+$/ })
    .click()
  const unsigned = card(page).getByRole('listitem').filter({ hasText: 'With FedEx, an ALCOHOL sticker' })
  await expect(unsigned).toContainText('Nobody at the shop has confirmed it.')
})

test('an owner signs a rule, or sets it aside with a reason, and chooses how orders are closed', async ({
  openDesk,
  ownShop,
}) => {
  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/company')
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await settings.getByRole('link', { name: 'Rules', exact: true }).click()
  await expect(settings.getByRole('link', { name: 'Rules' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText('This is research, not legal advice', { exact: false })).toBeVisible()
  const rule = page.getByRole('listitem').filter({ hasText: 'No hand-over from 2 AM to 6 AM.' })
  await expect(rule).toContainText('Nobody at the shop has confirmed it, so it is only told.')
  await rule.getByRole('button', { name: 'Confirm CA-HOURS' }).press('Enter')
  await expect(rule).toContainText(/Confirmed by Ada Marsh, \d\d\.\d\d\.\d{4}\./)
  // The keyboard goes on in this row.
  await expect(rule).toBeFocused()
  await rule.getByRole('button', { name: 'Set aside CA-HOURS' }).click()
  const aside = dialog(page, 'Set a rule aside')
  await aside.getByRole('button', { name: 'SET ASIDE', exact: true }).click()
  await expect(aside.getByText('Please give the reason')).toBeVisible()
  await aside.getByLabel('Reason').fill('We deliver nothing in California')
  await aside.getByRole('button', { name: 'SET ASIDE', exact: true }).click()
  await expect(rule).toContainText('Set aside by Ada Marsh')
  await expect(rule).toContainText('We deliver nothing in California')
  await expect(rule).toBeFocused()
  const refused = page.getByRole('radio', { name: 'Refused, for every program' })
  await expect(refused).not.toBeChecked()
  // The group is enabled until the page has begun to save, so that a reload could come before the request.
  const saved = page.waitForResponse((reply) => reply.url().endsWith('/duties_closing') && reply.ok())
  await refused.check()
  await saved
  await expect(page.getByRole('group', { name: /^A local order is closed without/ })).toHaveAttribute(
    'aria-busy',
    'false',
  )
  await expect(refused).toBeFocused()
  await page.reload()
  await expect(refused).toBeChecked()
  // A milder choice asks for a reason, and counts with it alone.
  const allowed = page.getByRole('radio', { name: 'Allowed, and the order needs a look' })
  await allowed.click()
  const milder = dialog(page, 'Ask less at the door')
  await milder.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(milder.getByText('Please give the reason')).toBeVisible()
  await milder.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await expect(refused).toBeChecked()
  await allowed.click()
  await milder.getByLabel('Reason').fill('The scanner is broken')
  await milder.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(allowed).toBeChecked()
  await expect(
    page.getByText('before: Refused, for every program. Reason: The scanner is broken', { exact: false }),
  ).toBeVisible()
})

test('the label dialog sells no service that a signed rule forbids, says so in its words, and asks for an adult’s signature', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: bearer,
    params: { tmk: ownShop.key },
    key: randomUUID(),
    body: {
      carrier: 'FedEx',
      account_number: 'A1B2 345',
      account_zip: '10001',
      label_size: '4x6',
      label_format: 'PDF',
    },
  })
  await outside.decideRule(bearer, {
    merchant: ownShop.key,
    rule: 'US-FEDEX-SERVICES',
    body: {
      decision: 'changed',
      reason: 'Our contract names one service',
      value: { carrier: 'FedEx', asks: 'services', services: ['Priority Overnight'] },
    },
  })
  const order = await outside.order(ownShop.key, { order_weight: 4 })
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  await page.getByRole('button', { name: 'Create Shipping Label' }).filter({ visible: true }).first().click()
  const label = dialog(page, 'Create Shipping Label')
  await expect(label).toContainText('Every label asks for an adult’s signature.')
  const words = 'An owner of the shop has decided: by FedEx, only Priority Overnight.'
  await expect(label.getByRole('status')).toHaveText(`No price: ${words}`)
  await label.getByRole('button', { name: 'PRINT', exact: true }).click()
  await expect(label.getByRole('alert')).toHaveText(words)
  await label.getByRole('button', { name: 'CLOSE', exact: true }).click()
  await expect(page.getByText('Shipping label not bought').first()).toBeVisible()
})

test('an owner changes a rule for the shop: less of it, with the reason, and reads what holds', async ({
  openDesk,
  ownShop,
}) => {
  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/duties')
  const rule = page.getByRole('listitem').filter({ hasText: 'No hand-over from 2 AM to 6 AM.' })
  await rule.getByRole('button', { name: 'Change CA-HOURS' }).click()
  const change = dialog(page, 'Change a rule')
  await expect(change.getByLabel('No hand-over from')).toHaveValue('02:00')
  await expect(change.getByLabel('No hand-over from')).toBeFocused()
  await change.getByLabel('Reason').fill('Our permit ends at one')
  await change.getByRole('button', { name: 'CHANGE', exact: true }).click()
  await expect(change.getByRole('alert')).toHaveText('Nothing differs from the rule. Confirm it instead.')
  await change.getByLabel('No hand-over from').fill('1 AM')
  await change.getByRole('button', { name: 'CHANGE', exact: true }).click()
  await expect(change.getByText('A time such as 02:00')).toBeVisible()
  await expect(change.getByLabel('No hand-over from')).toBeFocused()
  expect(await violationsOf(page)).toEqual([])
  await change.getByLabel('No hand-over from').fill('01:00')
  for (const drink of ['Beer', 'Cider', 'Spirits', 'Other']) await change.getByLabel(drink).uncheck()
  await change.getByRole('button', { name: 'CHANGE', exact: true }).click()
  await expect(change).toHaveCount(0)
  await expect(rule).toContainText(
    /Changed for this shop by Ada Marsh, \d\d\.\d\d\.\d{4}: Our permit ends at one\./,
  )
  await expect(rule).toContainText(
    'At this shop: No hand-over from: 01:00, Until: 06:00; California, local delivery, wine',
  )
  await rule.getByRole('button', { name: 'Change CA-HOURS' }).click()
  await expect(change.getByLabel('No hand-over from')).toHaveValue('01:00')
  await expect(change.getByLabel('Beer')).not.toBeChecked()
  await expect(change.getByLabel('Wine')).toBeChecked()
})

test('an owner says that they have looked at an order that was closed without its check, and nothing passes there', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key, { delivery: { method: 'on_demand' } })
  for (const body of [
    { status: 'MERCHANT_ACCEPTED' },
    { status: 'MERCHANT_SHIPPED' },
    { status: 'CLOSED', delivery_info: { delivered_on: order.date_submitted } },
  ] as const)
    await outside.call('PUT /m/v2/orders/{id}', {
      as: bearer,
      params: { id: order.id },
      key: randomUUID(),
      body,
    })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  await expect(card(page)).toContainText('It was closed without this on record.')
  await card(page).getByRole('button', { name: 'I have looked' }).click()
  const look = dialog(page, 'I have looked')
  await look.getByLabel('Reason').fill('The driver knows the customer')
  await look.getByRole('button', { name: 'I HAVE LOOKED', exact: true }).click()
  await expect(look).toHaveCount(0)
  await expect(card(page)).toHaveCount(0)
})
