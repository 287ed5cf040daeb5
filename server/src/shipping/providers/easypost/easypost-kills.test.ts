import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Shop } from '../../../../test/desk.ts'
import {
  easyPostSettings,
  openUpsShop,
  startEasyPostWithUps,
} from '../../../../test/providers/easypost-desk.ts'
import type { EasyPostServer } from '../../../../test/providers/easypost-server.ts'
import { openKillableDesk, type KillableDesk } from '../../../../test/processes/killable-desk.ts'
import { killedBatches } from '../../../../test/processes/killed-batches.ts'
import { patienceMs } from '../../../../test/eventually.ts'

const size = 14
const minuteMs = 60_000

let easyPost: EasyPostServer
let desk: KillableDesk
let shop: Shop
let batches: ReturnType<typeof killedBatches>
beforeAll(async () => {
  easyPost = await startEasyPostWithUps()
  desk = await openKillableDesk(easyPostSettings(easyPost))
  shop = await openUpsShop(desk)
  batches = killedBatches(desk, shop)
}, 2 * minuteMs)
afterAll(async () => {
  await desk.stop()
  await easyPost.stop()
})
beforeEach(() => {
  easyPost.batches.isSlow = false
})

const soldFor = (ids: readonly string[]) =>
  [...easyPost.shipments.values()].filter(
    ({ tracking_code, request }) =>
      tracking_code !== null && ids.includes(String(request['reference']).split(':')[0] ?? ''),
  ).length

async function restart(): Promise<void> {
  await desk.kill()
  await desk.start()
  await batches.endLeases()
}

test.each([2, 5, 10])(
  'killed when EasyPost had bought %i of a batch of 14: the server waits for the others, and each order ends with one label',
  async (count) => {
    const ids = await batches.accepted(size)
    easyPost.batches.isSlow = true
    const { body } = await batches.start(ids)
    await vi.waitFor(
      () => expect([...easyPost.batches.all.values()].some(({ state }) => state === 'purchasing')).toBe(true),
      { timeout: patienceMs },
    )
    easyPost.batches.deliver(count)
    await restart()
    await batches.untilDone(body.batch_id, [count, size - count])
    easyPost.batches.deliver()
    await batches.endLeases()
    await batches.expectAllShipped(ids, body.batch_id)
    expect(soldFor(ids)).toBe(size)
  },
  3 * minuteMs,
)

test(
  'killed while EasyPost makes the batch, before any money is spent: no order is in doubt, and all are bought at once',
  async () => {
    const ids = await batches.accepted(size)
    let isMade = () => {}
    let goOn = () => {}
    const made = new Promise<void>((resolve) => (isMade = resolve))
    easyPost.delay(/POST \/batches$/, async () => {
      isMade()
      await new Promise<void>((resolve) => (goOn = resolve))
    })
    const { body } = await batches.start(ids)
    await made
    await desk.kill()
    goOn()
    await desk.start()
    await batches.endLeases()
    await batches.expectAllShipped(ids, body.batch_id)
    expect(soldFor(ids)).toBe(size)
  },
  3 * minuteMs,
)

test(
  'if EasyPost takes no batch, each is bought alone: killed before the fifth arrives, only that one is in doubt',
  async () => {
    const ids = await batches.accepted(size)
    const noBatch = {
      status: 422,
      json: { error: { code: 'BATCH.CREATE', message: 'Not these', errors: [] } },
    }
    easyPost.fail(/POST \/batches$/, noBatch)
    easyPost.fail(/POST \/batches$/, noBatch)
    let isThere = () => {}
    const fifth = new Promise<void>((resolve) => (isThere = resolve))
    for (let earlier = 1; earlier < 5; earlier++)
      easyPost.delay(/shipments\/\w+\/buy$/, async () => undefined)
    easyPost.delay(/shipments\/\w+\/buy$/, async () => {
      isThere()
      await new Promise(() => undefined)
    })
    const { body } = await batches.start(ids)
    await fifth
    expect(soldFor(ids)).toBe(4)
    await restart()
    await batches.untilDone(body.batch_id, [size - 1, 1])
    await batches.letDoubtAge()
    await batches.expectAllShipped(ids, body.batch_id)
    expect(soldFor(ids)).toBe(size)
  },
  3 * minuteMs,
)
