import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { counterOf } from '../../../test/order-steps.ts'
import { anItem } from '../../../test/orders.ts'
import { missingFrom } from '../../../test/papers/paper-table.ts'
import { readPdf } from '../../../test/papers/pdf-text.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const bottle = (id: string, quantity: number) =>
  anItem({
    id,
    name: `Bottle ${id}`,
    quantity,
    price: 10,
    subtotal: 10 * quantity,
    product: { id: `p-${id}` },
  })

/** The texts on the slip of an order, of which a clerk has reported pieces as missing. */
async function slipWithout(order: Order, outOfStock: object) {
  await report(order, outOfStock)
  return textsOf(order, 'packingslip')
}

async function report(order: Order, outOfStock: object) {
  await counterOf(desk, { key: shop.key, as: shop.member }, order).update({
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: JSON.stringify({ outOfStock }) },
  })
}

async function textsOf(order: Order, paper: 'packingslip' | 'receipt') {
  const answer = await fetch(`${desk.url}/m/v2/merchant/${shop.key}/orders/${order.id}/reports/${paper}`, {
    headers: { authorization: `Bearer ${shop.member.token}` },
  })
  const { texts } = await readPdf(new Uint8Array(await answer.arrayBuffer()))
  return texts
}

test('the slip of an order with missing pieces says how many to pack of each line', async () => {
  const order = await desk.order(shop, { items: [bottle('a', 6), bottle('b', 2), bottle('c', 1)] })
  const outOfStock = {
    'p-a': { checked: true, reason: '', quantity: 4 },
    'p-b': { checked: true, reason: '' },
  }
  const texts = await slipWithout(order, outOfStock)
  expect(missingFrom(texts, ['MISSING 4 of 6: pack 2', 'MISSING 2 of 2: pack none'])).toEqual([])
  expect(texts.filter(({ text }) => text.startsWith('MISSING'))).toHaveLength(2)
  // In the box: 2 of a and 1 of c, not the 9 that were ordered.
  expect(texts.filter(({ text }) => text.endsWith('in all')).map(({ text }) => text)).toEqual([
    '3 items in all',
  ])
})

test('the receipt of an order with missing pieces names them, and its sums stay those of the payment', async () => {
  const order = await desk.order(shop, { items: [bottle('a', 6), bottle('b', 2), bottle('c', 1)] })
  await report(order, {
    'p-a': { checked: true, reason: '', quantity: 4 },
    'p-b': { checked: true, reason: '' },
  })
  const { shortage } = (
    await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id: order.id } })
  ).body
  const dollars = (amount = 0) => `$${amount.toFixed(2)}`
  expect(shortage?.refund).toBeGreaterThanOrEqual(60)
  const texts = await textsOf(order, 'receipt')
  const words = texts.map(({ text }) => text).filter((text) => text.includes('ot available'))
  expect(words).toEqual([
    'Not available: 4 of 6',
    'Not available: 2 of 2',
    `Without what is not available: ${dollars(shortage?.total)} (refund ${dollars(shortage?.refund)})`,
  ])
  expect(missingFrom(texts, [dollars(order.transaction.total), '$60.00', '$20.00', '$10.00'])).toEqual([])
})

test('the slip has engraved only what is packed: not the bottles that are reported as missing', async () => {
  const engraving = (parent: string, messages: string[], quantity: number) => ({
    ...bottle(`text-of-${parent}`, quantity),
    name: 'engraving',
    product: null,
    offering: null,
    parent_line_item_id: parent,
    aux_data: { engraving_message: messages },
  })
  const own = { aux_data: { engraving_message: ['From the cellar'] } }
  const order = await desk.order(shop, {
    items: [
      bottle('a', 6),
      engraving('a', ['To Dee'], 6),
      bottle('b', 3),
      engraving('b', ['To Ana', 'To Bo', 'To Cy'], 3),
      bottle('c', 2),
      engraving('c', ['To nobody'], 2),
      { ...bottle('d', 5), ...own },
      { ...bottle('e', 1), ...own },
    ],
  })
  const missing = (quantity: number) => ({ checked: true, reason: '', quantity })
  const outOfStock = {
    'p-a': missing(2),
    'p-b': missing(1),
    'p-c': missing(2),
    'p-d': missing(2),
    'p-e': missing(1),
  }
  const texts = await slipWithout(order, outOfStock)
  const told = texts.map(({ text }) => text).filter((text) => /^(ENGRAV|Line )/.test(text))
  expect(told).toEqual([
    'ENGRAVE 4',
    'Line 1: To Dee',
    'ENGRAVING: 2 in all',
    'ENGRAVE 1',
    'Line 1: To Ana',
    'ENGRAVE 1',
    'Line 1: To Bo',
    'ENGRAVE 3',
    'Line 1: From the cellar',
  ])
})
