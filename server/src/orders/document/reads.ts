import type * as lines from '@cellarhand/contract/order-duties'
import type { HistoryEntry } from '@cellarhand/contract/orders'
import type { Database, Statements } from '#platform/db/database.ts'
import { getDutyBook } from '#duties/public.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { StaticOf } from '#platform/http/server.ts'
import { answerFor } from './order-duties.ts'
import { withOnTrackStatus, type StoredOrder } from './stored-order.ts'

interface HistoryRow {
  readonly at: Date
  readonly action: string
  readonly from_status: string | null
  readonly to_status: string
  readonly actor_name: string
  readonly actor_kind: HistoryEntry['party']
  readonly comment: string | null
  readonly details: string | null
}

/** Whoever has the same label bought and voided for days fills no page with it. */
const historyAtMost = 200

const historyColumns = 'at, action, from_status, to_status, actor_name, actor_kind, comment, details'

function toHistoryEntry(row: HistoryRow): HistoryEntry {
  return {
    at: row.at.toISOString(),
    action: row.action,
    from: row.from_status,
    to: row.to_status,
    actor: row.actor_name,
    party: row.actor_kind,
    comment: row.comment,
    details: row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>),
  }
}

/** The last decision on the order after the given version. Prints, notes and parcels under way decide nothing. */
export async function latestDecision(
  statements: Statements,
  { merchantId, orderId }: { merchantId: string; orderId: string },
  { afterVersion = 0, also = [] }: { afterVersion?: number; also?: readonly string[] } = {},
): Promise<HistoryEntry | null> {
  const [row] = await statements.query<HistoryRow>(
    `select ${historyColumns} from order_history
     where merchant_id = $1 and order_id = $2 and version > $3
       and (from_status is distinct from to_status or action in ('report_items', 'reject_partly', 'request_courier') or action = any ($4))
     order by version desc limit 1`,
    [merchantId, orderId, afterVersion, also],
  )
  return row === undefined ? null : toHistoryEntry(row)
}

export interface OrderRow {
  readonly document: string
  readonly tab: string
  readonly delivery_method: string
  readonly deadline_at: Date
  readonly timezone: string
}

async function findRow(
  statements: Statements,
  merchantId: string,
  orderId: string,
): Promise<OrderRow | undefined> {
  const [row] = await statements.query<OrderRow>(
    `select o.document, o.tab, o.delivery_method, o.deadline_at, m.timezone
     from orders o join merchants m using (merchant_id) where o.merchant_id = $1 and o.order_id = $2`,
    [merchantId, orderId],
  )
  return row
}

export function toText(row: OrderRow, nowMs: number): string {
  const { tab, delivery_method: method, deadline_at: deadlineAt, timezone } = row
  return withOnTrackStatus(row.document, {
    tab,
    method,
    deadlineMs: deadlineAt.getTime(),
    timezone,
    nowMs,
  })
}

/** One order with the newest of its history, as JSON text; another merchant's is as absent as one that never was. */
export async function getOrderDetail(db: Database, merchantId: string, orderId: string): Promise<string> {
  const [row, history] = await db.read(merchantId, (statements) =>
    Promise.all([
      findRow(statements, merchantId, orderId),
      statements.query<HistoryRow>(
        `select ${historyColumns} from order_history where merchant_id = $1 and order_id = $2 order by version desc limit ${historyAtMost}`,
        [merchantId, orderId],
      ),
    ]),
  )
  if (row === undefined) return refuse('not_found')
  return `${toText(row, db.clock.nowMs()).slice(0, -1)},"history":${JSON.stringify(history.map(toHistoryEntry))}}`
}

/** What the rules ask of the order now, with the rules behind it. */
export async function getOrderDuties(
  db: Database,
  merchantId: string,
  orderId: string,
): Promise<StaticOf<(typeof lines.getOrderDuties)['reply']>> {
  const [row, book] = await db.read(merchantId, (statements) =>
    Promise.all([findRow(statements, merchantId, orderId), getDutyBook(statements, merchantId)]),
  )
  if (row === undefined) return refuse('not_found')
  const nowMs = db.clock.nowMs()
  const order = JSON.parse(row.document) as StoredOrder
  const answer = answerFor(order, { book, nowMs })
  const checks = book.closing === 'recorded' ? [] : answer.must.filter(({ kind }) => kind === 'age_check')
  return {
    ...answer,
    missing: order.duties?.missing ?? [],
    checked_at: new Date(nowMs).toISOString(),
    needs_check: checks.length > 0,
    needs_scan: checks.some(({ is_electronic: isElectronic }) => isElectronic),
  }
}

/** One order as the marketplace reads it, as JSON text. */
export async function getOrderText(db: Database, merchantId: string, orderId: string): Promise<string> {
  const row = await db.read(merchantId, (statements) => findRow(statements, merchantId, orderId))
  return row === undefined ? refuse('not_found') : toText(row, db.clock.nowMs())
}

/** The order with the marketplace's reference, which must exist, as JSON text. */
export async function findOrderByReference(
  statements: Statements,
  merchantId: string,
  reference: string,
): Promise<string> {
  const [row] = await statements.query<OrderRow>(
    `select o.document, o.tab, o.delivery_method, o.deadline_at, m.timezone
     from orders o join merchants m using (merchant_id) where o.merchant_id = $1 and o.order_key = $2`,
    [merchantId, reference],
  )
  if (row === undefined) throw new Error('An order with this reference was there a moment ago')
  return toText(row, statements.clock.nowMs())
}

/** The merchant of an order, for callers that know only its number. */
export async function findMerchantOfOrder(db: Database, orderId: string): Promise<string> {
  const [row] = await db.systemQuery<{ merchant_id: string | null }>(
    'select merchant_of_order($1) as merchant_id',
    [orderId],
  )
  return row?.merchant_id ?? refuse('not_found')
}
