import path from 'node:path'
import pg from 'pg'
import { systemClock } from '../server/src/platform/clock/system-clock.ts'
import {
  openDatabase as openPools,
  type Database,
  type Statements,
} from '../server/src/platform/db/database.ts'
// Declares the server's data on each route, which every file that reads a request names.
import type {} from '../server/src/platform/http/server.ts'
import { findPostgres } from '../server/src/platform/postgres/running.ts'

async function addressOf(dataDir: string) {
  const address = await findPostgres(path.join(dataDir, 'postgres'))
  if (typeof address !== 'object') throw new Error('The server has no database of its own')
  return { ...address, database: 'postgres' }
}

/** Does the same as the admin commands, without starting a process for each. */
export async function asAdmin<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openPools(await addressOf(dataDir), {
    clock: systemClock,
    onIdleError: () => undefined,
    limits: { app: 1, system: 1 },
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** The same for a command that is one transaction. */
export async function changeAsAdmin(
  dataDir: string,
  change: (statements: Statements) => Promise<unknown>,
): Promise<void> {
  await asAdmin(dataDir, (db) => db.system(change))
}

/** The running server's own database, past its rules, for accidents that no call can cause. */
export async function openDatabase(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(await addressOf(dataDir))
  await client.connect()
  return client
}
