import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type DatabaseAddress } from '../../src/platform/db/database.ts'
import { urlOf } from './database-url.ts'
import type { Desk } from '../desk.ts'
import { runHere, startFile, type Ended, type Running } from '../processes/run-command.ts'
import { patientOptions } from './patient-options.ts'

export const minutesMs = 180_000

export interface RestoreRoom {
  /** For backups, and for a server's files on disk. */
  readonly folder: string
  /** The owner of all databases. */
  readonly admin: pg.Pool
  /** A new, empty database. At the end it is dropped, along with databases that a restore put beside it. */
  emptyDatabase(): Promise<string>
  /** Starts `npm run admin -- <args>` on the database with that name or address, as a process that a test can kill. */
  start(args: readonly string[], database: string | DatabaseAddress): Running
  /** The same to its end, in the test's own process. */
  run(args: readonly string[], database: string | DatabaseAddress): Promise<Ended>
  backUp(desk: Desk, name: string): Promise<string>
  query<T extends object>(database: string, text: string): Promise<T[]>
  clear(): Promise<void>
}

export const at = (database: string): DatabaseAddress => ({ ...inject('databaseServer'), database })

export async function openRestoreRoom(): Promise<RestoreRoom> {
  const folder = await mkdtemp(join(tmpdir(), 'cellarhand-restore-'))
  const optionsOf = (database: string) => patientOptions(at(database))
  const admin = new pg.Pool(optionsOf('postgres'))
  const made: string[] = []

  function environmentOn(database: string | DatabaseAddress): Record<string, string> {
    const address = typeof database === 'string' ? at(database) : database
    const url = address.database === undefined && address.url !== undefined ? address.url : urlOf(address)
    return { DATABASE_URL: url, DEMO: '1', DATA_DIR: join(folder, 'data') }
  }
  const start = (args: readonly string[], database: string | DatabaseAddress) =>
    startFile('admin.ts', { args, env: environmentOn(database) })
  const run = async (args: readonly string[], database: string | DatabaseAddress) =>
    runHere(args, { env: environmentOn(database) })

  return {
    folder,
    admin,
    start,
    run,
    async emptyDatabase() {
      const name = `test_again_${process.pid}_${Date.now()}`
      made.push(name, `${name}_restoring`, `${name}_replaced`)
      await admin.query(`create database ${name}`)
      return name
    },
    async backUp(desk, name) {
      const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
      const ended = await run(['backup', '--to', join(folder, name)], rows[0]?.name ?? '')
      if (ended.code !== 0) throw new Error(ended.err)
      return join(folder, name)
    },
    async query<T extends object>(database: string, text: string) {
      const client = new pg.Client(optionsOf(database))
      await client.connect()
      try {
        return (await client.query<T>(text)).rows
      } finally {
        await client.end()
      }
    },
    async clear() {
      for (const name of made) await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
      await rm(folder, { recursive: true })
    },
  }
}
