import type { Order } from '@cellarhand/contract/orders'
import { samples, textOf } from '../../web/src/delivery/licence/licence-samples.ts'
import { anItem, anOrder } from '../../server/test/orders.ts'
import { accepted, detail, dueFirst, onDemand, sent, withCarrier, type Ground, type Job } from './ground.ts'
import { button, dialog, focused, settled, type Hand } from './hand.ts'

/** The next order to do, by its key. */
async function openNext({ page, press }: Hand, order: Order | undefined): Promise<void> {
  await press('.')
  await focused(page.getByRole('heading', { level: 1, name: `#${order?.id}` }))
}

async function openFirst({ page, press }: Hand, order: Order | undefined): Promise<void> {
  await press('j')
  await focused(page.getByRole('link', { name: `#${order?.id}`, exact: true }))
  await press('Enter')
  await focused(page.getByRole('heading', { level: 1, name: `#${order?.id}` }))
}

const rowAction = ({ page }: Hand, name: string, order: Order | undefined) =>
  button(page, `${name} #${order?.id}`)

const acceptNext: Job = {
  name: 'accept the next due order',
  goal: { mouse: 2, keys: 2 },
  async prepare(ground) {
    const first = await sent(ground, 1, { ...dueFirst(), delivery: onDemand })
    return [...first, ...(await sent(ground, 24, { delivery: onDemand }))]
  },
  ways: {
    async mouse({ page, click }) {
      await click(page.getByRole('button', { name: /^Accept next/ }))
      await click(button(dialog(page, 'Accept & Confirm'), 'ACCEPT'))
    },
    async keys({ page, press }) {
      await press('a')
      await focused(button(dialog(page, 'Accept & Confirm'), 'ACCEPT'))
      await press('Enter')
    },
  },
  isDone: async (ground, [first]) => (await detail(ground, first)).status === 'MERCHANT_ACCEPTED',
}

const bottles = ['Rye', 'Gin'].map((name) =>
  anItem({ id: `line-${name}`, name, price: 20, subtotal: 20, product: { id: `p-${name}` } }),
)

const oneOut: Job = {
  name: 'one bottle out',
  goal: { mouse: 3, keys: 5 },
  prepare: (ground) => sent(ground, 1, { ...dueFirst(), items: bottles }),
  ways: {
    async mouse({ page, click }, [order]) {
      await click(
        page
          .getByRole('row')
          .filter({ hasText: `#${order?.id}` })
          .getByText('Dee Nakamura'),
      )
      await click(button(page, 'Out of stock'))
      await click(button(dialog(page, 'Out of Stock'), 'UPDATE ORDER'))
    },
    async keys(hand, [order]) {
      const { page, press } = hand
      await openFirst(hand, order)
      await press('u')
      await focused(button(page, 'Out of stock'))
      await press('Enter')
      await focused(dialog(page, 'Out of Stock').getByRole('radio').first())
      await press('Enter')
    },
  },
  isDone: async (ground, [order]) =>
    (await detail(ground, order)).rejection_message?.includes('Rye') ?? false,
}

const twoBoxes: Job = {
  name: 'two boxes with labels',
  goal: { mouse: 3, keys: 7 },
  async prepare(ground) {
    await withCarrier(ground)
    return [await accepted(ground, { items: bottles, order_weight: 6 })]
  },
  ways: {
    async mouse(hand, [order]) {
      const { page, click } = hand
      await click(rowAction(hand, 'Buy Label', order))
      await click(button(dialog(page, 'Create Shipping Label'), 'Add Additional Box'))
      await click(button(dialog(page, 'Create Shipping Label'), 'PRINT'))
    },
    async keys(hand, [order]) {
      const { page, press } = hand
      await openNext(hand, order)
      await press('l')
      const label = dialog(page, 'Create Shipping Label')
      await focused(label.getByLabel('Weight (lbs)').first())
      await press('Tab')
      await press('Tab')
      await focused(button(label, 'Add Additional Box'))
      await press('Enter')
      await focused(label.getByLabel('Weight (lbs)').nth(1))
      await press('Enter')
    },
  },
  async isDone(ground, [order]) {
    const { status, shipment_info: parcels } = await detail(ground, order)
    return status === 'MERCHANT_SHIPPED' && parcels.length === 2
  },
}

const courier: Job = {
  name: 'courier',
  goal: { mouse: 2, keys: 4 },
  prepare: async (ground) => [await accepted(ground, { delivery: onDemand, courier_estimate_id: 'est-1' })],
  ways: {
    async mouse(hand, [order]) {
      await hand.click(rowAction(hand, 'Request Pickup', order))
      await hand.click(button(dialog(hand.page, 'Request Courier Pickup'), 'REQUEST PICKUP'))
    },
    async keys(hand, [order]) {
      await openNext(hand, order)
      await hand.press('h')
      await focused(dialog(hand.page, 'Request Courier Pickup').getByLabel('Number of bags'))
      await hand.press('Enter')
    },
  },
  isDone: async (ground, [order]) => (await detail(ground, order)).courier_info !== null,
}

/** The shop's rule asks for an ID at the door, so that nobody can leave the check out. */
async function askForIds({ outside, shop, bearer }: Ground): Promise<void> {
  await outside.decideRule(bearer, { merchant: shop.key, rule: 'TERMS-AGE' })
}

async function isHandedOver(ground: Ground, [order]: readonly Order[]): Promise<boolean> {
  const { status, age_check: check } = await detail(ground, order)
  return status === 'CLOSED' && check?.method !== undefined
}

/** The second step by keyboard: MARK DELIVERED asks for the ID, and then waits under the focus. */
export async function checkId({ page, press }: Hand): Promise<void> {
  const deliver = dialog(page, 'Deliver Order')
  await focused(deliver.getByLabel('Delivery date'))
  await press('Enter')
  await chooseId({ page, press })
}

async function chooseId({ page, press }: Pick<Hand, 'page' | 'press'>): Promise<void> {
  const deliver = dialog(page, 'Deliver Order')
  await focused(button(deliver, "Driver's license"))
  // A step that comes by itself takes no press at once.
  await deliver.locator('[data-early]').waitFor({ state: 'detached' })
  await press('Enter')
  await focused(button(deliver, 'MARK DELIVERED'))
  await press('Enter')
}

const [card] = samples.slice(-1) as [(typeof samples)[number]]
const licence = textOf({
  ...card,
  // The family name of the order's recipient.
  elements: { ...card.elements, DCS: 'NAKAMURA', DBA: `0131${new Date().getFullYear() + 5}` },
})

/** The page of the order knows what a scan of an ID is for. */
async function listens({ page }: Hand, order: Order | undefined): Promise<void> {
  await settled(page)
  await page.getByRole('heading', { level: 1, name: `#${order?.id}` }).waitFor()
  await page.getByRole('button', { name: 'Edit instructions' }).waitFor()
}

const deliver: Job = {
  name: 'deliver with ID',
  goal: { mouse: 3, keys: 6 },
  async prepare(ground) {
    await askForIds(ground)
    const order = await accepted(ground, { delivery: onDemand })
    return [await ground.outside.update(ground.bearer, order, { status: 'MERCHANT_SHIPPED' })]
  },
  ways: {
    async mouse(hand, [order]) {
      const { page, click } = hand
      await click(rowAction(hand, 'Mark Delivered', order))
      await click(button(dialog(page, 'Deliver Order'), 'Passport'))
      await click(button(dialog(page, 'Deliver Order'), 'MARK DELIVERED'))
    },
    async keys(hand, [order]) {
      await openFirst(hand, order)
      await hand.press('h')
      await checkId(hand)
    },
  },
  // The slip says which order it is, and the ID hands it over. With the order open, the ID is the whole job.
  scans: [
    {
      from: 'its order open',
      goal: 1,
      async drive(hand, [order]) {
        await hand.page.goto(`/orders/view/${order?.id}`)
        await listens(hand, order)
        await hand.scan(licence)
      },
    },
    {
      from: 'the list open',
      goal: 2,
      async drive(hand, [order]) {
        await hand.scan(order?.id ?? '')
        await listens(hand, order)
        await hand.scan(licence)
      },
    },
  ],
  isDone: isHandedOver,
}

const deliverUnsaid: Job = {
  name: '  the same, never marked as out',
  goal: { mouse: 3, keys: 6 },
  async prepare(ground) {
    await askForIds(ground)
    return [await accepted(ground, { delivery: onDemand })]
  },
  ways: {
    async mouse(hand, [order]) {
      const { page, click } = hand
      await click(rowAction(hand, 'Deliver', order))
      // The kind of ID sends it out; the delivery itself is a press of its own.
      await click(button(dialog(page, 'Deliver Order'), 'Passport'))
      await focused(button(dialog(page, 'Deliver Order'), 'MARK DELIVERED'))
      await click(button(dialog(page, 'Deliver Order'), 'MARK DELIVERED'))
    },
    async keys(hand, [order]) {
      const { page, press } = hand
      await openNext(hand, order)
      await press('h')
      await focused(button(dialog(page, 'Deliver Order'), 'OUT FOR DELIVERY'))
      await press('Shift+Tab')
      await press('Enter')
      await chooseId(hand)
    },
  },
  isDone: isHandedOver,
}

const street = '7 Real Street'

const labelFailed: Job = {
  name: 'why a label failed, fixed',
  goal: { mouse: 2, keys: 4 },
  typed: 'the address, and with the mouse an Enter after it',
  async prepare(ground) {
    await withCarrier(ground)
    const recipient = { ...anOrder('x').recipient, street_1: '0 Nowhere Street' }
    const order = await accepted(ground, { recipient, order_weight: 4 })
    const { outside, shop, bearer } = ground
    const bought = outside.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
      as: bearer,
      key: order.id,
      params: { tmk: shop.key, id: order.id },
      body: { order_id: order.id, boxes: [{ weight: 4, insurance: null }] } as never,
    })
    await bought.then(
      () => Promise.reject(new Error('The label was bought')),
      () => undefined,
    )
    return [order]
  },
  ways: {
    async mouse(hand, [order]) {
      const { page, click, press, type } = hand
      await click(rowAction(hand, 'Buy Label', order))
      await dialog(page, 'Correct Address').getByText('This address is invalid.').waitFor()
      await focused(dialog(page, 'Correct Address').getByLabel('Street'))
      await type(street)
      await press('Enter')
      await click(button(dialog(page, 'Create Shipping Label'), 'PRINT'))
    },
    async keys(hand, [order]) {
      const { page, press, type } = hand
      await openNext(hand, order)
      await page.getByText('This address is invalid.').first().waitFor()
      await press('c')
      await focused(dialog(page, 'Correct Address').getByLabel('Street'))
      await type(street)
      await press('Enter')
      await focused(dialog(page, 'Create Shipping Label').getByLabel('Weight (lbs)'))
      // A dialog that comes by itself takes no press at once.
      const print = button(dialog(page, 'Create Shipping Label'), 'PRINT')
      await print.and(page.locator('[aria-disabled="false"]')).waitFor()
      await press('Enter')
    },
  },
  async isDone(ground, [order]) {
    const { status, recipient } = await detail(ground, order)
    return status === 'MERCHANT_SHIPPED' && recipient.street_1 === street
  },
}

export const orderJobs = [acceptNext, oneOut, twoBoxes, courier, deliver, deliverUnsaid]
export const labelJob = labelFailed
