import { isOpen } from '../db/closed-merchant.ts'
import type { Database, Statements } from '../db/database.ts'
import { asServer } from '../turns/asker.ts'

/** The work of a process that dies goes to the others after this: with their next look it is settled within ten seconds. */
export const leaseSeconds = 7
const heartbeatMs = 2_000

export const leaseEnd = `now() + make_interval(secs => ${leaseSeconds})`

/** A table of things to do. Each row says when it is due; while a process holds the row, that is the end of its lease. */
interface DueColumns {
  readonly table: string
  /** The columns of its key and their types. */
  readonly key: Readonly<Record<string, 'bigint' | 'integer' | 'text' | 'uuid'>>
  readonly due: string
  /** Counts the takings: a process writes to a row only while the number is the one that it took the row with. */
  readonly fence?: string
  /** Further assignments when a row is taken. */
  readonly taking?: string
}

export interface DueTable<Row> extends DueColumns {
  /** The row's key, and its fence where the table has one. */
  readonly idOf: (row: Row) => readonly unknown[]
}

export interface Choice {
  /** The condition that finds the rows, as `due`. It says itself that they are due. */
  readonly which: string
  /** A query `name as (…)` that `which` reads from. */
  readonly beside?: string
  readonly values?: readonly unknown[]
  /**
   * An expression over `due` that goes before the time: the rows with the smallest are taken first. Each choice says how
   * merchants come in turn, most of them by `fewestUnderWay`. Undefined where `beside` has seen to it.
   */
  readonly first: string | undefined
  /** Part of the statement's text, so that the planner knows how few are wanted: give it few different values. */
  readonly limit: number
  readonly returning: string
}

/**
 * For `first`: merchants come in turn, the one with the fewest rows under way first; rows without a merchant are one
 * party. The condition is that of the index over the column `due`.
 */
export function fewestUnderWay({ table, due }: Pick<DueColumns, 'table' | 'due'>, condition: string): string {
  const underWay = `select coalesce(merchant_id, '') from ${table} where ${condition} and ${due} > now() and ${due} <= ${leaseEnd}`
  return `cardinality(array_positions(array(${underWay}), coalesce(due.merchant_id, '')))`
}

/** Takes rows for the length of a lease, the longest due first. Rows that another process is just taking are passed over. */
export async function claim<Row>(
  { query }: Pick<Statements, 'query'>,
  { table, key, due, fence, taking }: DueColumns,
  { which, beside, values = [], first, limit, returning }: Choice,
): Promise<Row[]> {
  const columns = Object.keys(key).join(', ')
  const assignments = [
    `${due} = ${leaseEnd}`,
    ...(fence === undefined ? [] : [`${fence} = ${fence} + 1`]),
    ...(taking === undefined ? [] : [taking]),
  ]
  // In a WITH of its own the choice is made once; a plan may run a subselect again for each row.
  return query<Row>(
    `with ${beside === undefined ? '' : `${beside}, `}chosen as materialized (
       select ${columns} from ${table} due where (${which}) and ${isOpen('due.merchant_id')} order by ${first === undefined ? '' : `${first}, `}${due} limit ${limit} for update skip locked
     )
     update ${table} set ${assignments.join(', ')} where (${columns}) in (select ${columns} from chosen)
     returning ${returning}`,
    values,
  )
}

export interface Holding<Row> {
  readonly table: DueTable<Row>
  /** A row that is deleted from the set is let go. */
  readonly held: ReadonlySet<Row>
  /** The row was taken by another process, or its lease ran out. */
  readonly onLost?: (row: Row) => void
}

/** Renews the leases while the work goes on, so that no other process takes the rows. */
export async function whileHolding<Row, T>(
  db: Database,
  holding: Holding<Row>,
  work: () => Promise<T>,
): Promise<T> {
  // A database that is briefly away costs the rows only when it stays away for longer than the lease.
  // In the line of a caller with many other calls it would come too late.
  const beat = db.clock.every(
    heartbeatMs,
    () => void asServer(() => renew(db, holding)).catch(() => undefined),
  )
  try {
    return await work()
  } finally {
    beat.stop()
  }
}

async function renew<Row>(db: Database, { table, held, onLost }: Holding<Row>): Promise<void> {
  const rows = [...held]
  if (rows.length === 0) return
  const renewed = await db.systemQuery<{ number: number }>(renewalOf(table), columnsOf(rows.map(table.idOf)))
  const kept = new Set(renewed.map(({ number }) => number))
  for (const [index, row] of rows.entries()) if (!kept.has(index + 1) && held.has(row)) onLost?.(row)
}

/** A lease that has run out stays so, and a row that waits for longer than a lease waits on. */
function renewalOf({ table, key, due, fence }: DueColumns): string {
  const types = { ...key, ...(fence === undefined ? {} : { [fence]: 'bigint' }) }
  const names = Object.keys(types)
  const arrays = Object.values(types).map((type, index) => `$${index + 1}::${type}[]`)
  return `update ${table} t set ${due} = greatest(t.${due}, ${leaseEnd})
    from unnest(${arrays.join(', ')}) with ordinality held (${names.join(', ')}, number)
    where ${names.map((name) => `t.${name} = held.${name}`).join(' and ')} and t.${due} > now()
    returning held.number`
}

function columnsOf(ids: readonly (readonly unknown[])[]): unknown[][] {
  return (ids[0] ?? []).map((_, column) => ids.map((id) => id[column]))
}
