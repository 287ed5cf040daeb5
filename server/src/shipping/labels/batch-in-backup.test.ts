import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskFolder } from '#platform/files/disk-store.ts'
import { writeBackup } from '#platform/backup/write-backup.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at } from '../../../test/database/restore-room.ts'
import { eventually } from '../../../test/eventually.ts'
import { labelBatches } from '../../../test/label-batches.ts'
import { orderIn } from '../../../test/order-steps.ts'
import { openEasyPostDesk, type EasyPostDesk } from '../../../test/providers/easypost-desk.ts'

let open: EasyPostDesk
let folder: string
beforeAll(async () => {
  open = await openEasyPostDesk()
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-batch-'))
})
afterAll(async () => {
  await open.stop()
  await rm(folder, { recursive: true })
})

test('the file of a label batch is in a backup that read its row, also when a newer file replaced it meanwhile', async () => {
  const { desk, shop, easyPost } = open
  const labels = labelBatches(desk, shop, desk.later)
  const until = async (look: () => Promise<boolean> | boolean) =>
    desk.later(async () => expect(await look()).toBe(true))
  const settle = () => desk.owner.query('update label_purchases set lease_until = now()')
  const ids: string[] = []
  while (ids.length < 2)
    ids.push((await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', order_weight: 4.5 })).id)
  easyPost.batches.isSlow = true
  const { batch_id: id } = (await labels.start(ids)).body
  await until(() => [...easyPost.batches.all.values()].at(-1)?.state === 'purchasing')
  await desk.owner.query('update jobs set due_at = now()')
  await until(async () => (await labels.read(id)).in_doubt?.length === 2)
  easyPost.batches.deliver(1)
  await settle()
  await until(async () => (await labels.read(id)).batch_pdf_urls.labels !== null)
  const soFar = (await labels.read(id)).batch_pdf_urls.labels ?? ''

  // The backup has its moment, and waits for one of the last tables.
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const holder = await desk.owner.connect()
  await holder.query('begin; lock table saved_views in access exclusive mode')
  const to = join(folder, 'backup')
  const backup = writeBackup(at(rows[0]?.name ?? ''), {
    folder: to,
    documents: diskFolder(desk.config.dataDir),
  })
  await eventually(async () => {
    const waiting = await desk.owner.query(
      `select from pg_locks where not granted and relation = 'saved_views'::regclass`,
    )
    expect(waiting.rows).toHaveLength(1)
  })
  easyPost.batches.deliver()
  await settle()
  expect((await labels.untilEnded(id)).completed_count).toBe(2)
  await holder.query('rollback')
  holder.release()
  await backup

  const name = new URL(soFar).pathname.split('/').at(-1) ?? ''
  expect((await readFile(join(to, 'documents', name))).includes('%PDF')).toBe(true)
  // A clerk who has just asked for the labels so far gets them too.
  expect((await fetch(soFar)).status).toBe(200)
})
