import { randomUUID } from 'node:crypto'
import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order } from '@cellarhand/contract/orders'
import type { Page } from '@playwright/test'
import { anItem, onDemand, toUtah } from '../../../server/test/orders.ts'
import { dialog, expect, openOrder, test, toast } from '../../desk.ts'
import type { Outside } from '../../outside.ts'
import { signIn } from '../../people.ts'
import { addColleague, type Shop } from '../../shop.ts'
import { stored } from '../deciding.ts'

/** A colleague's calls on one order, while the page under test has a dialog open. */
function colleague(outside: Outside, as: string, { tmk, order }: { tmk: string; order: Order }) {
  const params = { tmk, id: order.id }
  const rule = order.duties?.block[0]?.rule ?? ''
  const at = () => ({ as, params, key: randomUUID() })
  return {
    correctAddress: (street_1: string) =>
      outside.call('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
        ...at(),
        body: { street_1, city: 'New York', state: 'NY', zipcode: '10005' },
      }),
    instruct: (delivery_instructions: string) =>
      outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/delivery_instructions', {
        ...at(),
        body: { delivery_instructions },
      }),
    reject: () =>
      outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
        ...at(),
        body: { reason: { code: 'bad_weather' } },
      }),
    cameBack: (bottles: number) =>
      outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/came_back', { ...at(), body: { bottles } }),
    pass: (reason: string) =>
      outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/pass', { ...at(), body: { rule, reason } }),
    keepHeld: (reason: string) =>
      outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/keep_held', {
        ...at(),
        body: { rule, reason },
      }),
    ask: () => outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask', { ...at(), body: { rule } }),
  }
}

const card = (page: Page) => page.getByRole('region', { name: 'What this order needs' })
const faster = (page: Page) => page.getByRole('status', { name: 'Messages' }).getByText(/was faster: /)

/** The toast of a refusal is gone before the next one can come. */
async function dismiss(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dismiss message' }).click()
  await expect(faster(page)).toHaveCount(0)
}

interface Ground {
  readonly openDesk: (person: string) => Promise<Page>
  readonly outside: Outside
  readonly ownShop: Shop
  readonly url: string
}

/** An accepted order, open on an owner's screen, and a colleague beside. */
async function openAccepted({ openDesk, outside, ownShop, url }: Ground, changes?: Partial<NewOrder>) {
  const { bearer } = await signIn(url, ownShop.owner)
  const order = await outside.order(ownShop.key, changes)
  await outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  return { bearer, order, page, other: colleague(outside, bearer, { tmk: ownShop.key, order }) }
}

/** A held order, and an owner's calls on it. */
async function holdOrder({ outside, ownShop, url }: Omit<Ground, 'openDesk'>) {
  const { bearer } = await signIn(url, ownShop.owner)
  await outside.decideRule(bearer, { merchant: ownShop.key, rule: 'US-HOME-STATE' })
  const order = await outside.order(ownShop.key, toUtah)
  return { order, other: colleague(outside, bearer, { tmk: ownShop.key, order }) }
}

test('an address that a colleague corrects meanwhile is not taken back by a floor that is added to it', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order, page, other } = await openAccepted({ openDesk, outside, ownShop, url })
  await page.getByRole('button', { name: 'Correct Address' }).click()
  const address = dialog(page, 'Correct Address')
  const street = address.getByLabel('Street')
  await expect(street).toBeFocused()
  await address.getByLabel('Apartment, floor, company').fill('Floor 4')
  await other.correctAddress('7 Real Street')
  await expect(street).toHaveValue('7 Real Street')
  await outside.tell(order, { status: 'PAYMENT_SUBMITTED' })
  await address.getByRole('button', { name: 'SAVE' }).click()
  await expect(faster(page)).toHaveText(/was faster: Address corrected at /)
  await expect(address.getByLabel('Apartment, floor, company')).toHaveValue('Floor 4')
  await address.getByRole('button', { name: 'SAVE' }).click()
  await expect(toast(page, 'The address was corrected.')).toBeVisible()
  expect((await stored(outside, order)).recipient).toMatchObject({
    street_1: '7 Real Street',
    street_2: 'Floor 4',
  })
})

for (const [opener, title, changes] of [
  ['Correct Address', 'Correct Address', {}],
  ['Add Tracking', 'Tracking Information', {}],
  ['Create Shipping Label', 'Create Shipping Label', {}],
  ['REQUEST PICKUP', 'Request Courier Pickup', { ...onDemand, courier_estimate_id: 'est-1' }],
] as const)
  test(`the open dialog ${title} says that a colleague has rejected the order, before anything is sent`, async ({
    openDesk,
    outside,
    ownShop,
    url,
  }) => {
    const { order, page, other } = await openAccepted({ openDesk, outside, ownShop, url }, changes)
    await page.getByRole('button', { name: opener }).first().click()
    const open = dialog(page, title)
    const over = open.getByText('This order is now: Rejected. That is not possible here any more')
    await expect(open.getByRole('textbox').first()).toBeVisible()
    await outside.tell(order, { status: 'PAYMENT_SUBMITTED' })
    await other.correctAddress('7 Real Street')
    // Seen after the payment, which leaves the step as it is.
    await expect(page.getByText('7 Real Street').first()).toBeAttached()
    await expect(open.getByText('This order is now')).toHaveCount(0)
    await other.reject()
    await expect(over).toBeVisible()
  })

test('an address of an order that is cancelled meanwhile is not corrected, and its dialog closes', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order, page } = await openAccepted({ openDesk, outside, ownShop, url })
  await page.getByRole('button', { name: 'Correct Address' }).click()
  const address = dialog(page, 'Correct Address')
  await address.getByLabel('Street').fill('7 Real Street')
  await outside.tell(order, { status: 'CANCELLED', comment: 'No longer wanted' })
  // The page knows it by then.
  await expect(page.getByText(/^Cancelled by /)).toBeAttached()
  await address.getByRole('button', { name: 'SAVE' }).click()
  await expect(faster(page)).toHaveText(/was faster: Cancelled at /)
  await expect(address).toHaveCount(0)
})

test('instructions that a colleague writes meanwhile are not lost', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order, page, other } = await openAccepted({ openDesk, outside, ownShop, url }, onDemand)
  const field = page.getByLabel('Delivery instructions')
  const save = page.getByRole('button', { name: 'SAVE', exact: true })
  await page.getByRole('button', { name: 'Edit instructions' }).click()
  await expect(field).toBeFocused()
  await other.instruct('Gate code 4711')
  await expect(field, 'a text that nobody has touched follows').toHaveValue('Gate code 4711')
  await field.fill('Gate code 4711, ring twice')
  await save.click()
  await expect(toast(page, 'Delivery details saved successfully!'), 'typed on the newest text').toBeVisible()

  await page.getByRole('button', { name: 'Edit instructions' }).click()
  await field.fill('Gate code 4711, ring once')
  await other.instruct('Gate code 0815')
  await save.click()
  await expect(faster(page)).toHaveText(/was faster: Delivery instructions changed at /)
  expect((await stored(outside, order)).recipient.delivery_instructions).toBe('Gate code 0815')
  await expect(field).toHaveValue('Gate code 4711, ring once')
  await expect(page.getByText('A colleague has changed them to: Gate code 0815')).toBeVisible()
  await field.fill('Gate code 0815, ring twice')
  await save.click()
  await expect(field).toHaveCount(0)
  expect((await stored(outside, order)).recipient.delivery_instructions).toBe('Gate code 0815, ring twice')
})

test('an owner who lets an order pass, or keeps it held, hears first what another owner has decided', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order, other } = await holdOrder({ outside, ownShop, url })
  await other.ask()
  const page = await openDesk(ownShop.owner)
  await openOrder(page, order)
  await card(page).getByRole('button', { name: 'Let it pass' }).click()
  const pass = dialog(page, 'Let it pass')
  await pass.getByLabel('Reason').fill('The brand has a permit')
  await other.keepHeld('It has none')
  await expect(page.getByText('Reason: It has none')).toBeAttached()
  await pass.getByRole('button', { name: 'LET IT PASS', exact: true }).click()
  await expect(faster(page)).toHaveText(/was faster: Kept held by an owner at /)
  await dismiss(page)
  await expect(pass.getByLabel('Reason')).toHaveValue('The brand has a permit')
  expect((await stored(outside, order)).duties?.block).toHaveLength(1)
  await pass.getByRole('button', { name: 'CLOSE', exact: true }).click()

  await other.ask()
  await card(page).getByRole('button', { name: 'Keep it held' }).click()
  const keep = dialog(page, 'Keep it held')
  await keep.getByLabel('Reason').fill('It has none')
  await page.route('**/duties', () => {})
  await other.pass('The permit came today')
  await expect(keep.getByText(/^Another owner has answered/)).toBeVisible()
  await expect(keep.getByRole('button', { name: 'KEEP IT HELD', exact: true })).toBeDisabled()
  await expect(keep.getByLabel('Reason')).toHaveValue('It has none')
  // The order itself says that nothing stands against it, before the rules are asked again.
  await expect(card(page).getByRole('button', { name: 'Let it pass', includeHidden: true })).toHaveCount(0)
})

test('a clerk who is about to ask the owners reads that a colleague has asked', async ({
  openDesk,
  outside,
  ownShop,
  dataDir,
  url,
}) => {
  const email = await addColleague(dataDir, ownShop)
  const { order, other } = await holdOrder({ outside, ownShop, url })
  const page = await openDesk(email)
  await openOrder(page, order)
  await card(page).getByRole('button', { name: 'Ask an owner' }).click()
  const ask = dialog(page, 'Ask an owner')
  await ask.getByRole('textbox').fill('Do we have a permit?')
  await expect(ask.getByRole('button', { name: 'ASK AN OWNER' })).toBeEnabled()
  await other.ask()
  await expect(ask.getByText(/^A colleague has asked already/)).toBeVisible()
  await expect(ask.getByRole('button', { name: 'ASK AN OWNER' })).toBeDisabled()
})

test('of bottles that a colleague has noted as back meanwhile, only the rest can come back', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { bearer, order, page, other } = await openAccepted(
    { openDesk, outside, ownShop, url },
    { items: [anItem({ quantity: 3, subtotal: 156 })] },
  )
  const tracking = { tracking_provider: 'UPS', tracking_id: '1Z77' }
  await outside.update(bearer, order, { status: 'MERCHANT_SHIPPED', order: tracking })
  await page.getByRole('button', { name: 'Came Back', exact: true }).click()
  const back = dialog(page, 'Came Back')
  const count = back.getByLabel('Bottles that are back')
  await expect(count).toHaveValue('3')
  await other.cameBack(2)
  await expect(count).toHaveValue('1')
  await back.getByRole('button', { name: 'BACK IN THE STORE' }).click()
  await expect(faster(page)).toHaveText(/was faster: Came back at /)
  await back.getByRole('button', { name: 'BACK IN THE STORE' }).click()
  await expect(page.getByText(/^All 3 bottles are back in the shop, noted by /)).toBeVisible()
})

test('a delivery that waits for its first press goes on after the marketplace has sent the payment', async ({
  openDesk,
  outside,
  ownShop,
  url,
}) => {
  const { order, page } = await openAccepted({ openDesk, outside, ownShop, url }, onDemand)
  await page.getByRole('button', { name: 'Deliver' }).first().click()
  const deliver = dialog(page, 'Deliver Order')
  await expect(deliver.getByRole('button', { name: 'OUT FOR DELIVERY' })).toBeFocused()
  await outside.tell(order, { status: 'PAYMENT_SUBMITTED' })
  await expect(deliver.getByText('This order is now: Accepted, payment sent.')).toBeVisible()
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(faster(page)).toHaveText(/was faster: Payment sent at /)
  await deliver.getByRole('button', { name: 'MARK DELIVERED' }).click()
  await expect(deliver.getByText('Is out for delivery')).toBeVisible()
})
