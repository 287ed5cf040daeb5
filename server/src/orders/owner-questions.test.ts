import type { Order } from '@cellarhand/contract/orders'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { marketplaceCredential, openTurnableDesk, type Person, type Shop } from '../../test/desk.ts'
import type { TurnableDesk } from '../../test/desk.ts'
import { dutiesAt, unknown, utah } from '../../test/duties-desk.ts'
import { toUtah } from '../../test/orders.ts'
import { storedOrder, takeStep } from '../../test/order-steps.ts'

let desk: TurnableDesk

beforeAll(async () => {
  desk = await openTurnableDesk()
})
afterAll(async () => desk.stop())

const { decide, careful, pass, read } = dutiesAt(() => desk)
const secret = 'The customer is Cerberus himself, and holds a licence'

interface Asking {
  as?: Person
  rule?: string
  question?: unknown
  version?: number
  key?: string
  tmk?: string
}

const ask = (shop: Shop, order: Order, asking: Asking = {}) => {
  const { as = shop.member, rule = unknown, question = secret, version, key, tmk = shop.key } = asking
  return desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask', {
    as,
    params: { tmk, id: order.id },
    body: { rule, question, ...(version !== undefined && { version }) },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
}
const keep = (shop: Shop, order: Order, { as = shop.owner, rule = unknown, version }: Asking = {}) =>
  desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/duties/keep_held', {
    as,
    params: { tmk: shop.key, id: order.id },
    body: { rule, reason: 'We have no permit there', ...(version !== undefined && { version }) },
  })
const asked = async (shop: Shop, order: Order) =>
  (
    await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/duties', {
      as: shop.member,
      params: { tmk: shop.key, id: order.id },
    })
  ).body.asked
const mailsTo = async ({ email }: Person) => {
  const { body } = await desk.call('GET /demo/outbox.json')
  return body.items.filter(({ to }) => to === email)
}
const asksOf = async (shop: Shop, order: Order) =>
  (await read(shop, order.id)).history.filter(({ action }) => action === 'ask_owner')

describe('a clerk asks an owner about an order that a rule holds', () => {
  test('each owner gets a mail with the rule, the question and a link, and nobody else does; the row and the order say so', async () => {
    const shop = await careful()
    const second = await desk.addPerson(shop.key, 'merch.owner')
    const order = await desk.order(shop, toUtah)
    const { status, body } = await ask(shop, order)
    expect([status, body.status, body.duties?.asked, body.duties?.note]).toEqual([
      200,
      'SUBMITTED',
      [unknown],
      'Owner asked',
    ])
    expect((await read(shop, order.id)).history[0]).toMatchObject({
      action: 'ask_owner',
      details: { rule: unknown, words: utah, question: secret },
    })
    expect(await asked(shop, order)).toMatchObject([{ rule: unknown, question: secret, answer: null }])
    for (const owner of [shop.owner, second]) {
      const [mail, ...more] = await mailsTo(owner)
      expect([mail?.subject, more]).toEqual([`Order #${order.id} waits for your decision`, []])
      for (const words of [utah, secret]) expect(mail?.text).toContain(words)
      expect(mail?.links.map((link) => new URL(link).pathname)).toEqual([`/orders/view/${order.id}`])
    }
    for (const other of [shop.member, shop.manager]) expect(await mailsTo(other)).toEqual([])
    const refused = await takeStep(desk, shop, { order, step: 'accept' })
    expect([refused.status, refused.refusal.code]).toEqual([409, 'duty_forbids'])
  })

  test('a question of several lines is one line of the mail, and no part of it', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    await ask(shop, order, { question: 'Please\n\nOpen the order:\nhttps://evil.example.com/ <b>' })
    const [mail] = await mailsTo(shop.owner)
    expect(mail?.text).toContain('writes: “Please Open the order: https://evil.example.com/ <b>”')
    expect(mail?.html).not.toContain('<b>')
    expect(mail?.html).not.toContain('href="https://evil')
  })

  test('asked twice is asked once: by a double press, a lost answer, two clerks at once and again later', async () => {
    const shop = await careful()
    const colleague = await desk.addPerson(shop.key, 'merch.user')
    const order = await desk.order(shop, toUtah)
    const first = await Promise.all([
      ask(shop, order, { key: 'press-1' }),
      ask(shop, order, { as: colleague, question: 'Me too' }),
      ask(shop, order, { as: shop.manager }),
    ])
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200])
    // The answer was lost, and the page sends the same request again.
    expect((await ask(shop, order, { key: 'press-1' })).status).toBe(200)
    expect((await ask(shop, order)).status).toBe(200)
    expect(await asksOf(shop, order)).toHaveLength(1)
    expect(await mailsTo(shop.owner)).toHaveLength(1)
    // A clerk who has not seen the question reads whose it is.
    const late = await ask(shop, order, { as: colleague, version: order.version })
    expect([late.status, late.refusal['latest']]).toMatchObject([409, { action: 'ask_owner' }])
  })

  test('the owners get one mail for the questions of ten minutes about an order', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    for (let round = 0; round < 3; round++) {
      expect((await ask(shop, order)).status).toBe(200)
      expect((await keep(shop, order)).status).toBe(200)
    }
    expect([(await asksOf(shop, order)).length, (await mailsTo(shop.owner)).length]).toEqual([3, 1])
    await desk.turn(11 * 60_000)
    await ask(shop, order)
    expect(await mailsTo(shop.owner)).toHaveLength(2)
  })
})

describe('the question', () => {
  test('nothing has to be typed; a question that nobody can see is refused at its field', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    for (const question of ['', '\u200b', 'x'.repeat(501), 7]) {
      const { status, refusal } = await ask(shop, order, { question })
      expect([status, Object.keys(refusal.errors)]).toEqual([400, ['question']])
    }
    expect((await ask(shop, order, { question: null })).status).toBe(200)
    expect(await asked(shop, order)).toMatchObject([{ question: null }])
  })

  test('only about a rule that stands against it, and not about an order that is over', async () => {
    const shop = await careful()
    const [held, fine] = [await desk.order(shop, toUtah), await desk.order(shop)]
    for (const [order, rule] of [
      [fine, unknown],
      [held, 'CA-HOURS'],
    ] as const)
      expect((await ask(shop, order, { rule })).refusal.errors).toEqual({
        rule: 'This rule does not stand against the order',
      })
    await takeStep(desk, shop, { order: held, step: 'reject' })
    const late = await ask(shop, held)
    expect([late.status, late.refusal.code]).toEqual([409, 'order_finished'])
    expect(await mailsTo(shop.owner)).toEqual([])
  })

  test('about the hours of the night before the hand-over, too', async () => {
    const shop = await desk.openShop(undefined, 'America/Los_Angeles')
    await decide(shop, 'CA-HOURS')
    const order = await desk.order(shop, {
      delivery: { method: 'on_demand' },
      recipient: { ...toUtah.recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' },
    })
    expect((await ask(shop, order, { rule: 'CA-HOURS' })).status).toBe(200)
    expect((await asked(shop, order))?.map(({ rule }) => rule)).toEqual(['CA-HOURS'])
    expect((await pass(shop, order, { rule: 'CA-HOURS' })).body.duties?.asked).toBeUndefined()
  })

  test('within the hours the answer says that they are now, and not after them', async () => {
    const shop = await desk.openShop(undefined, 'UTC')
    const hour = (offset: number) =>
      new Date(desk.clock.nowMs() + offset * 3_600_000).toISOString().slice(11, 16)
    await decide(shop, 'CA-HOURS', {
      decision: 'changed',
      reason: 'Our town is asleep',
      value: { from: hour(-1), to: hour(2) },
    })
    const order = await desk.order(shop, {
      delivery: { method: 'on_demand' },
      recipient: { ...toUtah.recipient, state: 'CA', city: 'Santa Barbara', zipcode: '93109' },
    })
    const isNow = async () => {
      const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/{id}/duties', {
        as: shop.member,
        params: { tmk: shop.key, id: order.id },
      })
      return body.tell.map(({ rule, is_now: now }) => [rule, now])
    }
    expect(await isNow()).toContainEqual(['CA-HOURS', true])
    await desk.turn(3 * 3_600_000)
    expect(await isNow()).toContainEqual(['CA-HOURS', undefined])
  })

  test('the marketplace reads neither the question nor the reason of the answer', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    await ask(shop, order)
    await keep(shop, order)
    expect(JSON.stringify(await storedOrder(desk, order.id))).not.toMatch(/Cerberus|permit/)
    for (const path of [`/marketplace/v1/orders/${order.id}`, '/marketplace/v1/events'])
      expect((await desk.send('GET', path, { as: marketplaceCredential })).text).not.toMatch(
        /Cerberus|permit/,
      )
  })
})

describe('an owner answers', () => {
  test('with yes: the order goes on, and the question is over', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    await ask(shop, order)
    expect((await pass(shop, order)).body.duties?.asked).toBeUndefined()
    expect(await asked(shop, order)).toEqual([])
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(200)
  })

  test('with no: it stays held, the clerk reads who and why, and may ask again', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    const nobodyAsks = await keep(shop, order)
    expect([nobodyAsks.status, Object.keys(nobodyAsks.refusal.errors)]).toEqual([400, ['rule']])
    await ask(shop, order)
    const { status, body } = await keep(shop, order)
    expect([status, body.duties?.asked, body.duties?.kept_held, body.duties?.note]).toEqual([
      200,
      undefined,
      [unknown],
      'Held: Utah',
    ])
    expect(await asked(shop, order)).toMatchObject([
      {
        question: secret,
        answer: { by: expect.stringContaining('owner'), reason: 'We have no permit there' },
      },
    ])
    const refused = await takeStep(desk, shop, { order, step: 'accept' })
    expect([refused.status, refused.refusal.code]).toEqual([409, 'duty_forbids'])
    await ask(shop, order, { question: 'And now?' })
    expect(await asked(shop, order)).toMatchObject([{ question: 'And now?', answer: null }])
  })

  test('the second of two owners sees what the first has answered', async () => {
    const shop = await careful()
    const order = await desk.order(shop, toUtah)
    const { version } = (await ask(shop, order)).body
    expect((await keep(shop, order, { version })).status).toBe(200)
    const second = await pass(shop, order, { version })
    expect([second.status, second.refusal['latest']]).toMatchObject([409, { action: 'keep_held' }])
    expect((await takeStep(desk, shop, { order, step: 'accept' })).status).toBe(409)

    const other = await desk.order(shop, toUtah)
    const seen = (await ask(shop, other)).body.version
    expect((await pass(shop, other, { version: seen })).status).toBe(200)
    const late = await keep(shop, other, { version: seen })
    expect([late.status, late.refusal['latest']]).toMatchObject([409, { action: 'pass_duty' }])
  })

  test('another address ends question and answer: both were about the old one', async () => {
    const shop = await careful()
    const [open, answered] = [await desk.order(shop, toUtah), await desk.order(shop, toUtah)]
    for (const order of [open, answered]) await ask(shop, order)
    await keep(shop, answered)
    for (const order of [open, answered]) {
      const { duties } = (await takeStep(desk, shop, { order, step: 'correct_address' })).body
      expect([duties?.block.length, duties?.asked, duties?.kept_held]).toEqual([1, undefined, undefined])
      expect(await asked(shop, order)).toEqual([])
    }
  })
})

test('GEN-007 a clerk answers no question, and another merchant neither asks, answers nor reads one', async () => {
  const [shop, other] = [await careful(), await careful()]
  const order = await desk.order(shop, toUtah)
  for (const as of [other.owner, other.member]) {
    expect((await ask(shop, order, { as })).status).toBe(403)
    expect((await ask(other, order, { as })).status).toBe(404)
  }
  await ask(shop, order)
  for (const as of [shop.member, shop.manager]) expect((await keep(shop, order, { as })).status).toBe(403)
  expect((await keep(other, order)).status).toBe(404)
  expect(await mailsTo(other.owner)).toEqual([])
  const path = `/m/v2/merchant/${shop.key}/orders/${order.id}/duties/ask`
  for (const as of [undefined, marketplaceCredential])
    expect((await desk.send('POST', path, { as, body: { rule: unknown } })).status).toBe(401)
  expect(await asked(shop, order)).toMatchObject([{ answer: null }])
})
