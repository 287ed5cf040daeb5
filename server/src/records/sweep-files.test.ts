import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore, diskFolder } from '#platform/files/disk-store.ts'
import { openDesk, type Desk } from '../../test/desk.ts'
import { partName } from './inspector-job.ts'
import { sweepInspectorFiles } from './sweep-files.ts'
import { recordsUpkeep } from './upkeep.ts'

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

test('an inspector’s file goes after 25 hours with all its parts; the row that names the owner stays', async () => {
  const { key, owner } = await desk.openShop()
  const files = createDiskStore(dataDir)
  for (const [id, hours] of [
    ['old', 26],
    ['new', 24],
  ] as const) {
    await desk.owner.query(
      `insert into inspector_files (merchant_id, file_id, from_day, to_day, requested_by_id, requested_by, requested_at, finished_at, parts_name, parts)
       values ($1, $2, now(), now(), $3, 'Ada Marsh', now() - make_interval(hours => $4), now(), $2, 2)`,
      [key, id, owner.id, hours],
    )
    for (const index of [0, 1]) await files.put(partName(id, index), Buffer.from('PK'))
  }
  await sweepInspectorFiles(desk.app.db, files, () => false)
  expect((await readdir(diskFolder(dataDir))).toSorted()).toEqual([partName('new', 0), partName('new', 1)])
  const { rows } = await desk.owner.query(
    'select file_id, requested_by, parts_name from inspector_files order by file_id',
  )
  expect(rows).toEqual([
    { file_id: 'new', requested_by: 'Ada Marsh', parts_name: 'new' },
    { file_id: 'old', requested_by: 'Ada Marsh', parts_name: null },
  ])
})

test('a restore ends the files that were being made, so that the owner can have others made', async () => {
  const { key, owner } = await desk.openShop()
  for (const id of ['one', 'two', 'three'])
    await desk.owner.query(
      `insert into inspector_files (merchant_id, file_id, from_day, to_day, requested_by_id, requested_by)
       values ($1, $2, now(), now(), $3, 'Ada Marsh')`,
      [key, `${key}-${id}`, owner.id],
    )
  const make = () =>
    desk.call('POST /m/v2/merchant/{tmk}/inspector_files', {
      as: owner,
      params: { tmk: key },
      body: { from: '2026-01-01', to: '2026-01-02' },
    })
  expect((await make()).status).toBe(429)
  await desk.app.db.system(async (statements) =>
    recordsUpkeep.afterRestore?.(statements, { madeAt: '', leastVersion: 1 }),
  )
  const { status, body } = await make()
  expect(status).toBe(202)
  const ended = body.files.filter(({ problem }) => problem?.startsWith('The desk was restored from a backup'))
  expect(ended).toHaveLength(3)
})
