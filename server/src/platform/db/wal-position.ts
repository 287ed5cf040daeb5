import type { Database } from './database.ts'
import { gathered } from './gathered.ts'

/** A place in PostgreSQL's log. A fail-over begins another timeline, and places of two timelines do not compare. */
export interface WalPosition {
  readonly timeline: string
  readonly at: number
}

/** No row from a server that follows another one. */
const askPrimary = `select left(pg_walfile_name(lsn), 8) as timeline, (lsn - '0/0'::pg_lsn)::bigint as at
  from (select pg_current_wal_flush_lsn() as lsn where not pg_is_in_recovery() offset 0) flushed`

/**
 * How far the primary's log is safe on its disk. A change is visible there, and its event is told, only after its commit
 * is safe: so this place is behind every change that anybody has been told of. All reads of one turn of the event loop
 * ask once.
 */
export function createPositionOf(primary: Pick<Database, 'systemQuery'>) {
  const ask = gathered(async () => {
    const rows = await primary.systemQuery<WalPosition>(askPrimary)
    return new Map(rows.map((row) => ['now', row]))
  })
  return async () => ask('now')
}
