import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { askingOf, holdGin, leftAt, setSilence, stockGin } from '../../test/substitutes.ts'
import { substitutesUpkeep } from './upkeep.ts'

const minuteMs = 60_000
let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
  await stockGin(desk, shop)
  await setSilence(desk, shop, { minutes: 20, silence: 'reject' })
})
afterAll(async () => desk.stop())

/** A customer who is asked, and whose message has left. */
async function asked(by: 'mail' | 'text') {
  const asking = askingOf(desk, shop, await holdGin(desk, shop))
  const offered = await asking.offer({ by })
  const id = offered.body.substitutes?.offers[0]?.id ?? ''
  await desk.later(async () => expect(await leftAt(desk, id)).toEqual(expect.any(Date)))
  return { ...asking, id }
}

const leaves = {
  mail: (before: string) => `update outgoing_mails m set sent_at = o.until_at - interval '${before}'
    from substitute_offers o where o.mail_id = m.mail_id and o.offer_id = $1`,
  text: (before: string) =>
    `update substitute_offers set told_at = until_at - interval '${before}' where offer_id = $1`,
}

/** The time is over, and the order waits for the clerk. */
async function isUnreached({ read }: Pick<Awaited<ReturnType<typeof asked>>, 'read'>): Promise<void> {
  await desk.turn(20 * minuteMs)
  await desk.later(async () => expect((await read()).substitutes?.offers[0]?.state).toBe('unreached'))
  expect((await read()).status).toBe('REJECTED_PARTIAL')
}

test.each(['mail', 'text'] as const)(
  'a %s that leaves in the second half of the time is no question: the order waits for the clerk',
  async (by) => {
    const asking = await asked(by)
    await desk.owner.query(leaves[by]('9 minutes'), [asking.id])
    await isUnreached(asking)
  },
)

test.each(['mail', 'text'] as const)(
  'a %s that leaves in the first half of the time counts: silence about it rejects the order',
  async (by) => {
    const { id, read } = await asked(by)
    await desk.owner.query(leaves[by]('11 minutes'), [id])
    await desk.turn(20 * minuteMs)
    await desk.later(async () => expect((await read()).status).toBe('MERCHANT_REJECTED'))
  },
)

test.each(['mail', 'text'] as const)(
  'after a restore silence about a %s counts no more, since the customer may have answered',
  async (by) => {
    const asking = await asked(by)
    await desk.app.db.system(async (statements) =>
      substitutesUpkeep.afterRestore?.(statements, { madeAt: new Date().toISOString(), leastVersion: 1 }),
    )
    await isUnreached(asking)
  },
)

test('an order and a shop that both asked too often hear when both may ask again', async () => {
  const held = await holdGin(desk, shop)
  const asking = askingOf(desk, shop, held)
  const first = await asking.offer({ by: 'mail' })
  await asking.withdraw(first.body.substitutes?.offers[0]?.id ?? '')
  const another = await holdGin(desk, shop)
  for (const [id, count, ago] of [
    [another.order.id, 388, '23 hours 55 minutes'],
    [held.order.id, 11, '1 hour'],
  ])
    await desk.owner.query(
      `insert into substitute_offers (merchant_id, offer_id, order_id, offer, state, until_at, created_at)
       select merchant_id, $2 || '-' || place, $2, offer, 'withdrawn', until_at, now() - $4::interval
       from (select * from substitute_offers where merchant_id = $1 limit 1) one cross join generate_series(1, $3::int) as place`,
      [shop.key, id, count, ago],
    )
  const refused = await asking.offer({ by: 'mail' })
  expect([refused.status, Math.ceil(Number(refused.headers.get('retry-after')) / 3600)]).toEqual([429, 23])
})

test('a shop asks 400 times a day at most, and hears when the oldest question is a day old', async () => {
  const early = askingOf(desk, shop, await holdGin(desk, shop))
  const first = await early.offer({ by: 'mail' })
  await early.withdraw(first.body.substitutes?.offers[0]?.id ?? '')
  const askedBefore = await holdGin(desk, shop)
  await desk.owner.query(
    `insert into substitute_offers (merchant_id, offer_id, order_id, offer, state, until_at, created_at)
     select merchant_id, 'before-' || place, $2, offer, 'withdrawn', until_at, now() - interval '23 hours 55 minutes'
     from substitute_offers cross join generate_series(1, 398) as place where merchant_id = $1`,
    [shop.key, askedBefore.order.id],
  )
  const late = askingOf(desk, shop, await holdGin(desk, shop))
  // The 400th.
  const last = await late.offer({ by: 'mail' })
  expect(last.status).toBe(200)
  await late.withdraw(last.body.substitutes?.offers[0]?.id ?? '')
  for (const { offer } of [early, late, askingOf(desk, shop, await holdGin(desk, shop))]) {
    const refused = await offer({ by: 'mail' })
    expect([refused.status, Math.ceil(Number(refused.headers.get('retry-after')) / 60)]).toEqual([429, 5])
  }
})
