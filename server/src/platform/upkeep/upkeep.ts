import type { Purgeable } from '@cellarhand/contract/duty-rules'
import type { Statements } from '../db/database.ts'

/** Rows of a table that are past their use. */
export interface Sweep {
  readonly table: string
  readonly key: string
  readonly which: string
}

/** A table in parts of a week each, of which old ones are dropped whole (decision 0099). */
export interface Division {
  readonly table: string
  /** The column with the moment of a row. */
  readonly at: string
  /** Rows are kept for this long, and then until the last row of their part is as old. */
  readonly keptDays: number
  /** Conditions for rows that stay however old they are, as SQL. Each finds its rows by an index of its own. */
  readonly staying?: readonly string[]
}

/** A column whose text is sealed. */
export interface SealedColumn {
  readonly table: string
  readonly keys: readonly string[]
  readonly column: string
  readonly purpose: string
}

/** Rows of one order each (`merchant_id`, `order_id`) that a rule of law keeps for a time, or has removed. */
export interface Purge {
  /** As people call it: the log of purged records says so. */
  readonly kind: string
  /** As the rules call it. */
  readonly of: Purgeable
  readonly table: string
  /** The parts of a row `p` by name, as SQL, where not each row has the same. */
  readonly parts?: string
  /** The column with the moment from which the rules count; it tells the rows of an order apart. */
  readonly at: string
}

interface Restored {
  readonly madeAt: string
  /** Beyond every version that an order had before the restore. */
  readonly leastVersion: number
}

/** The share of a slice in the work that goes over all tables: the slice alone writes its own. */
export interface Upkeep {
  readonly sweeps?: readonly Sweep[]
  readonly divisions?: readonly Division[]
  readonly sealedColumns?: readonly SealedColumn[]
  readonly purges?: readonly Purge[]
  /** Tables of this installation, which stay when a merchant moves to another cell. */
  readonly stays?: readonly string[]
  /** Columns that leave the installation only under the transfer's key, beside the sealed ones. */
  readonly secrets?: readonly { readonly table: string; readonly column: string }[]
  /** The names of the merchant's files in the file store. */
  filesOf?(statements: Statements, merchantId: string): Promise<readonly string[]>
  /** Conditions for work of the merchant $1 that is under way, as SQL: a move waits a little for its end. */
  readonly underWay?: readonly string[]
  /** In the cell that a merchant leaves, before the export. */
  beforeLeaving?(statements: Statements, merchantId: string): Promise<void>
  /** In the cell that a merchant comes to, without its rows, which `rowsOf` reads. Answers the reason, if it cannot come. */
  beforeArrival?(
    statements: Statements,
    rowsOf: (table: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
  ): Promise<string | undefined>
  /** In the cell that a merchant comes to, with its rows. Answers the reason, if it cannot come. */
  afterArrival?(statements: Statements, merchantId: string): Promise<string | undefined>
  /** When a merchant opens again after a move, in the cell that it came to or in the one that it did not leave. */
  afterOpening?(statements: Statements, merchantId: string): Promise<void>
  /** Ends or holds back the work that waited at the backup, since it has probably been done. */
  afterRestore?(statements: Statements, restored: Restored): Promise<void>
}

/** No statement of a sweep deletes more, so that no lock is held for long. */
export const sweptAtOnce = 5_000
