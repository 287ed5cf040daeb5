import path from 'node:path'
import pg from 'pg'
import { openDatabase as openPools, type Database } from '../server/src/platform/db/database.ts'
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
  const db = openPools(await addressOf(dataDir), () => undefined, { app: 1, system: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** The running server's own database, past its rules, for accidents that no call can cause. */
export async function openDatabase(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(await addressOf(dataDir))
  await client.connect()
  return client
}
