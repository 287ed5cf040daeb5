import path from 'node:path'
import pg from 'pg'
import { findRunningPostgres } from '../server/src/platform/postgres/running.ts'

/** The running server's own database, past its rules: for accidents that no call can cause. */
export async function openDatabase(dataDir: string): Promise<pg.Client> {
  const address = await findRunningPostgres(path.join(dataDir, 'postgres'))
  if (address === undefined) throw new Error('The server has no database of its own')
  const client = new pg.Client({ ...address, database: 'postgres' })
  await client.connect()
  return client
}
