import type { Database, Statements } from '#platform/db/database.ts'
import type { Period } from './sales/period.ts'
import type { FoldedOrder } from './sales/sales-page.ts'

/** A refusal at the door, or an owner who let the order pass a rule. */
export interface OrderEvent {
  readonly action: 'bring_back' | 'courier_bring_back' | 'pass_duty'
  readonly at: Date
  readonly by: string
  readonly comment: string | null
  /** JSON */
  readonly details: string | null
}

/** What a courier's service has sent of a delivery. The picture itself stays where it is. */
export interface OrderProof {
  readonly delivered_at: Date
  readonly service: string | null
  readonly signed_by: string | null
  readonly is_id_checked: boolean | null
  readonly has_picture: boolean
}

/** What a rule made the shop record of an ID. */
export interface SealedFields {
  readonly checked_at: Date
  readonly rule: string
  readonly sealed: string
}

export interface ReadOrder extends FoldedOrder {
  readonly events: readonly OrderEvent[]
  readonly proofs: readonly OrderProof[]
  readonly recorded: readonly SealedFields[]
}

interface Row {
  readonly order_id: string
  readonly submitted_ms: number
  readonly has_left: boolean
  readonly document: string
}

const columns = `order_id, (extract(epoch from submitted_at) * 1000)::float8 as submitted_ms,
  shipped_at is not null or status = 'CLOSED' as has_left, document`

type After = readonly [submittedMs: number, orderId: string]

/**
 * The orders of a period, some hundred at a time. While a page is used, the database reads the next: of a million orders,
 * neither of them waits.
 */
export async function* readOrders(
  db: Database,
  merchantId: string,
  { fromMs, endMs }: Period,
): AsyncGenerator<readonly ReadOrder[]> {
  const read = (after: After) =>
    db.view(merchantId, (statements) => readPage(statements, { merchantId, endMs, after }))
  let next = read([fromMs, ''])
  for (;;) {
    const orders = await next
    const last = orders.at(-1)
    if (last === undefined) return
    next = read([last.submittedMs, last.id])
    // The reader of this generator may stop before it asks for that page.
    next.catch(() => undefined)
    yield orders
  }
}

interface Page {
  readonly merchantId: string
  readonly endMs: number
  readonly after: After
}

async function readPage(statements: Statements, { merchantId, endMs, after }: Page): Promise<ReadOrder[]> {
  const [afterMs, afterId] = after
  const rows = await statements.query<Row>(
    `select ${columns} from orders
     where merchant_id = $1 and submitted_at < $2 and (submitted_at, order_id) > ($3, $4)
     order by submitted_at, order_id limit 500`,
    [merchantId, new Date(endMs), new Date(afterMs), afterId],
  )
  return withRecords(statements, merchantId, rows)
}

/**
 * Earlier orders with a record of the period, such as one refused at the door on the day after it came: each has the
 * records of the period alone.
 */
export async function* readEarlierOrders(
  db: Database,
  merchantId: string,
  { fromMs, endMs }: Period,
): AsyncGenerator<readonly ReadOrder[]> {
  const isWithin = (at: Date) => at.getTime() >= fromMs && at.getTime() < endMs
  for (let after = ''; ;) {
    const orders = await db.view(merchantId, async (statements) => {
      const rows = await statements.query<Row>(
        `select ${columns} from orders
         where merchant_id = $1 and submitted_at < $2 and order_id > $4 and order_id in (
           select order_id from order_history
           where merchant_id = $1 and at >= $2 and at < $3 and action in ('pass_duty', 'bring_back', 'courier_bring_back')
           union all
           select order_id from courier_proofs where merchant_id = $1 and delivered_at >= $2 and delivered_at < $3
           union all
           select order_id from age_check_fields where merchant_id = $1 and checked_at >= $2 and checked_at < $3
         ) order by order_id limit 500`,
        [merchantId, new Date(fromMs), new Date(endMs), after],
      )
      return withRecords(statements, merchantId, rows)
    })
    const last = orders.at(-1)
    if (last === undefined) return
    after = last.id
    yield orders.map((order) => ({
      ...order,
      events: order.events.filter(({ at }) => isWithin(at)),
      proofs: order.proofs.filter(({ delivered_at: at }) => isWithin(at)),
      recorded: order.recorded.filter(({ checked_at: at }) => isWithin(at)),
    }))
  }
}

async function withRecords(
  statements: Statements,
  merchantId: string,
  rows: readonly Row[],
): Promise<ReadOrder[]> {
  // Few orders have any: to look for them at each order would take longer than to read the orders.
  const ids = rows.map((row) => row.order_id)
  const [events, proofs, recorded] = await Promise.all([
    statements.query<OfOrder & OrderEvent>(
      `select order_id, action, at, actor_name as by, comment, details
       from order_history where merchant_id = $1 and order_id = any($2)
         and action in ('pass_duty', 'bring_back', 'courier_bring_back')
       order by order_id, version`,
      [merchantId, ids],
    ),
    statements.query<OfOrder & OrderProof>(
      `select order_id, delivered_at, d.service, signed_by, is_id_checked, signature is not null as has_picture
       from courier_proofs left join courier_deliveries d using (merchant_id, order_id, attempt)
       where merchant_id = $1 and order_id = any($2)
       order by order_id, attempt`,
      [merchantId, ids],
    ),
    statements.query<OfOrder & SealedFields>(
      `select order_id, checked_at, rule_id as rule, fields_sealed as sealed
       from age_check_fields where merchant_id = $1 and order_id = any($2)
       order by order_id, checked_at`,
      [merchantId, ids],
    ),
  ])
  const found = { events: byOrder(events), proofs: byOrder(proofs), recorded: byOrder(recorded) }
  return rows.map(({ order_id: id, submitted_ms: submittedMs, has_left: hasLeft, document }) => ({
    id,
    submittedMs,
    hasLeft,
    document,
    events: found.events.get(id) ?? [],
    proofs: found.proofs.get(id) ?? [],
    recorded: found.recorded.get(id) ?? [],
  }))
}

interface OfOrder {
  readonly order_id: string
}

function byOrder<T extends OfOrder>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(rows, (row) => row.order_id)
}
