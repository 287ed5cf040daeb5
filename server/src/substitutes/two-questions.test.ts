import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { counterOf } from '../../test/order-steps.ts'
import { correctedOrder, waitsForCustomer } from '../../seed/corrected-order.ts'
import { askingOf, holdGin, setSilence, stockGin } from '../../test/substitutes.ts'

const minuteMs = 60_000
let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
  await stockGin(desk, shop)
})
afterAll(async () => desk.stop())

type Silence = 'refund' | 'take_first' | 'reject'

/** Two of six gins and the rye are missing. The gin is asked about first; the rye one minute later. */
async function twoQuestions(silence: Silence, { isAllMissing = false } = {}) {
  const { status } = await setSilence(desk, shop, { minutes: 5, silence })
  expect(status).toBe(200)
  const held = await holdGin(desk, shop)
  const at = counterOf(desk, { key: shop.key, as: shop.member }, held.order)
  const outOfStock = {
    'p-rye': { checked: true, reason: '', quantity: 1 },
    ...(isAllMissing && { 'p-gin': { checked: true, reason: '', quantity: 4 } }),
  }
  const more = await at.update({
    status: 'REJECTED_PARTIAL',
    order: { rejection_message: JSON.stringify({ outOfStock }) },
  })
  expect(more.status).toBe(200)
  const asking = askingOf(desk, shop, held)
  const email = held.order.customer.email ?? ''
  const links = async () => {
    const { body } = await desk.call('GET /demo/outbox.json')
    return body.items
      .filter(({ to }) => to === email)
      .map(({ links: [link] }) => new URL(link ?? 'http://no.link/').pathname)
  }
  expect((await asking.offer({ by: 'mail' })).status).toBe(200)
  const [gin = ''] = await links()
  await desk.turn(minuteMs)
  expect((await asking.offer({ line_id: 'rye', offerings: ['cheap'], by: 'mail' })).status).toBe(200)
  const [rye = ''] = (await links()).filter((path) => path !== gin)
  return { ...asking, at, gin, rye, textOf: async (path: string) => (await asking.open(path)).text }
}

const statesOf = (order: { substitutes?: { offers: readonly { line_id: string; state: string }[] } }) =>
  Object.fromEntries((order.substitutes?.offers ?? []).map(({ line_id: line, state }) => [line, state]))

test('refund: the line without an answer is refunded, and the answer about the other line counts in the sums', async () => {
  const { gin, rye, answer, read, asMarketplace, textOf, at } = await twoQuestions('refund')
  await answer(rye, 'cheap')
  const answered = await asMarketplace()
  expect([statesOf(answered), waitsForCustomer(answered)]).toEqual([{ gin: 'offered', rye: 'chosen' }, true])
  await desk.turn(4 * minuteMs)
  await desk.later(async () =>
    expect(statesOf(await asMarketplace())).toEqual({ gin: 'silent', rye: 'chosen' }),
  )
  const order = await asMarketplace()
  expect((await read()).status).toBe('REJECTED_PARTIAL')
  expect(order.substitutes?.agreed?.items.map(({ name, quantity }) => [name, quantity])).toEqual([
    ['Gin', 4],
    ['Sloe Gin', 1],
  ])
  // $20 for the two gins and $44 for the dearer rye, with 10 % tax on both.
  expect(order.substitutes?.agreed).toMatchObject({
    transaction: { subtotal: 48, total: 52.8 },
    refund: 70.4,
  })
  expect(await textOf(rye)).toContain('you take 1 × Sloe Gin')
  expect(await textOf(gin)).toContain('without an answer, we refund what is missing.')
  const resumed = await at.tell(correctedOrder(order))
  expect([resumed.status, resumed.body.transaction.total]).toEqual([200, 52.8])
})

test('refund: with nothing of the order left it still waits for the marketplace, which cancels it', async () => {
  const { rye, answer, read, asMarketplace } = await twoQuestions('refund', { isAllMissing: true })
  await answer(rye, 'none')
  await desk.turn(4 * minuteMs)
  await desk.later(async () =>
    expect(statesOf(await asMarketplace())).toEqual({ gin: 'silent', rye: 'declined' }),
  )
  const order = await asMarketplace()
  expect([(await read()).status, order.substitutes?.agreed?.items]).toEqual(['REJECTED_PARTIAL', []])
  expect(correctedOrder(order).status).toBe('CANCELLED')
})

test('reject: silence about one line rejects the whole order, as the setting says, and the page of the answered line says so', async () => {
  const { gin, rye, answer, read, textOf, at } = await twoQuestions('reject')
  await answer(rye, 'cheap')
  const thanks = await textOf(rye)
  expect(thanks).toContain('you take 1 × Sloe Gin')
  // The customer may have seen this message alone.
  expect(thanks).toContain('There is another question about this order, in a message of its own: 2 × Gin.')
  expect(thanks).toContain('Without an answer we cannot fill the order, and you get your money back.')
  await desk.turn(4 * minuteMs)
  await desk.later(async () => expect((await read()).status).toBe('MERCHANT_REJECTED'))
  const ended = await textOf(rye)
  expect(ended).toContain('you answered: 1 × Sloe Gin. The shop has rejected the order since.')
  expect(ended).not.toContain('you take')
  expect(await textOf(gin)).toContain('we cannot fill the order, and you get your money back.')
  const { history } = await read()
  expect(history.slice(0, 3).map(({ action }) => action)).toEqual([
    'reject',
    'miss_substitutes_answer',
    'choose_substitute',
  ])
  // The money follows some days later, and the link still opens.
  expect((await at.tell({ status: 'REFUNDED' })).status).toBe(200)
  expect(await textOf(rye)).toContain(
    'you answered: 1 × Sloe Gin. The order has ended since, and was refunded.',
  )
})

test('reject: an answer that comes in the moment of the rejection is either in the history or told that it came too late', async () => {
  const { rye, answer, read, textOf } = await twoQuestions('reject')
  await Promise.all([desk.turn(4 * minuteMs), answer(rye, 'cheap')])
  await desk.later(async () => expect((await read()).status).toBe('MERCHANT_REJECTED'))
  const isCounted = (await read()).history.some(({ action }) => action === 'choose_substitute')
  const text = await textOf(rye)
  expect(text).toContain('The shop has rejected the order since.')
  expect(text).toContain(isCounted ? 'you answered: 1 × Sloe Gin' : 'there is nothing to choose any more')
})

test('reject: an answer after the rejection is told so, within its own time too', async () => {
  const { rye, answer, read, textOf } = await twoQuestions('reject')
  await desk.turn(4 * minuteMs)
  await desk.later(async () => expect((await read()).status).toBe('MERCHANT_REJECTED'))
  const before = await read()
  expect((await answer(rye, 'cheap')).status).toBe(303)
  expect(await textOf(rye)).toContain(
    'there is nothing to choose any more. The shop has rejected the order since.',
  )
  expect(await read()).toEqual(before)
})
