import type { Clock } from '../../src/platform/clock/clock.ts'
import { systemClock } from '../../src/platform/clock/system-clock.ts'
import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import { createHealthRecord, type HealthRecord } from '../../src/platform/outside/health.ts'
import { cloneDatabase } from './cloned-database.ts'

/** A database for the record of providers alone, for code that is tested without a server. */
export interface HealthBook {
  readonly db: Database
  readonly health: HealthRecord
  /** Deletes the record. A test's pending notes must be settled first. */
  empty(): Promise<void>
  close(): Promise<void>
}

export async function openHealthBook(
  onError: (error: unknown) => void = () => undefined,
  clock: Clock = systemClock,
): Promise<HealthBook> {
  const database = await cloneDatabase()
  const db = openDatabase(database.address, { clock, onIdleError: () => undefined })
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
