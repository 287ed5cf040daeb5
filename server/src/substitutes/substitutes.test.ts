import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { counterOf } from '../../test/order-steps.ts'
import { correctedOrder, waitsForCustomer } from '../../seed/corrected-order.ts'
import { askingOf, holdGin, leftAt, setSilence, stockGin } from '../../test/substitutes.ts'
import { textSentinels } from '#delivery/public.ts'

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

const settle = (silence: 'refund' | 'take_first' | 'reject', minutes = 20) =>
  setSilence(desk, shop, { minutes, silence })
/** On hold, and asked about; the text has arrived. */
async function askedGin(wish: Parameters<ReturnType<typeof askingOf>['offer']>[0] = {}) {
  const held = await holdGin(desk, shop)
  const asking = askingOf(desk, shop, held)
  const offered = await asking.offer(wish)
  expect(offered.status).toBe(200)
  const path = await desk.later(async () => {
    const arrived = await asking.path()
    expect(arrived).not.toBe('/')
    return arrived
  })
  const offer = offered.body.substitutes?.offers[0]
  if (offer === undefined) throw new Error('no offer')
  // Time that passes before counts as a message that left too late for an answer.
  await desk.later(async () => expect(await leftAt(desk, offer.id)).toEqual(expect.any(Date)))
  return {
    ...held,
    ...asking,
    path,
    offer,
    at: counterOf(desk, { key: shop.key, as: shop.member }, held.order),
  }
}
const actionsOf = (history: readonly { action: string }[]) => history.map(({ action }) => action)

test('ACT-018 the clerk offers, the customer gets a text and chooses, and the marketplace resumes with the sums', async () => {
  const { read, asMarketplace, path, open, answer, offer, at } = await askedGin()
  expect(offer).toMatchObject({
    line_id: 'gin',
    name: 'Gin',
    missing: 2,
    by: 'text',
    silence: 'refund',
    state: 'offered',
    offered: [
      { offering_id: 'same', price: 10, difference: 0 },
      { offering_id: 'dear', price: 12.5, difference: 2.5 },
    ],
  })
  const shown = await read()
  expect([shown.status, waitsForCustomer(shown)]).toEqual(['REJECTED_PARTIAL', true])
  expect(shown.status_comment).toMatch(
    /^Offered Dry Gin \(750 mL\) or Old Tom Gin \(700 mL\); the customer has until (\w{3} \d+, )?\d+:\d\d [AP]M$/,
  )
  const page = await open(path)
  for (const words of [
    '2 × Gin',
    'Dry Gin',
    'Same price',
    '2 × Old Tom Gin',
    '$2.50 more per bottle',
    'No other bottle',
  ])
    expect(page.text).toContain(words)

  expect((await answer(path, 'dear')).status).toBe(303)
  const answered = await asMarketplace()
  expect(answered.substitutes?.offers).toMatchObject([{ state: 'chosen', choice: 'dear' }])
  const agreed = answered.substitutes?.agreed
  expect(agreed?.items.map(({ name, quantity, subtotal }) => [name, quantity, subtotal])).toEqual([
    ['Gin', 4, 40],
    ['Old Tom Gin', 2, 25],
    ['Rye', 1, 52],
  ])
  // $5.00 more, and the order's own tax of 10 % on it.
  expect([agreed?.transaction.subtotal, agreed?.transaction.total, agreed?.refund]).toEqual([
    117, 128.7, -5.5,
  ])
  const { history, status_comment: comment } = await read()
  expect(comment).toBe('The customer takes Old Tom Gin (700 mL) for Gin')
  expect(actionsOf(history).slice(0, 2)).toEqual(['choose_substitute', 'offer_substitutes'])
  expect(history[0]).toMatchObject({ actor: 'Customer', party: 'system' })

  // The demo's marketplace.
  const resumed = await at.tell(correctedOrder(answered))
  expect([resumed.status, resumed.body.substitutes, resumed.body.transaction.total]).toEqual([
    200,
    undefined,
    128.7,
  ])
  expect((await open(path)).text).toContain('you take 2 × Old Tom Gin')
})

test('the customer wants none: the pieces are refunded', async () => {
  const { path, answer, asMarketplace, open } = await askedGin()
  await answer(path, 'none')
  const { substitutes, shortage } = await asMarketplace()
  expect(substitutes?.offers).toMatchObject([{ state: 'declined', choice: null }])
  expect(substitutes?.agreed).toMatchObject({ refund: 22, transaction: { total: 101.2 } })
  expect(shortage).toMatchObject({ total: 101.2, refund: 22 })
  expect((await open(path)).text).toContain('you get the money for 2 × Gin back')
})

test('the first answer counts: a second press, a stranger with the link and a clerk change nothing', async () => {
  const { path, answer, asMarketplace, withdraw, offer, read } = await askedGin()
  const answers = await Promise.all([answer(path, 'same'), answer(path, 'none'), answer(path, 'dear')])
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  const first = (await asMarketplace()).substitutes
  await answer(path, 'none')
  await answer(path, 'same')
  const late = await withdraw(offer.id)
  expect([late.status, late.refusal.code]).toEqual([409, 'substitutes_answered'])
  expect(late.refusal['order']).toMatchObject({ version: (await read()).version })
  expect((await asMarketplace()).substitutes).toEqual(first)
  const decided = actionsOf((await read()).history).filter((action) => /choose|decline/.test(action))
  expect(decided).toHaveLength(1)
})

test('a customer who answers while the clerk withdraws: one of them wins, the other gets words', async () => {
  for (let round = 0; round < 4; round++) {
    const { path, answer, withdraw, offer, read, open } = await askedGin()
    const [taken] = await Promise.all([withdraw(offer.id), answer(path, 'same')])
    const { substitutes, history } = await read()
    const isWithdrawn = taken.status === 200
    expect(substitutes?.offers[0]?.state).toBe(isWithdrawn ? 'withdrawn' : 'chosen')
    expect(actionsOf(history).filter((action) => /choose|withdraw/.test(action))).toHaveLength(1)
    expect((await open(path)).text).toContain(
      isWithdrawn ? 'This question was taken back' : 'you take 2 × Dry Gin',
    )
  }
})

test('after a withdrawal the row says the report again, and the clerk may ask once more', async () => {
  const { withdraw, offer, read, ...asking } = await askedGin()
  expect((await withdraw(offer.id)).status).toBe(200)
  const { status_comment: comment, substitutes } = await read()
  expect([comment, substitutes?.agreed]).toEqual(['Out of stock: 2 of 6 Gin', undefined])
  const again = await askingOf(desk, shop, asking).offer({ offerings: ['cheap'] })
  expect(again.body.substitutes?.offers).toMatchObject([
    { state: 'offered', offered: [{ offering_id: 'cheap', difference: -2 }] },
  ])
})

test('two clerks who offer at once: the second is told, and the customer gets one text', async () => {
  const held = await holdGin(desk, shop)
  const { offer, linkTo } = askingOf(desk, shop, held)
  const answers = await Promise.all([offer(), offer({ offerings: ['cheap'] }, shop.manager)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('substitutes_offered')
  await desk.later(async () => expect(await linkTo(held.phone)).toBeDefined())
  const { rows } = await desk.owner.query('select 1 from sandbox_texts where number = $1', [held.phone])
  expect(rows).toHaveLength(1)
  const old = await offer({ version: held.order.version })
  expect([old.status, old.refusal.code]).toEqual([409, 'invalid_transition'])
})

test('silence means what the shop has set, in time of the clock: refund', async () => {
  await settle('refund', 20)
  const { asMarketplace, read, open, path } = await askedGin()
  await desk.turn(19 * minuteMs)
  expect((await asMarketplace()).substitutes?.offers[0]?.state).toBe('offered')
  await desk.turn(minuteMs)
  await desk.later(async () => expect((await asMarketplace()).substitutes?.offers[0]?.state).toBe('silent'))
  const { history, status_comment: comment, substitutes } = await read()
  expect(comment).toBe('No answer from the customer: refund Gin, as the shop has set')
  expect([history[0]?.action, substitutes?.agreed?.refund]).toEqual(['miss_substitutes_answer', 22])
  expect((await open(path)).text).toContain('The time to answer is over')
})

test('silence takes the first substitute that costs nothing more, and never a dearer one', async () => {
  await settle('take_first', 5)
  const dearFirst = await askedGin({ offerings: ['dear', 'cheap'] })
  const dearOnly = await askedGin({ offerings: ['dear'] })
  await desk.turn(5 * minuteMs)
  await desk.later(async () =>
    expect((await dearOnly.asMarketplace()).substitutes?.offers[0]?.state).toBe('silent'),
  )
  await desk.later(async () =>
    expect((await dearFirst.asMarketplace()).substitutes?.offers).toMatchObject([
      { state: 'silent', choice: 'cheap' },
    ]),
  )
  expect((await dearFirst.asMarketplace()).substitutes?.agreed?.refund).toBe(4.4)
  expect((await dearOnly.asMarketplace()).substitutes).toMatchObject({
    offers: [{ choice: null }],
    agreed: { refund: 22 },
  })
})

test('silence rejects the order where the shop has set so, and the marketplace hears both steps', async () => {
  await settle('reject', 5)
  const { read, answer, open, path } = await askedGin()
  await desk.turn(5 * minuteMs)
  await desk.later(async () => expect((await read()).status).toBe('MERCHANT_REJECTED'))
  const { history, substitutes } = await read()
  expect(actionsOf(history).slice(0, 2)).toEqual(['reject', 'miss_substitutes_answer'])
  expect(history[0]?.comment).toBe('The customer did not answer about a substitute')
  expect(substitutes).toBeUndefined()
  expect((await answer(path, 'same')).status).toBe(303)
  expect((await open(path)).text).toContain('The time to answer is over')
})

test('an order that is cancelled, rejected or resumed meanwhile takes no answer, and the customer reads so', async () => {
  const ways = [
    (asked: Awaited<ReturnType<typeof askedGin>>) => asked.at.tell({ status: 'CANCELLED' }),
    (asked: Awaited<ReturnType<typeof askedGin>>) => asked.at.reject({ reason: { code: 'bad_weather' } }),
    ({ at, order }: Awaited<ReturnType<typeof askedGin>>) =>
      at.tell({ status: 'SUBMITTED', items: order.items, transaction: order.transaction }),
  ]
  for (const end of ways) {
    const asked = await askedGin()
    expect((await end(asked)).status).toBe(200)
    const before = await asked.read()
    expect((await asked.open(asked.path)).text).toContain('The order has changed since')
    await asked.answer(asked.path, 'dear')
    await asked.withdraw(asked.offer.id)
    await desk.turn(60 * minuteMs)
    await desk.later(async () => {
      const { rows } = await desk.owner.query('select state from substitute_offers where offer_id = $1', [
        asked.offer.id,
      ])
      expect(rows).toEqual([{ state: 'over' }])
    })
    expect(await asked.read()).toEqual(before)
  }
})

test('a phone that takes no text: a mail goes instead; without an address the clerk reads that nobody was reached', async () => {
  const customer = { first_name: 'Dee', last_name: 'N', phone_number: textSentinels.landline }
  const email = `landline-${shop.key}@example.com`
  const withMail = await holdGin(desk, shop, { customer: { ...customer, email } })
  const mailed = askingOf(desk, shop, withMail)
  await mailed.offer()
  await desk.later(async () => expect(await mailed.linkTo(email)).toContain('/substitutes/'))
  const without = askingOf(desk, shop, await holdGin(desk, shop, { customer: { ...customer, email: null } }))
  await without.offer()
  await desk.later(async () =>
    expect((await without.read()).substitutes?.offers).toMatchObject([{ state: 'unreached', choice: null }]),
  )
  const { status_comment: comment, substitutes, history } = await without.read()
  expect(comment).toBe('The message about a substitute for Gin did not reach the customer')
  expect([substitutes?.agreed, history[0]?.action]).toEqual([undefined, 'fail_substitutes_message'])
  const mail = await without.offer({ by: 'mail' })
  expect([mail.status, mail.refusal.code]).toEqual([409, 'customer_unreachable'])
  // The clerk may ask again, by the same phone: it is no answer.
  expect((await without.offer()).status).toBe(200)
})

/** A shop whose silence rejects, and a customer asked by mail until the time is over. */
async function overdueByMail(change: (mailbox: string, offerId: string) => Promise<unknown>) {
  await settle('reject', 5)
  const held = await holdGin(desk, shop)
  const asking = askingOf(desk, shop, held)
  const offered = await asking.offer({ by: 'mail' })
  expect(offered.status).toBe(200)
  const mailbox = held.order.customer.email ?? ''
  await desk.later(async () => expect(await asking.linkTo(mailbox)).toContain('/substitutes/'))
  await desk.later(async () => expect(await mailOf(mailbox)).toMatchObject([{ sent_at: expect.any(Date) }]))
  await change(mailbox, offered.body.substitutes?.offers[0]?.id ?? '')
  await desk.turn(5 * minuteMs)
  return asking
}
const mailOf = async (mailbox: string) =>
  (await desk.owner.query('select sent_at from outgoing_mails where recipient = $1', [mailbox])).rows

test('a mail that arrived counts as asked', async () => {
  const { read } = await overdueByMail(async () => undefined)
  await desk.later(async () => expect((await read()).status).toBe('MERCHANT_REJECTED'))
})

test.each([
  ['never left', 'update outgoing_mails set sent_at = null, given_up_at = now() where recipient = $1'],
  ['came back', 'update outgoing_mails set bounced_at = now() where recipient = $1'],
])('silence about a mail that %s costs no customer the order', async (_, spoil) => {
  const { read } = await overdueByMail((mailbox) => desk.owner.query(spoil, [mailbox]))
  await desk.later(async () => expect((await read()).substitutes?.offers[0]?.state).toBe('unreached'))
  expect((await read()).status).toBe('REJECTED_PARTIAL')
})

test('silence about a text that the service could not bring costs no customer the order', async () => {
  await settle('reject', 5)
  const { read, offer } = await askedGin()
  const noted = async () =>
    (
      await desk.owner.query(
        "update text_messages set state = 'failed' where message_id = $1 returning number, body, sent_by",
        [offer.id],
      )
    ).rows
  await desk.later(async () => expect(await noted()).toEqual([{ number: '', body: '', sent_by: 'system' }]))
  await desk.turn(5 * minuteMs)
  await desk.later(async () => expect((await read()).substitutes?.offers[0]?.state).toBe('unreached'))
  expect((await read()).status).toBe('REJECTED_PARTIAL')
})

test('a customer is asked about an order twelve times a day at most, however often a clerk withdraws', async () => {
  const { offer, withdraw } = askingOf(desk, shop, await holdGin(desk, shop))
  for (let time = 0; time < 12; time++) {
    const offered = await offer({ by: 'mail' })
    expect(offered.status).toBe(200)
    expect((await withdraw(offered.body.substitutes?.offers[0]?.id ?? '')).status).toBe(200)
  }
  const refused = await offer({ by: 'mail' })
  expect([refused.status, refused.refusal.code]).toEqual([429, 'too_many_requests'])
  const other = askingOf(desk, shop, await holdGin(desk, shop))
  expect((await other.offer({ by: 'mail' })).status).toBe(200)
})

test('while the customer is asked, and after the answer, no clerk reports more pieces of the line', async () => {
  const { at, path, answer, withdraw: _, read } = await askedGin()
  const more = (line: string, quantity: number) =>
    at.update({
      status: 'REJECTED_PARTIAL',
      order: {
        rejection_message: JSON.stringify({
          outOfStock: { [line]: { checked: true, reason: '', quantity } },
        }),
      },
    })
  const asked = await more('p-gin', 1)
  expect([asked.status, asked.refusal.errors['rejection_message']]).toEqual([
    400,
    'The customer is being asked about substitutes for this line. Withdraw them first, then report it.',
  ])
  await answer(path, 'same')
  expect((await more('p-gin', 1)).refusal.errors['rejection_message']).toBe(
    'The customer has answered about substitutes for this line already',
  )
  // Another line may be missing too: the agreed lines follow.
  expect((await more('p-rye', 1)).status).toBe(200)
  const { substitutes } = await read()
  expect(substitutes?.agreed?.items.map(({ name }) => name)).toEqual(['Gin', 'Dry Gin'])
})

test('refused: a line with all its pieces, an order that is not on hold, offerings that are none or too few', async () => {
  const held = await holdGin(desk, shop)
  const { offer } = askingOf(desk, shop, held)
  const problems = async (wish: Parameters<typeof offer>[0]) => {
    const { status, refusal } = await offer(wish)
    return [status, Object.keys(refusal.errors)]
  }
  expect(await problems({ line_id: 'rye' })).toEqual([400, ['line_id']])
  expect(await problems({ line_id: 'nothing' })).toEqual([400, ['line_id']])
  expect(await problems({ offerings: ['same', 'same'] })).toEqual([400, ['offerings']])
  expect(await problems({ offerings: ['o-gin'] })).toEqual([400, ['offerings']])
  for (const bad of ['gone', 'nameless', 'unknown'])
    expect(await problems({ offerings: ['same', bad] })).toEqual([400, ['offerings.1']])
  expect((await offer({ offerings: ['same', 'last'] })).refusal.errors).toEqual({
    'offerings.1': 'The stock list has 1 × Last Gin, and 2 are missing. Offer another bottle.',
  })
  const fresh = await desk.order(shop)
  const early = await askingOf(desk, shop, { order: fresh, phone: '' }).offer({ line_id: 'line-1' })
  expect([early.status, early.refusal.code]).toEqual([409, 'invalid_transition'])
  const other = await desk.openShop()
  const foreign = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/substitutes', {
    as: other.member,
    params: { tmk: other.key, id: held.order.id },
    body: { line_id: 'gin', offerings: ['same'], by: 'text' },
  })
  expect(foreign.status).toBe(404)
  expect((await offer({ offerings: ['pair'] })).status).toBe(200)
})

test('the settings of a shop: usual ones at first, changed by managers, within bounds', async () => {
  const read = async () =>
    (await desk.call('GET /m/v2/merchant/{tmk}/substitutes', { as: shop.member, params: { tmk: shop.key } }))
      .body
  expect(await read()).toEqual({ minutes: 30, silence: 'refund' })
  expect((await settle('take_first', 45)).body).toEqual({ minutes: 45, silence: 'take_first' })
  expect(await read()).toEqual({ minutes: 45, silence: 'take_first' })
  expect((await settle('refund', 4)).status).toBe(400)
  const member = await desk.call('PUT /m/v2/merchant/{tmk}/substitutes', {
    as: shop.member,
    params: { tmk: shop.key },
    body: { minutes: 10, silence: 'refund' },
  })
  expect(member.status).toBe(403)
})
