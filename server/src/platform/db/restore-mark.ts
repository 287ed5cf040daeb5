import { systemClock } from '../clock/system-clock.ts'
import { isTableMissing } from './database-errors.ts'

/** This table exists from before the first row of a restore until after the last. */
export const restoreMark = 'restore_under_way'

/** No server may start on the database; the message says why and what to do. */
export class HalfRestored extends Error {}

interface Mark {
  readonly begunAt: Date
  /** The restore's folder for documents. */
  readonly documents: string
}

interface Asked {
  query<T extends object>(text: string, values?: unknown[]): Promise<{ rows: T[] }>
}

export async function findRestoreMark(database: Asked): Promise<Mark | undefined> {
  const there = await database.query<{ there: boolean }>(`select to_regclass($1) is not null as there`, [
    restoreMark,
  ])
  if (there.rows[0]?.there !== true) return undefined
  try {
    const { rows } = await database.query<{ begun_at: Date; documents: string }>(
      `select begun_at, documents from ${restoreMark}`,
    )
    return {
      begunAt: rows[0]?.begun_at ?? new Date(systemClock.nowMs()),
      documents: rows[0]?.documents ?? '',
    }
  } catch (error) {
    // The restore has ended meanwhile.
    if (isTableMissing(error)) return undefined
    throw error
  }
}

export async function refuseHalfRestored(database: Asked): Promise<void> {
  const mark = await findRestoreMark(database)
  if (mark === undefined) return
  throw new HalfRestored(
    `The database is being restored from a backup since ${mark.begunAt.toISOString()}, or that restore did not finish. Nothing starts on it until then. ` +
      'When no restore is running any more, run it again: npm run admin -- restore --from <folder>. ' +
      'To begin with an empty desk instead, name another DATA_DIR, and another database in DATABASE_URL where that is set.',
  )
}
