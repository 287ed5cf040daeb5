import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRestoreRoom } from '../../../test/database/restore-room.ts'
import { openDesk } from '../../../test/desk.ts'
import { startFile } from '../../../test/processes/run-command.ts'
import { chooseAccount } from '../postgres/account.ts'
import { binary, type Binaries } from '../postgres/binaries.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../postgres/embedded.ts'
import { findOlderPrograms } from '../postgres/older-database.ts'
import { restoreBackup } from './restore-backup.ts'

const older = ['15', '16', '17'].map(programsOf).find((found) => found !== undefined)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-upgrade-'))
  // When root starts it, the database runs as another user, and that user has to pass.
  fs.chmodSync(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function programsOf(major: string): Binaries | undefined {
  try {
    return findOlderPrograms(major)
  } catch {
    return undefined
  }
}

/** A data folder as an older Cellarhand would have left it, filled from a desk with orders. */
async function makeOldDatabase(name: string, binaries: Binaries): Promise<string> {
  const dataDir = join(folder, name)
  const inside = join(dataDir, 'postgres')
  fs.mkdirSync(inside, { recursive: true })
  const account = await chooseAccount(inside)
  if (account) fs.chownSync(inside, account.uid, account.gid)
  const args = ['-D', inside, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '-A', 'trust']
  const made = spawnSync(binary(binaries, 'initdb'), args, { ...account, cwd: '/', encoding: 'utf8' })
  expect(made.stderr).toBe('')
  const desk = await openDesk()
  const room = await openRestoreRoom()
  try {
    const shop = await desk.openShop()
    await desk.orders(shop, 7)
    const backup = await room.backUp(desk, 'backup')
    const server = await startEmbeddedPostgres({ dataDir: inside, binaries, log: () => undefined })
    const address = { host: server.host, port: server.port, user: server.user, database: 'postgres' }
    await restoreBackup(address, {
      folder: backup,
      documents: join(folder, 'none'),
      isInPlace: true,
      upkeep: undefined,
    })
    await server.stop()
  } finally {
    await desk.stop()
    await room.clear()
  }
  return dataDir
}

/** Every row of every table, and every sequence. The migrator notes when it ran, which is now in the new one. */
async function contentsOf(dataDir: string, binaries?: Binaries): Promise<Record<string, string>> {
  const server = await startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    log: () => undefined,
    ...(binaries === undefined ? {} : { binaries }),
  })
  try {
    return await readAll(server)
  } finally {
    await server.stop()
  }
}

async function readAll({ host, port, user }: EmbeddedPostgres): Promise<Record<string, string>> {
  const client = new pg.Client({ host, port, user, database: 'postgres' })
  await client.connect()
  const ask = async (text: string) => (await client.query<{ name: string; said: string }>(text)).rows
  const tables = await ask(
    `select quote_ident(relname) as name, '' as said from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       and relname not like 'kysely%'`,
  )
  const all: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await ask(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as said from ${name} t`,
    )
    all[name] = row?.said ?? ''
  }
  for (const { name, said } of await ask(
    `select sequencename as name, coalesce(last_value::text, 'unused') as said from pg_sequences where schemaname = 'public'`,
  ))
    all[name] = said
  await client.end()
  return all
}

const env = (dataDir: string) => ({
  DATABASE_URL: '',
  DEMO: '1',
  DATA_DIR: dataDir,
  PORT: '0',
  HOST: '127.0.0.1',
})
const upgrade = (dataDir: string, args: string[] = []) =>
  startFile('admin.ts', { args: ['upgrade-database', ...args], env: env(dataDir) }).ended

test.skipIf(older === undefined)(
  'a database of an older PostgreSQL is refused with the command that takes it over, and taken over whole (skipped without a PostgreSQL 15, 16 or 17)',
  async () => {
    const binaries = older as Binaries
    const dataDir = await makeOldDatabase('old', binaries)
    const before = await contentsOf(dataDir, binaries)
    expect(before['orders']).toMatch(/^7 /)
    const refused = await startFile('main.ts', { env: env(dataDir) }).ended
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('npm run admin -- upgrade-database'),
    })

    const wrong = await upgrade(dataDir, ['--programs', folder])
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('holds no programs of PostgreSQL') })
    const { code, out, err } = await upgrade(dataDir)
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(out).toContain(`from PostgreSQL ${binaries.major} to 18`)
    const kept = `postgres.postgresql-${binaries.major}`
    expect(fs.readdirSync(dataDir).toSorted()).toEqual(['postgres', kept])
    expect(fs.readFileSync(join(dataDir, kept, 'PG_VERSION'), 'utf8').trim()).toBe(binaries.major)
    expect(await contentsOf(dataDir)).toEqual(before)
    expect(await upgrade(dataDir)).toMatchObject({ code: 1, err: expect.stringContaining('nothing to do') })

    // A kill between two renames leaves the new one under the name by which it waits.
    fs.renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres.upgraded'))
    expect(await contentsOf(dataDir)).toEqual(before)
  },
)

test('without the old programs the command says how to get them, and changes nothing', async () => {
  const dataDir = join(folder, 'ancient')
  fs.mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  fs.writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n')
  expect(await upgrade(dataDir)).toMatchObject({
    code: 1,
    err: expect.stringContaining('apt-get install postgresql-9'),
  })
  expect(fs.readdirSync(dataDir)).toEqual(['postgres'])
  fs.writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '99\n')
  expect(await upgrade(dataDir)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Only an older one can be taken over'),
  })
  expect(await upgrade(join(folder, 'nothing'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no database'),
  })
})
