import type { Database, Statements } from '#platform/db/database.ts'
import { contains, type Period } from './sales/period.ts'
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

export interface RecordsOfOrder {
  readonly id: string
  readonly events: readonly OrderEvent[]
  readonly proofs: readonly OrderProof[]
  readonly recorded: readonly SealedFields[]
}

export type ReadOrder = FoldedOrder & RecordsOfOrder

interface Row {
  readonly order_id: string
  readonly submitted_ms: number
  readonly has_left: boolean
  readonly document: string
}

const submittedMs = '(extract(epoch from submitted_at) * 1000)::float8 as submitted_ms'
const columns = `order_id, ${submittedMs},
  shipped_at is not null or status = 'CLOSED' as has_left, document`

/** The place of an order among all of a shop. */
type Place = readonly [submittedMs: number, orderId: string]

/** The orders after one place, up to and with another. */
export interface Stretch {
  readonly after: Place
  readonly upTo: Place
}

const pageLength = 500

/**
 * The orders of a period, some hundred at a time. While a page is used, the database reads the next: of a million orders,
 * neither of them waits.
 */
export async function* readOrders(
  db: Database,
  merchantId: string,
  { fromMs, endMs }: Period,
): AsyncGenerator<readonly ReadOrder[]> {
  const upTo = endOf(endMs)
  const read = (after: Place) =>
    db.view(merchantId, (statements) =>
      readStretch(statements, merchantId, { after, upTo, atMost: pageLength }),
    )
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

/** No order has an empty number, so that none of the first moment after a period is in it. */
function endOf(endMs: number): Place {
  return [endMs, '']
}

export async function readStretch(
  statements: Statements,
  merchantId: string,
  { after, upTo, atMost }: Stretch & { readonly atMost?: number },
): Promise<ReadOrder[]> {
  const [[afterMs, afterId], [endMs, endId]] = [after, upTo]
  const rows = await statements.query<Row>(
    `select ${columns} from orders
     where merchant_id = $1 and (submitted_at, order_id) > ($2, $3) and (submitted_at, order_id) <= ($4, $5)
     order by submitted_at, order_id limit $6`,
    [merchantId, new Date(afterMs), afterId, new Date(endMs), endId, atMost ?? null],
  )
  return withRecords(statements, merchantId, rows)
}

/** Cuts a period into stretches of some hundred orders, for readers of their own; an index alone answers it. */
export async function* stretchesOf(
  db: Database,
  merchantId: string,
  { fromMs, endMs }: Period,
): AsyncGenerator<Stretch> {
  for (let after: Place = [fromMs, '']; ;) {
    const [afterMs, afterId] = after
    const [last] = await db.view(merchantId, ({ query }) =>
      query<Pick<Row, 'order_id' | 'submitted_ms'>>(
        `select order_id, ${submittedMs} from orders
         where merchant_id = $1 and (submitted_at, order_id) > ($2, $3) and submitted_at < $4
         order by submitted_at, order_id offset $5 limit 1`,
        [merchantId, new Date(afterMs), afterId, new Date(endMs), pageLength - 1],
      ),
    )
    const upTo: Place = last === undefined ? endOf(endMs) : [last.submitted_ms, last.order_id]
    yield { after, upTo }
    if (last === undefined) return
    after = upTo
  }
}

/**
 * The records of the period of orders that came before it, such as of one that was refused at the door on the next day.
 * `isKnown` tells the orders of the period: to look for each record's order here would take longer than to read the sales.
 */
export async function* readEarlierOrders(
  db: Database,
  merchantId: string,
  { isKnown, ...period }: Period & { readonly isKnown: (orderId: string) => boolean },
): AsyncGenerator<readonly ReadOrder[]> {
  const isWithin = (at: Date) => contains(period, at.getTime())
  const ids = (await recordedOrders(db, merchantId, period)).filter((id) => !isKnown(id))
  for (let start = 0; start < ids.length; start += pageLength) {
    const orders = await db.view(merchantId, async (statements) => {
      const rows = await statements.query<Row>(
        `select ${columns} from orders
         where merchant_id = $1 and order_id = any($2) and submitted_at < $3 order by order_id`,
        [merchantId, ids.slice(start, start + pageLength), new Date(period.fromMs)],
      )
      return withRecords(statements, merchantId, rows)
    })
    yield orders.map((order) => ({
      ...order,
      events: order.events.filter(({ at }) => isWithin(at)),
      proofs: order.proofs.filter(({ delivered_at: at }) => isWithin(at)),
      recorded: order.recorded.filter(({ checked_at: at }) => isWithin(at)),
    }))
  }
}

/** As one value: of a large shop there are some hundred thousand. */
async function recordedOrders(
  db: Database,
  merchantId: string,
  { fromMs, endMs }: Pick<Period, 'fromMs' | 'endMs'>,
): Promise<string[]> {
  const [row] = await db.view(merchantId, ({ query }) =>
    query<{ ids: string | null }>(
      `select json_agg(distinct order_id) as ids from (
         select order_id from order_history
         where merchant_id = $1 and at >= $2 and at < $3 and action in ('pass_duty', 'bring_back', 'courier_bring_back')
         union all
         select order_id from courier_proofs where merchant_id = $1 and delivered_at >= $2 and delivered_at < $3
         union all
         select order_id from age_check_fields where merchant_id = $1 and checked_at >= $2 and checked_at < $3
       ) recorded`,
      [merchantId, new Date(fromMs), new Date(endMs)],
    ),
  )
  return JSON.parse(row?.ids ?? '[]') as string[]
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
  return rows.map(({ order_id: id, submitted_ms, has_left: hasLeft, document }) => ({
    id,
    submittedMs: submitted_ms,
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
