import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore, diskFolder } from '#platform/files/disk-store.ts'
import { openDesk, type Desk } from '../../../test/desk.ts'
import { sweepBatches } from './batch-finish.ts'

let desk: Desk
let dataDir: string
beforeAll(async () => {
  desk = await openDesk()
  dataDir = await mkdtemp(join(tmpdir(), 'cellarhand-sweep-'))
})
afterAll(async () => {
  await desk.stop()
  await rm(dataDir, { recursive: true })
})

test('GAP-141 a batch is deleted after a day with its files, and so are files and drafts of dead workers', async () => {
  const { key, member } = await desk.openShop()
  const files = createDiskStore(dataDir)
  const draft = '.5f0b7a52-3f0e-4d4d-8c0e-1c5f6f0a9b11.draft'
  const sweep = () => sweepBatches(desk.app.db, files, () => false)
  const left = async () => (await readdir(diskFolder(dataDir))).toSorted()
  const batch = async (id: string, hours: number) => {
    await desk.owner.query(
      `insert into batches (merchant_id, batch_id, report_types, requested_by, base_url, total_count, files, created_at)
       values ($1, $2, '{receipt}', $3, 'http://desk.test', 1, $4, now() - make_interval(hours => $5))`,
      [key, id, member.id, JSON.stringify({ receipt: `${id}-2-receipt.pdf` }), hours],
    )
    for (const taking of [1, 2]) await files.put(`${id}-${taking}-receipt.pdf`, Buffer.from('%PDF'))
  }
  await batch('old', 26)
  await batch('new', 1)
  await writeFile(join(diskFolder(dataDir), draft), '%PD')
  await sweep()
  expect(await left()).toEqual([draft, 'new-1-receipt.pdf', 'new-2-receipt.pdf', 'old-1-receipt.pdf'])

  const longAgo = new Date(Date.now() - 50 * 3_600_000)
  for (const name of [draft, 'old-1-receipt.pdf'])
    await utimes(join(diskFolder(dataDir), name), longAgo, longAgo)
  await sweep()
  expect(await left()).toEqual(['new-1-receipt.pdf', 'new-2-receipt.pdf'])
  const { rows } = await desk.owner.query<{ batch_id: string }>('select batch_id from batches')
  expect(rows).toEqual([{ batch_id: 'new' }])
})
