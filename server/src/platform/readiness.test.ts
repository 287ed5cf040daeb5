import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { createTurnedClock } from '../../test/turned-clock.ts'
import { startAppOn } from '../../test/processes/app-on.ts'
import { cloneDatabase, type ClonedDatabase } from '../../test/database/cloned-database.ts'
import { Road } from '../../test/road.ts'
import { diskFolder } from './files/disk-store.ts'
import { createProbe } from './readiness.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(() => cloned.drop())

let dataDir: string
let road: Road
let app: Awaited<ReturnType<typeof startAppOn>>['app']
let url: string
let log: string[]
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellarhand-ready-'))
  road = new Road(cloned.address)
  await road.open()
  log = []
  ;({ app, url } = await startAppOn(road.address, {
    environment: { DATA_DIR: dataDir },
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  }))
})
afterEach(async () => {
  await app.close()
  await road.close()
  await rm(dataDir, { recursive: true })
})

const ask = async () => {
  const answer = await fetch(new URL('/readyz', url))
  return { status: answer.status, body: (await answer.json()) as unknown }
}
const ready = { status: 200, body: { status: 'ok' } }
const refused = (code: string, errors: Record<string, string>) => ({
  status: 503,
  body: expect.objectContaining({ code, errors }) as unknown,
})
const isReadyAgain = () => expect.poll(ask).toEqual(ready)

describe('a process is not ready', () => {
  test('while its database is silent, and says so before any other call fails', async () => {
    const look = () =>
      fetch(new URL('/marketplace/v1/orders/1000001', url), {
        headers: { authorization: `Basic ${btoa('marketplace:marketplace')}` },
      })
    // Its connection stays open; a call that needs a new one fails sooner than a probe.
    await look()
    await isReadyAgain()
    road.fallSilent({ forAll: true })
    const other = look()
    const said = refused('database_unavailable', { database: 'The database does not answer.' })
    await expect.poll(() => Promise.race([ask(), other.then(() => 'too late')])).toEqual(said)
    await road.close()
    await other
    await road.open()
    await isReadyAgain()
  })

  test('while its database takes no changes, and calls that need one say when to come back', async () => {
    const setting = 'default_transaction_read_only'
    const name = cloned.address.database ?? ''
    const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'cellarhand'`
    await cloned.owner.query(`alter database ${name} set ${setting} = on; ${reconnect}`)
    await expect
      .poll(ask)
      .toEqual(refused('database_unavailable', { database: 'The database is read-only.' }))
    const answer = await fetch(new URL('/a/v2/sessions', url), {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa('dashboard:dashboard')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email: 'a@b.co', password: 'x' }),
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    await cloned.owner.query('set default_transaction_read_only = off')
    await cloned.owner.query(
      `begin read write; alter database ${name} reset ${setting}; commit; ${reconnect}`,
    )
    await isReadyAgain()
  })

  test('while no file can be written, and the log gives the reason once', async () => {
    await isReadyAgain()
    await rm(diskFolder(dataDir), { recursive: true })
    await writeFile(diskFolder(dataDir), 'a file where the folder was')
    const sentence = 'The disk for files cannot be written (EEXIST).'
    await expect.poll(ask).toEqual(refused('files_unavailable', { files: sentence }))
    await ask()
    await rm(diskFolder(dataDir))
    await isReadyAgain()
    const told = log
      .map((line) => JSON.parse(line) as { msg?: string; failures?: object })
      .filter(({ msg }) => msg?.startsWith('this process is'))
      .map(({ msg, failures }) => [msg, failures])
    // A slow machine may say other things in between, such as a database without an answer.
    expect(told.filter(([, failures]) => JSON.stringify(failures)?.includes('"files"') === true)).toEqual([
      ['this process is not ready', { files: sentence }],
    ])
    expect(told.at(-1)).toEqual(['this process is ready again', undefined])
    expect(JSON.stringify(told)).not.toContain(dataDir)
  })
})

describe('a probe', () => {
  test('looks once for all callers at the same time', async () => {
    let looks = 0
    const look = createProbe({
      clock: createTurnedClock(),
      work: async () => void looks++,
      sentenceOf: () => 'bad',
    })
    expect(await Promise.all(Array.from({ length: 50 }, look))).toEqual(Array(50).fill(undefined))
    expect(looks).toBe(1)
  })

  test('that never ends is a failure for all callers, and does not start a second time', async () => {
    let looks = 0
    const clock = createTurnedClock()
    const look = createProbe({
      clock,
      work: () => {
        looks++
        return new Promise(() => undefined)
      },
      sentenceOf: () => 'no answer',
    })
    const both = Promise.all([look(), look()])
    clock.turn(1_500)
    expect(await both).toEqual(['no answer', 'no answer'])
    expect([await look(), looks]).toEqual(['no answer', 1])
  })
})
