import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type TurnableDesk } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { startCourierWorker } from './courier-worker.ts'
import type { CourierKey, CourierService } from './courier.ts'
import { startProofWorker } from './proof-worker.ts'

let desk: TurnableDesk
const running: { stop(): Promise<void> }[] = []
beforeAll(async () => {
  desk = await openTurnableDesk()
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})
afterAll(async () => desk.stop())

/** A service that answers when the test says so, and that the desk's own workers do not know. */
function slowService(name: string) {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const hold = async ({ deliveryId }: CourierKey) => {
    asked.push(deliveryId)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const service = {
    name,
    look: async (key: CourierKey) => hold(key).then(() => undefined),
    proof: async (key: CourierKey) => hold(key).then(() => ({})),
  } as Partial<CourierService> as CourierService
  return { asked, service, answerNext: () => waiting.shift()?.(), answerAll: () => waiting.splice(0) }
}

test.each([
  ['looks at couriers', { start: startCourierWorker, most: 8, state: 'unknown' }],
  ['questions for proofs', { start: startProofWorker, most: 4, state: 'over' }],
] as const)(
  '%s come in turn: a shop does not wait behind the many of another',
  async (name, { start, most, state }) => {
    const { asked, service, answerNext, answerAll } = slowService(name)
    const [busy, calm] = [await desk.openShop(), await desk.openShop()]
    const add = async (merchantId: string, id: string, ago: string) => {
      await desk.owner.query(
        `insert into courier_deliveries (merchant_id, order_id, attempt, delivery_id, service, state, packages, asked_by_name, due_at)
       values ($1, $2, 1, $2, $3, $4, 1, 'Zoe', now() - $5::interval)`,
        [merchantId, id, name, state, ago],
      )
      if (state === 'over')
        await desk.owner.query(
          `insert into courier_proofs (merchant_id, order_id, attempt, due_at) values ($1, $2, 1, now() - $3::interval)`,
          [merchantId, id, ago],
        )
    }
    for (let n = 1; n <= most + 2; n++) await add(busy.key, `busy ${n}`, '1 hour')
    const worker = start({
      db: desk.app.db,
      services: { current: service, all: [service] },
      onChange: () => undefined,
      onError: () => undefined,
    })
    running.push({
      async stop() {
        const stopped = worker.stop()
        for (const answer of answerAll()) answer()
        await stopped
      },
    })
    worker.wake()
    await eventually(async () => expect(asked).toHaveLength(most))
    await add(calm.key, 'calm', '1 minute')
    answerNext()
    await eventually(async () => expect(asked).toHaveLength(most + 1))
    expect(asked[most]).toBe('calm')
  },
)

test('the couriers of a merchant on its way to another cell stay as they are, until it is open again', async () => {
  const [moving, open] = [await desk.openShop(), await desk.openShop()]
  await desk.owner.query(
    "insert into merchant_moves (merchant_id, state, until) values ($1, 'settling', now() + interval '1 hour')",
    [moving.key],
  )
  for (const shop of [moving, open])
    await desk.owner.query(
      `insert into courier_deliveries (merchant_id, order_id, attempt, delivery_id, service, state, packages, asked_by_name, due_at)
       select $1, $2, attempt, $2 || '-' || attempt, 'sandbox', 'live', 1, 'Zoe', now() + interval '1 day'
       from generate_series(1, 2) attempt`,
      [shop.key, (await desk.order(shop)).id],
    )
  // A second courier was called, so nobody needs the first.
  const marked = async ({ key }: { key: string }) =>
    (
      await desk.owner.query(
        'select attempt from courier_deliveries where merchant_id = $1 and cancel_asked_at is not null',
        [key],
      )
    ).rows
  await desk.turn(1_000)
  await desk.later(async () => expect(await marked(open)).toEqual([{ attempt: 1 }]))
  expect(await marked(moving)).toEqual([])
  await desk.owner.query('delete from merchant_moves where merchant_id = $1', [moving.key])
  await desk.turn(1_000)
  await desk.later(async () => expect(await marked(moving)).toEqual([{ attempt: 1 }]))
})
