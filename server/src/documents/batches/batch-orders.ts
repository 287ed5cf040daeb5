import type { ReportType } from '@cellarhand/contract/report-files'
import type { Database, Statements } from '#platform/db/database.ts'
import type { BatchFiles } from './batch-reads.ts'

export interface BatchKey {
  readonly merchantId: string
  readonly batchId: string
}

export async function readBatch(db: Database, { merchantId, batchId }: BatchKey) {
  const [row] = await db.read(merchantId, ({ query }) =>
    query<{ report_types: ReportType[]; created_at: Date; is_finished: boolean; files: string }>(
      `select report_types, created_at, finished_at is not null as is_finished, files
       from batches where merchant_id = $1 and batch_id = $2`,
      [merchantId, batchId],
    ),
  )
  if (row === undefined) return undefined
  return {
    types: row.report_types,
    createdAt: row.created_at,
    isFinished: row.is_finished,
    files: JSON.parse(row.files) as BatchFiles,
  }
}

export interface WaitingOrder {
  readonly position: number
  readonly order_id: string
  readonly is_marked: boolean
  readonly first_printed_at: string | null
  readonly doubts: number
}

export function listWaiting(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  limit: number,
): Promise<WaitingOrder[]> {
  return query<WaitingOrder>(
    `select position, order_id, is_marked, first_printed_at, doubts from batch_orders
     where merchant_id = $1 and batch_id = $2 and state = 'waiting' and not is_in_doubt order by position limit $3`,
    [merchantId, batchId, limit],
  )
}

export interface EndedOrder {
  readonly position: number
  /** Null means done. */
  readonly error: string | null
}

export async function endOrders(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  ended: readonly EndedOrder[],
): Promise<void> {
  await query(
    `update batch_orders o set state = case when d.error is null then 'done' else 'failed' end, error = d.error, is_in_doubt = false
     from unnest($3::int[], $4::text[]) d (position, error)
     where o.merchant_id = $1 and o.batch_id = $2 and o.position = d.position`,
    [merchantId, batchId, ended.map(({ position }) => position), ended.map(({ error }) => error)],
  )
}

export interface DoubtfulOrder {
  readonly position: number
  readonly order_id: string
}

/** The orders with an unknown result: until it is known, they are neither repeated nor failed. */
export function listDoubtful(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
): Promise<DoubtfulOrder[]> {
  return query<DoubtfulOrder>(
    `select position, order_id from batch_orders
     where merchant_id = $1 and batch_id = $2 and state = 'waiting' and is_in_doubt order by position`,
    [merchantId, batchId],
  )
}

export async function markDoubtful(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  position: number,
): Promise<void> {
  await query(
    `update batch_orders set is_in_doubt = true, doubts = doubts + 1
     where merchant_id = $1 and batch_id = $2 and position = $3 and state = 'waiting'`,
    [merchantId, batchId, position],
  )
}

/** Their results are known by now, so they wait like all others. */
export async function putBack(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  positions: readonly number[],
): Promise<void> {
  await query(
    `update batch_orders set is_in_doubt = false where merchant_id = $1 and batch_id = $2 and position = any($3::int[])`,
    [merchantId, batchId, positions],
  )
}

/** For a batch that is given up. */
export async function failOrders(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  error: string,
): Promise<void> {
  await query(
    `update batch_orders set state = 'failed', error = $3
     where merchant_id = $1 and batch_id = $2 and state <> 'failed'`,
    [merchantId, batchId, error],
  )
}

interface DrawnSlip {
  readonly position: number
  readonly order_id: string
  /** When the order had been printed before, as the drawn slip says. */
  readonly first_printed_at: string | null
}

/** The orders whose slip is drawn, and that this batch has not marked as printed yet. */
export function listUnmarked(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  limit: number,
): Promise<DrawnSlip[]> {
  return query<DrawnSlip>(
    `select o.position, o.order_id, o.first_printed_at
     from batch_orders o join batch_papers p using (merchant_id, batch_id, position)
     where o.merchant_id = $1 and o.batch_id = $2 and p.report_type = 'packingslip' and not o.is_marked
     order by o.position limit $3`,
    [merchantId, batchId, limit],
  )
}

/** What the drawn slips say about an earlier printing. */
export async function keepFirstPrintings(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  slips: readonly { readonly position: number; readonly firstPrintedAt: string | null }[],
): Promise<void> {
  await query(
    `update batch_orders o set first_printed_at = d.at
     from unnest($3::int[], $4::text[]) d (position, at)
     where o.merchant_id = $1 and o.batch_id = $2 and o.position = d.position and not o.is_marked`,
    [
      merchantId,
      batchId,
      slips.map(({ position }) => position),
      slips.map(({ firstPrintedAt }) => firstPrintedAt),
    ],
  )
}

/** The marked orders; one whose slip says something else about its first printing waits to be drawn again. */
export async function keepMarks(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  marked: readonly { readonly position: number; readonly at: string | null }[],
): Promise<void> {
  await query(
    `update batch_orders o set is_marked = true, first_printed_at = d.at,
       state = case when o.first_printed_at is distinct from d.at then 'waiting' else o.state end,
       error = case when o.first_printed_at is distinct from d.at then null else o.error end
     from unnest($3::int[], $4::text[]) d (position, at)
     where o.merchant_id = $1 and o.batch_id = $2 and o.position = d.position`,
    [merchantId, batchId, marked.map(({ position }) => position), marked.map(({ at }) => at)],
  )
}
