import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'
import type { Shop } from '../../../test/desk.ts'
import { eventually, patienceMs } from '../../../test/eventually.ts'
import { holdRows } from '../../../test/database/held-rows.ts'
import { openKillableDesk, type KillableDesk } from '../../../test/processes/killable-desk.ts'
import { killedBatches } from '../../../test/processes/killed-batches.ts'
import { holdSandbox, type SandboxHold } from '../../../test/providers/sandbox-hold.ts'

const size = 14
const minuteMs = 60_000

let desk: KillableDesk
let shop: Shop
let hold: SandboxHold
let batches: ReturnType<typeof killedBatches>
beforeAll(async () => {
  desk = await openKillableDesk({ SANDBOX_STEP_SECONDS: '86400' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop)
  hold = await holdSandbox(desk.owner)
  batches = killedBatches(desk, shop)
}, 2 * minuteMs)
afterAll(async () => {
  hold.stop()
  await desk.stop()
})

/** How many labels the carrier sold, for these orders or in total. */
async function sold(ids: readonly string[] | null = null): Promise<number> {
  const { rows } = await desk.owner.query<{ n: number }>(
    `select count(*)::int as n from sandbox_parcels
     where state <> 'quoted' and ($1::text[] is null or label->>'orderNumber' = any($1))`,
    [ids],
  )
  return rows[0]?.n ?? 0
}

/** How many purchases of these orders may be under way, by our own records. */
async function beingBought(ids: readonly string[]): Promise<number> {
  const { rows } = await desk.owner.query(
    `select 1 from shipping_labels where order_id = any($1) and state = 'buying'`,
    [ids],
  )
  return rows.length
}

/** Kills the server while the next purchase is under way. Its successor may be held again after so many. */
async function killDuringNext(how: 'bought' | 'lost', next?: number): Promise<void> {
  await hold.untilHeld()
  await desk.kill()
  await hold.end(how)
  // Before the start: a server that starts late finds the job due, and would buy all the rest.
  if (next !== undefined) await hold.after((await sold()) + next)
  await desk.start()
}

test.each([
  [2, 'bought'],
  [5, 'lost'],
  [10, 'bought'],
] as const)(
  'killed after %i of 14 labels during the next purchase, which is %s: each order ends with one label',
  async (count, how) => {
    const ids = await batches.accepted(size)
    await hold.after((await sold()) + count)
    const { body } = await batches.start(ids)
    await hold.untilHeld()
    // None of the others can ever be in doubt.
    expect(await beingBought(ids)).toBe(1)
    await killDuringNext(how)
    expect(await sold(ids)).toBe(how === 'bought' ? count + 1 : count)
    await batches.endLeases()
    await batches.expectAllShipped(ids, body.batch_id)
    expect(await sold(ids)).toBe(size)
  },
  3 * minuteMs,
)

test(
  'killed after the order shipped and before its batch knew: a label that the clerk then voids is not bought again',
  async () => {
    const [id = ''] = await batches.accepted(1)
    await hold.after(await sold())
    const { body } = await batches.start([id])
    await hold.untilHeld()
    const row = await holdRows(desk, 'select 1 from batch_orders where batch_id = $1 for update', [
      body.batch_id,
    ])
    await hold.end('bought')
    await eventually(async () => {
      const { rows } = await desk.owner.query('select status from orders where order_id = $1', [id])
      expect(rows).toEqual([{ status: 'MERCHANT_SHIPPED' }])
    })
    await desk.kill()
    await row.release()
    // The job stays with the dead process until the clerk is done.
    await desk.owner.query(`update jobs set due_at = now() + interval '1 hour'`)
    await desk.start()
    const voided = await desk.call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/void', {
      as: shop.member,
      params: { tmk: shop.key, id },
    })
    expect([voided.status, voided.body.status]).toEqual([200, 'MERCHANT_ACCEPTED'])
    await batches.endLeases()
    const batch = await batches.untilEnded(body.batch_id)
    expect(batch.failed.map(({ message }) => message)).toEqual([
      'Its label was bought and then voided. To ship it, create a new label in the order.',
    ])
    expect(await sold([id])).toBe(1)
  },
  3 * minuteMs,
)

test(
  'a batch whose server dies more often than a job is tried still ends, because it advances each time',
  async () => {
    const kills = 6
    const ids = await batches.accepted(2 * kills + 2)
    await hold.after((await sold()) + 1)
    const { body } = await batches.start(ids)
    for (let kill = 1; kill <= kills; kill++) {
      await killDuringNext('bought', kill < kills ? 1 : undefined)
      await batches.endLeases()
    }
    await batches.expectAllShipped(ids, body.batch_id)
    expect(await sold(ids)).toBe(ids.length)
  },
  5 * minuteMs,
)

test(
  'without any help, a killed batch and a single label settle by themselves',
  async () => {
    const ids = await batches.accepted(5)
    const [single = '', ...many] = ids
    await hold.after((await sold()) + 1)
    const { body } = await batches.start(many)
    await hold.untilHeld()
    // Held as well, because its purchase comes after the batch's.
    const answer = desk
      .call('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', {
        as: shop.member,
        params: { tmk: shop.key, id: single },
        body: { order_id: single, boxes: [{ weight: 2 }] },
      })
      .catch((error: unknown) => error)
    await vi.waitFor(
      async () => {
        const { rows } = await desk.owner.query(
          `select 1 from shipping_labels where order_id = $1 and state = 'buying'`,
          [single],
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: patienceMs, interval: 50 },
    )
    await killDuringNext('bought')
    expect(await answer).toBeInstanceOf(Error)
    await batches.expectAllShipped(many, body.batch_id)
    await vi.waitFor(
      async () => {
        const { body: order } = await desk.call('GET /m/v2/orders/{id}', {
          as: shop.member,
          params: { id: single },
        })
        expect(order.status).toBe('MERCHANT_SHIPPED')
      },
      { timeout: patienceMs, interval: 200 },
    )
    expect(await sold(ids)).toBe(5)
  },
  3 * minuteMs,
)
