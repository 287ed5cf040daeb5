import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { urlOf } from '../../../test/database/database-url.ts'
import { openWire, type Wire } from '../../../test/database/wire.ts'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { runHere } from '../../../test/processes/run-command.ts'
import { manifestName } from './manifest.ts'
import { writeBackup } from './write-backup.ts'

let desk: Desk
let shop: Shop
let folder: string
let database: string
let wire: Wire
let begun: number
beforeAll(async () => {
  begun = Date.now()
  desk = await openDesk()
  shop = await desk.openShop('harbor')
  await desk.orders(shop, 3)
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-trouble-'))
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  database = rows[0]?.name ?? ''
  // A database on another machine: a write to the disk fails while its next answer is on the way.
  const late = (to: Socket) => (bytes: Buffer) => void setTimeout(() => to.write(bytes), 5)
  wire = await openWire((near, far) => {
    near.on('data', late(far))
    far.on('data', late(near))
  })
})
afterAll(async () => {
  wire.stop()
  await desk.stop()
  await rm(folder, { recursive: true })
})

/** `npm run admin -- <args>` where a file may have so many blocks of 512 bytes, as on a disk that is nearly full. */
async function adminOnFullDisk(blocks: number, args: readonly string[]): Promise<[number, string]> {
  const program = fileURLToPath(new URL('../../admin.ts', import.meta.url))
  const limited = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, program, ...args]
  const env = {
    ...process.env,
    DATABASE_URL: wire.urlOf(database),
    DEMO: '1',
    DATA_DIR: join(folder, 'data'),
  }
  const child = spawn('sh', limited, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>])
  return [code, said]
}

// Windows has no such limit.
test.runIf(process.platform !== 'win32').each([
  ['backup', '--to'],
  ['export-merchant', '--merchant', 'harbor', '--to'],
  ['inspector-file', '--merchant', 'harbor', '--from', '2026-01-01', '--to', '2026-01-31', '--out'],
])('%s says in a sentence that the disk is full, and leaves nothing half done', async (...args) => {
  const place = await mkdtemp(join(folder, 'full-'))
  const [code, said] = await adminOnFullDisk(2, [...args, join(place, 'out')])
  expect(said).toMatch(/^The database .*:\nA file or folder cannot be read or written: EFBIG: .*\n$/)
  expect([code, await readdir(place)]).toEqual([1, []])
})

test.runIf(process.platform !== 'win32')(
  'a backup that was killed is none, and gives its room to the next one, also while that finds the disk full',
  async () => {
    const into = join(folder, 'nightly')
    const env = {
      ...process.env,
      DATABASE_URL: wire.urlOf(database),
      DEMO: '1',
      DATA_DIR: join(folder, 'data'),
    }
    const program = fileURLToPath(new URL('../../admin.ts', import.meta.url))
    const killed = spawn(process.execPath, [program, 'backup', '--into', into], { env, stdio: 'ignore' })
    const found = async () => (await readdir(into, { recursive: true })).toSorted()
    await eventually(async () => expect((await found()).join(' ')).toContain('.copy.gz'), 1)
    killed.kill('SIGKILL')
    await once(killed, 'close')
    const [draft = ''] = await found()
    expect(draft).toContain('.unfinished-')
    const settings = { DATABASE_URL: wire.urlOf(database), DEMO: '1', DATA_DIR: join(folder, 'other') }
    const restored = await runHere(['restore', '--from', join(into, draft)], { env: settings })
    expect([restored.code, restored.err]).toEqual([1, expect.stringContaining('is no finished backup')])
    const age = async () =>
      (
        await desk.owner.query('select finished_at from last_backup where finished_at > $1', [
          new Date(begun),
        ])
      ).rows
    expect(await age()).toEqual([])

    // Nobody has touched it for three minutes.
    const at = new Date(Date.now() - 180_000)
    await utimes(join(into, draft), at, at)
    const [code, said] = await adminOnFullDisk(2, ['backup', '--into', into, '--keep', '14'])
    expect([code, said]).toEqual([1, expect.stringContaining('EFBIG')])
    expect(await found()).toEqual([])
    const again = await runHere(['backup', '--into', into, '--keep', '14'], { env: settings })
    expect([again.code, await readdir(into)]).toEqual([0, [expect.stringMatching(/^[\d-]+T[\d-]+$/)]])
    expect(await age()).toHaveLength(1)
  },
)

test('a path that cannot be is told in a sentence', async () => {
  const file = join(folder, 'a file')
  await writeFile(file, '')
  const env = { DATABASE_URL: urlOf({ ...inject('databaseServer'), database }), DEMO: '1' }
  const { code, err } = await runHere(['backup', '--to', join(file, 'backup')], { env })
  expect([code, err]).toEqual([1, expect.stringMatching(/cannot be read or written: E(NOTDIR|EXIST): /)])
})

const draftsOf = async (to: string) =>
  (await readdir(dirname(to)))
    .filter((name) => name.startsWith(`${basename(to)}.unfinished-`))
    .map((name) => join(dirname(to), name))

test('a folder that somebody removes meanwhile is no fault of the database', async () => {
  const env = { DATABASE_URL: wire.urlOf(database), DEMO: '1' }
  const to = join(folder, 'removed')
  const backup = runHere(['backup', '--to', to], { env })
  let isRunning = true
  const ended = backup.finally(() => (isRunning = false))
  while (isRunning) {
    for (const draft of await draftsOf(to))
      await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    await nextTurn()
  }
  const { code, err } = await ended
  expect([code, err]).toEqual([1, expect.stringContaining('cannot be read or written: ENOENT: ')])
})

test('a backup does not need the database while it copies the documents', async () => {
  const [documents, to] = [join(folder, 'documents'), join(folder, 'long')]
  await mkdir(documents)
  await writeFile(join(documents, 'long.pdf'), '')
  await truncate(join(documents, 'long.pdf'), 500_000_000)
  const { rows } = await desk.owner.query<{ pid: number }>('select pid from pg_stat_activity')
  const before = rows.map(({ pid }) => pid)
  const backup = writeBackup({ ...inject('databaseServer'), database }, { folder: to, documents })
  await eventually(async () => {
    const [draft = ''] = await draftsOf(to)
    await access(join(draft, 'documents'))
  }, 1)
  await desk.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and pid <> all($1) and query = 'commit'`,
    [before],
  )
  await backup
  expect(await readdir(to)).toContain(manifestName)
})
