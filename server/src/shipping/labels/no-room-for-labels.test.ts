import { mkdir, rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskFolder } from '#platform/files/disk-store.ts'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { labelBatches } from '../../../test/label-batches.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { connectCarrier } from '../../../test/providers/carrier-account.ts'

let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk({ SANDBOX_STEP_SECONDS: '86400' })
  shop = await desk.openShop()
  await connectCarrier(desk, shop)
})
afterAll(async () => desk.stop())

test('the file of bought labels waits for its disk, however long that takes no file, and no label is bought twice', async () => {
  const labels = labelBatches(desk, shop, desk.later)
  const weighed = { status: 'MERCHANT_ACCEPTED', order_weight: 4.5 } as const
  const orders = [await orderIn(desk, shop, weighed), await orderIn(desk, shop, weighed)]
  const folder = diskFolder(desk.config.dataDir)
  await mkdir(desk.config.dataDir, { recursive: true })
  await writeFile(folder, 'no folder')
  const { batch_id: id } = (await labels.start(orders.map((order) => order.id))).body
  const bought = async () =>
    (await desk.owner.query("select 1 from sandbox_parcels where state = 'bought'")).rows
  await eventually(async () => expect(await bought()).toHaveLength(2))
  // Twice as often as a job is tried that fails by itself.
  for (let round = 0; round < 12; round++) {
    const failed = "error is not null or due_at > now() + interval '8 seconds'"
    await eventually(async () => {
      const { rows } = await desk.owner.query(
        `update jobs set due_at = now(), error = null where ${failed} returning 1`,
      )
      expect(rows).toHaveLength(1)
    })
    await desk.turn(1_000)
  }
  await rm(folder)
  await desk.turn(60_000)
  await desk.later(async () => expect((await labels.read(id)).batch_pdf_urls.labels).not.toBeNull())
  const ended = await labels.read(id)
  expect([ended.completed_count, ended.error_count]).toEqual([2, 0])
  expect(await bought()).toHaveLength(2)
})
