import { type Database, type Statements } from './database.ts'
import { sqlState } from './database-errors.ts'

/** The errors of `require_open` (migration 0062). */
const moving = 'CH503'
const moved = 'CH308'

/** The merchant is on its way to another cell, or there already. */
export interface ClosedMerchant {
  readonly movedTo?: string
  readonly retryAfterSeconds?: number
  /** Only changes are refused. */
  readonly mayRead?: boolean
}

/** Undefined for any other error. */
export function findClosedMerchant(error: unknown): ClosedMerchant | undefined {
  const state = sqlState(error)
  if (state !== moving && state !== moved) return undefined
  const detail = String((error as { detail?: string }).detail ?? '')
  return state === moved ? { movedTo: detail } : { retryAfterSeconds: Number(detail) }
}

/** For the operator, who ran a command. */
export function explainClosed({ movedTo, retryAfterSeconds }: ClosedMerchant): string {
  return movedTo === undefined
    ? `The merchant is on its way to another cell and takes no changes. Please run this again in ${retryAfterSeconds ?? 1} s; when it has moved by then, run it in its new cell.`
    : `The merchant has moved to ${movedTo} and takes no changes here. Please run this in that cell.`
}

/** For a change of a merchant's rows by the system: a change by the merchant itself asks when it begins. */
export async function requireOpen({ query }: Pick<Statements, 'query'>, merchantId: string): Promise<void> {
  await query('select require_open($1)', [merchantId])
}

/** A condition for background work, which goes over the rows of all merchants. */
export function isOpen(merchantId: string): string {
  return `coalesce(${merchantId} <> all ((select closed_merchants())::text[]), true)`
}

/** Their new addresses, of those that have moved. */
export async function findMoved(
  db: Database,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.systemQuery<{ merchant_id: string; moved_to: string }>(
    `select merchant_id, moved_to from merchant_moves where state = 'moved' and merchant_id = any ($1)`,
    [merchantIds],
  )
  return new Map(rows.map((row) => [row.merchant_id, row.moved_to]))
}
