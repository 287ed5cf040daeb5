import type { Duty } from '@cellarhand/contract/duties'
import type * as lines from '@cellarhand/contract/order-duties'
import type { HistoryEntry } from '@cellarhand/contract/orders'
import type { Database, Statements } from '#platform/db/database.ts'
import { getDutyBook } from '#duties/public.ts'
import { refusalOfClosed, refuse } from '#platform/http/refuse.ts'
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

/** A label that is bought and voided for days fills no page. */
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

interface Since {
  readonly afterVersion?: number
  /** Actions that count as well. */
  readonly also?: readonly string[] | undefined
  /** The actions that alone count. */
  readonly only?: readonly string[] | undefined
}

/** The last decision on the order after the given version. Prints, notes and parcels under way decide nothing. */
export async function latestDecision(
  statements: Statements,
  { merchantId, orderId }: { merchantId: string; orderId: string },
  { afterVersion = 0, also = [], only }: Since = {},
): Promise<HistoryEntry | null> {
  const [row] = await statements.query<HistoryRow>(
    `select ${historyColumns} from order_history
     where merchant_id = $1 and order_id = $2 and version > $3
       and (not $5 and (from_status is distinct from to_status or action in ('report_items', 'reject_partly', 'request_courier', 'offer_substitutes', 'choose_substitute', 'decline_substitutes', 'miss_substitutes_answer')) or action = any ($4))
     order by version desc limit 1`,
    [merchantId, orderId, afterVersion, only ?? also, only !== undefined],
  )
  return row === undefined ? null : toHistoryEntry(row)
}

export interface OrderRow {
  readonly document: string
  readonly tab: string
  readonly delivery_method: string
  readonly deadline_at: Date
  readonly timezone: string
  /** The clerk who has it, as JSON text, where the merchant reads. */
  readonly taken?: string | null
}

async function findRow(
  statements: Statements,
  merchantId: string,
  orderId: string,
): Promise<OrderRow | undefined> {
  const [row] = await statements.query<OrderRow>(
    `select o.document, o.tab, o.delivery_method, o.deadline_at, m.timezone, o.taken
     from orders o join merchants m using (merchant_id) where o.merchant_id = $1 and o.order_id = $2`,
    [merchantId, orderId],
  )
  return row
}

export function toText(row: OrderRow, nowMs: number): string {
  const { tab, delivery_method: method, deadline_at: deadlineAt, timezone, taken } = row
  return withOnTrackStatus(row.document, {
    tab,
    method,
    deadlineMs: deadlineAt.getTime(),
    timezone,
    nowMs,
    taken,
  })
}

/** One order with the newest of its history, as JSON text; another merchant's is as absent as one that never was. */
export async function getOrderDetail(db: Database, merchantId: string, orderId: string): Promise<string> {
  const [row, history] = await db.view(merchantId, (statements) =>
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
  const [row, book, asked] = await db.view(merchantId, (statements) =>
    Promise.all([
      findRow(statements, merchantId, orderId),
      getDutyBook(statements, merchantId),
      statements.query<HistoryRow>(
        `select ${historyColumns} from order_history
         where merchant_id = $1 and order_id = $2 and action in ('ask_owner', 'keep_held') order by version`,
        [merchantId, orderId],
      ),
    ]),
  )
  if (row === undefined) return refuse('not_found')
  const nowMs = db.clock.nowMs()
  const order = JSON.parse(row.document) as StoredOrder
  const answer = answerFor(order, { book, nowMs })
  const { block: atDoor } = answerFor(order, { book, nowMs, handOverMs: nowMs })
  const isNow = ({ rule, kind }: Duty) => kind === 'hours' && atDoor.some((each) => each.rule === rule)
  const checks = book.closing === 'recorded' ? [] : answer.must.filter(({ kind }) => kind === 'age_check')
  return {
    ...answer,
    tell: answer.tell.map((duty) => (isNow(duty) ? { ...duty, is_now: true } : duty)),
    missing: order.duties?.missing ?? [],
    checked_at: new Date(nowMs).toISOString(),
    needs_check: checks.length > 0,
    needs_scan: checks.some(({ is_electronic: isElectronic }) => isElectronic),
    asked: questionsOf(order, asked.map(toHistoryEntry)),
  }
}

/** The questions that wait, and those that an owner answered with no; the history has their texts. */
function questionsOf({ duties }: StoredOrder, entries: readonly HistoryEntry[]): lines.Question[] {
  const last = (wanted: string, rule: string) =>
    entries.findLast(({ action, details }) => action === wanted && details?.['rule'] === rule)
  const textOf = (entry: HistoryEntry, name: string) => {
    const text = entry.details?.[name]
    return typeof text === 'string' ? text : null
  }
  return [...(duties?.asked ?? []), ...(duties?.kept_held ?? [])].flatMap((rule) => {
    const question = last('ask_owner', rule)
    if (question === undefined) return []
    const answer = duties?.kept_held?.includes(rule) ? last('keep_held', rule) : undefined
    return [
      {
        rule,
        by: question.actor,
        at: question.at,
        question: textOf(question, 'question'),
        answer:
          answer === undefined
            ? null
            : { by: answer.actor, at: answer.at, reason: textOf(answer, 'reason') ?? '' },
      },
    ]
  })
}

/** One order as the marketplace reads it, as JSON text. A command reads its answer with `db.read`. */
export async function getOrderText(
  read: Database['read'],
  merchantId: string,
  orderId: string,
): Promise<string> {
  return read(merchantId, async (statements) => {
    const row = await findRow(statements, merchantId, orderId)
    return row === undefined ? refuse('not_found') : toText({ ...row, taken: null }, statements.clock.nowMs())
  })
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
  const [row] = await db.systemQuery<{ merchant_id: string | null; moved_to: string | null }>(
    `select o.merchant_id, v.moved_to from merchant_of_order($1) as o (merchant_id)
     left join merchant_moves v on v.merchant_id = o.merchant_id`,
    [orderId],
  )
  if (row?.merchant_id == null) return refuse('not_found')
  if (row.moved_to !== null) throw refusalOfClosed({ movedTo: row.moved_to })
  return row.merchant_id
}
