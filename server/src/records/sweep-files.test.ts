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

test('a file that is gone is no more offered after its day, and its link says that there is none', async () => {
  const { key, owner } = await desk.openShop()
  // As after a restore: the rows are back, and no part is.
  await desk.owner.query(
    `insert into inspector_files (merchant_id, file_id, from_day, to_day, requested_by_id, requested_by, finished_at, parts_name, parts)
     values ($1, 'gone', now(), now(), $2, 'Ada Marsh', now(), 'gone', 2)`,
    [key, owner.id],
  )
  const list = async () => {
    const { body } = await desk.call('GET /m/v2/merchant/{tmk}/inspector_files', {
      as: owner,
      params: { tmk: key },
    })
    return body.files.map(({ url }) => url)
  }
  const [link] = await list()
  const answer = await fetch(link ?? 'missing:')
  expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })])

  const files = createDiskStore(desk.config.dataDir)
  for (const index of [0, 1]) await files.put(partName('gone', index), Buffer.from('PK'))
  expect((await fetch(link ?? 'missing:')).status).toBe(200)
  const statusAfter = async (hours: number) => {
    const old = `update inspector_files set requested_at = now() - make_interval(hours => $1) where file_id = 'gone'`
    await desk.owner.query(old, [hours])
    return [await list(), (await fetch(link ?? 'missing:')).status]
  }
  // The clean-up may be half-way by the 25th hour: no half archive goes out.
  expect(await statusAfter(24)).toEqual([[null], 200])
  expect(await statusAfter(25)).toEqual([[null], 404])
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
