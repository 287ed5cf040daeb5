import type pg from 'pg'
import { poolOptions, type DatabaseAddress } from '../../src/platform/db/database.ts'
import { patienceMs } from '../eventually.ts'

/** For a connection of the test itself: its set-up may be large, and its machine busy. */
export function patientOptions(address: DatabaseAddress): pg.PoolConfig {
  return {
    ...poolOptions(address, undefined, { statementMs: 0, idleMs: 0 }),
    connectionTimeoutMillis: patienceMs,
    pipeline: false,
  } as pg.PoolConfig
}
