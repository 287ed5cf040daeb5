import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { decideRule } from '../../../test/duties-desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { anOrder, onDemand } from '../../../test/orders.ts'
import { expectLegible } from '../../../test/papers/paper-table.ts'
import { readPdf } from '../../../test/papers/pdf-text.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const text = 'CONTAINS ALCOHOL: SIGNATURE OF PERSON AGE 21 YEARS OR OLDER REQUIRED FOR DELIVERY'

/** The words of the order's slip, without its line breaks. */
async function slipOf({ id }: Order): Promise<string> {
  const path = `/m/v2/merchant/${shop.key}/orders/${id}/reports/packingslip`
  const answer = await fetch(`${desk.url}${path}`, {
    headers: { authorization: `Bearer ${shop.member.token}` },
  })
  expect(answer.status).toBe(200)
  const { texts, all } = await readPdf(new Uint8Array(await answer.arrayBuffer()))
  expectLegible(texts)
  return all.replaceAll('\n', ' ')
}

test('a signed rule’s text is on the slips of the orders that it is about, and on no others', async () => {
  await decideRule(desk, shop, { rule: 'NY-BOX-TEXT' })
  const toCalifornia = {
    ...anOrder(shop.key).recipient,
    state: 'CA',
    city: 'Santa Barbara',
    zipcode: '93109',
  }
  expect(await slipOf(await desk.order(shop))).toContain(text)
  // California's own rule says the same, and nobody here has signed it.
  expect(await slipOf(await desk.order(shop, { recipient: toCalifornia }))).not.toContain(text)
  expect(await slipOf(await desk.order(shop, onDemand))).not.toContain(text)
})

test('an open order gets the owner’s own text after the decision, at its full length', async () => {
  const order = await desk.order(shop)
  expect(await slipOf(order)).not.toContain(text)
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
  await decideRule(desk, shop, {
    rule: 'NY-BOX-TEXT',
    body: { decision: 'changed', reason: 'Our lawyer’s words', value: { text: words } },
  })
  await eventually(async () => expect(await slipOf(order)).toContain(words))
  await decideRule(desk, shop, {
    rule: 'NY-BOX-TEXT',
    body: { decision: 'set_aside', reason: 'The box has it' },
  })
  await eventually(async () => expect(await slipOf(order)).not.toContain(words))
})
