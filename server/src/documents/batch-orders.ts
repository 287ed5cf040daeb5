import type { ReportType } from '@cellarhand/contract/report-files'
import type { Database, Statements } from '#platform/db/database.ts'

export interface BatchKey {
  readonly merchantId: string
  readonly batchId: string
}

export async function readBatch(db: Database, { merchantId, batchId }: BatchKey) {
  const [row] = await db.read(merchantId, ({ query }) =>
    query<{ report_types: ReportType[]; created_at: Date; is_finished: boolean }>(
      `select report_types, created_at, finished_at is not null as is_finished
       from batches where merchant_id = $1 and batch_id = $2`,
      [merchantId, batchId],
    ),
  )
  return row && { types: row.report_types, createdAt: row.created_at, isFinished: row.is_finished }
}

export interface WaitingOrder {
  readonly position: number
  readonly order_id: string
  readonly is_marked: boolean
  readonly first_printed_at: string | null
}

export function listWaiting(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  limit: number,
): Promise<WaitingOrder[]> {
  return query<WaitingOrder>(
    `select position, order_id, is_marked, first_printed_at from batch_orders
     where merchant_id = $1 and batch_id = $2 and state = 'waiting' order by position limit $3`,
    [merchantId, batchId, limit],
  )
}

export interface EndedOrder {
  readonly position: number
  /** Null: it is done. */
  readonly error: string | null
}

export async function endOrders(
  { query }: Statements,
  { merchantId, batchId }: BatchKey,
  ended: readonly EndedOrder[],
): Promise<void> {
  await query(
    `update batch_orders o set state = case when d.error is null then 'done' else 'failed' end, error = d.error
     from unnest($3::int[], $4::text[]) d (position, error)
     where o.merchant_id = $1 and o.batch_id = $2 and o.position = d.position`,
    [merchantId, batchId, ended.map(({ position }) => position), ended.map(({ error }) => error)],
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
