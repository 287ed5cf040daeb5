import type { DutyRule } from '@cellarhand/contract/duty-rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { decideRule } from '../../../test/duties-desk.ts'
import { storedOrder } from '../../../test/order-steps.ts'
import { dayIn } from '../../platform/clock/zoned-time.ts'
import { writeRules } from '../load-rules.ts'
import { dutiesUpkeep } from '../upkeep.ts'

let desk: TurnableDesk
beforeAll(async () => {
  desk = await openTurnableDesk()
})
afterAll(async () => desk.stop())

const dayMs = 86_400_000

/** The shop's day so many days from now. */
function day(days: number): string {
  return dayIn(desk.clock.nowMs() + days * dayMs, 'America/New_York')
}

/** A release with this rule. */
async function release(id: string, rule: Partial<DutyRule>): Promise<void> {
  const whole = {
    id,
    country: 'US',
    state: 'NY',
    kind: 'dry_area',
    applies: {},
    value: {},
    words: `Words of ${id}.`,
    source: 'https://example.com/law',
    sure: 'law',
    read_on: day(-1),
    valid_from: null,
    valid_to: null,
    ...rule,
  } as DutyRule
  await desk.app.db.system((statements) => writeRules(statements, [whole]))
}

interface Carried {
  readonly duties?: Record<'block' | 'must', { rule: string; words: string; is_doubtful?: boolean }[]>
}

/** Sessions end while the time is turned by days, so the stored order is read. */
async function carried(id: string, kind: 'block' | 'must') {
  const { document } = await storedOrder(desk, id)
  return (JSON.parse(document) as Carried).duties?.[kind] ?? []
}
const rulesAgainst = async (id: string) => (await carried(id, 'block')).map(({ rule }) => rule)

/** A check that is still under way when the time is turned would be taken again, and ask on the later day. */
async function checked(shop: Shop): Promise<void> {
  await desk.later(async () => {
    const { rows } = await desk.owner.query('select from jobs where merchant_id = $1', [shop.key])
    expect(rows).toEqual([])
  })
}

test('the sweep brings an open order the rule whose validity begins, and takes away the one that has ended', async () => {
  const shop = await desk.openShop()
  await release('NY-FAIR-WEEK', { valid_from: day(2), valid_to: day(6) })
  await decideRule(desk, shop, { rule: 'NY-FAIR-WEEK' })
  const order = await desk.order(shop)
  expect(await rulesAgainst(order.id)).toEqual([])
  await checked(shop)
  await desk.turn(4 * dayMs)
  await desk.later(async () => expect(await rulesAgainst(order.id)).toEqual(['NY-FAIR-WEEK']))
  const { rows } = await desk.owner.query('select needs_look from orders where order_id = $1', [order.id])
  expect(rows).toEqual([{ needs_look: true }])
  await checked(shop)
  await desk.turn(5 * dayMs)
  await desk.later(async () => expect(await rulesAgainst(order.id)).toEqual([]))
})

test('a reading that grows older than a year makes the rule doubtful where it is carried', async () => {
  const shop = await desk.openShop()
  await release('NY-OLD-READING', { kind: 'adult_signature', read_on: day(-363) })
  await decideRule(desk, shop, { rule: 'NY-OLD-READING' })
  const order = await desk.order(shop)
  const doubt = async () =>
    (await carried(order.id, 'must')).flatMap(({ rule, is_doubtful = false }) =>
      rule === 'NY-OLD-READING' ? [is_doubtful] : [],
    )
  expect(await doubt()).toEqual([false])
  await checked(shop)
  await desk.turn(6 * dayMs)
  await desk.later(async () => expect(await doubt()).toEqual([true]))
})

test('so it does after a release that changes a rule, and after the shop has moved to another state', async () => {
  const shop = await desk.openShop()
  await release('NY-CHANGED', {})
  await decideRule(desk, shop, { rule: 'NY-CHANGED' })
  await decideRule(desk, shop, { rule: 'US-HOME-STATE' })
  const order = await desk.order(shop)
  const words = async () => (await carried(order.id, 'block')).map((duty) => duty.words)
  expect(await words()).toEqual(['Words of NY-CHANGED.'])
  await checked(shop)
  await release('NY-CHANGED', { words: 'Not in this town.' })
  await desk.turn(3_600_000)
  await desk.later(async () => expect(await words()).toEqual(['Not in this town.']))
  await checked(shop)
  await desk.owner.query(
    `update merchants set address = jsonb_set(address::jsonb, '{state}', '"NJ"')::json where merchant_id = $1`,
    [shop.key],
  )
  await desk.turn(3_600_000)
  await desk.later(async () =>
    expect(await words()).toEqual([
      'Not in this town.',
      'No rule that this shop has confirmed allows to ship these bottles to New York.',
    ]),
  )
})

/** An owner's word whose job ends without asking the orders. */
async function decidedUnasked(shop: Shop, rule: string): Promise<void> {
  await desk.owner.query(
    `insert into duty_decisions (merchant_id, rule_id, decision_no, decision, decided_by_id, decided_by)
     values ($1, $2, 1, 'confirmed', $3, 'Ada Marsh')`,
    [shop.key, rule, shop.owner.id],
  )
}

test.each<[string, (shop: Shop) => Promise<unknown>]>([
  [
    'was given up',
    (shop) =>
      desk.owner.query(
        `insert into jobs (merchant_id, job_id, kind, payload, attempts) values ($1, $1, 'check_duties', '{}', 5)`,
        [shop.key],
      ),
  ],
  [
    'ended with a restore',
    () =>
      desk.app.db.system(async (statements) =>
        dutiesUpkeep.afterRestore?.(statements, { madeAt: '', leastVersion: 1 }),
      ),
  ],
  [
    'was of the cell that the shop came from',
    (shop) =>
      desk.app.db.system(async (statements) => {
        expect(await dutiesUpkeep.afterArrival?.(statements, shop.key)).toBeUndefined()
      }),
  ],
])('the orders that a check did not reach are asked by the next sweep: it %s', async (_, end) => {
  const shop = await desk.openShop()
  const order = await desk.order(shop)
  const rule = `NY-UNASKED-${shop.key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`.slice(0, 40)
  await release(rule, {})
  await desk.turn(3_600_000)
  await desk.later(async () => {
    const { rows } = await desk.owner.query('select from duty_checks where merchant_id = $1', [shop.key])
    expect(rows).toHaveLength(1)
  })
  await checked(shop)
  await decidedUnasked(shop, rule)
  await end(shop)
  await checked(shop)
  expect(await rulesAgainst(order.id)).toEqual([])
  await desk.turn(3_600_000)
  await desk.later(async () => expect(await rulesAgainst(order.id)).toEqual([rule]))
})

test('a shop whose answer cannot have changed is left alone', async () => {
  const shop = await desk.openShop()
  const asked = async () => {
    const { rows } = await desk.owner.query<{ asked_on: string }>(
      'select asked_on::text from duty_checks where merchant_id = $1',
      [shop.key],
    )
    return rows[0]?.asked_on
  }
  await desk.turn(3_600_000)
  const first = await desk.later(async () => {
    const on = await asked()
    expect(on).toBeDefined()
    return on
  })
  const other = await desk.openShop()
  await desk.turn(3_600_000)
  // The sweep has passed: the newer shop was asked for the first time.
  await desk.later(async () => {
    const { rows } = await desk.owner.query('select from duty_checks where merchant_id = $1', [other.key])
    expect(rows).toHaveLength(1)
  })
  expect(await asked()).toBe(first)
})
