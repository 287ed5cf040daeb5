import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import { createHealthRecord, type HealthRecord } from '../../src/platform/outside/health.ts'
import { cloneDatabase } from './cloned-database.ts'

/** A database for the record of providers alone, for what is tested without a server around it. */
export interface HealthBook {
  readonly db: Database
  readonly health: HealthRecord
  /** Forgets what is on record. What a test still notes has to be settled before. */
  empty(): Promise<void>
  close(): Promise<void>
}

export async function openHealthBook(
  onError: (error: unknown) => void = () => undefined,
): Promise<HealthBook> {
  const database = await cloneDatabase()
  const db = openDatabase(database.address, () => undefined)
  return {
    db,
    health: createHealthRecord(db, onError),
    empty: async () => void (await database.owner.query('delete from provider_health')),
    async close() {
      await db.close()
      await database.drop()
    },
  }
}
