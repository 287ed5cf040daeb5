import type { Database } from '#platform/db/database.ts'
import type { Period } from './sales/period.ts'
import type { FoldedOrder } from './sales/sales-page.ts'

/** A refusal at the door, or an owner who let the order pass a rule. */
export interface OrderEvent {
  readonly action: 'bring_back' | 'courier_bring_back' | 'pass_duty'
  readonly at: string
  readonly by: string
  readonly comment: string | null
  readonly details: Readonly<Record<string, unknown>> | null
}

/** What a courier's service has sent of a delivery. The picture itself stays where it is. */
export interface OrderProof {
  readonly delivered_at: string
  readonly service: string | null
  readonly signed_by: string | null
  readonly is_id_checked: boolean | null
  readonly has_picture: boolean
}

/** What a rule made the shop record of an ID. */
export interface SealedFields {
  readonly checked_at: string
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
  readonly submitted_at: Date
  readonly has_left: boolean
  readonly document: string
  readonly events: string | null
  readonly proofs: string | null
  readonly recorded: string | null
}

/**
 * The orders of a period, some hundred at a time. While a page is used, the database reads the next: of a million orders,
 * neither of them waits.
 */
export async function* readOrders(
  db: Database,
  merchantId: string,
  { fromMs, endMs }: Period,
): AsyncGenerator<readonly ReadOrder[]> {
  const read = (after: Pick<Row, 'submitted_at' | 'order_id'>) =>
    db.view(merchantId, ({ query }) =>
      query<Row>(
        `select order_id, submitted_at, shipped_at is not null or status = 'CLOSED' as has_left, document, (
           select json_agg(json_build_object('action', action, 'at', at, 'by', actor_name, 'comment', comment,
             'details', details) order by version)
           from order_history h where h.merchant_id = o.merchant_id and h.order_id = o.order_id
             and action in ('pass_duty', 'bring_back', 'courier_bring_back')
         ) as events, (
           select json_agg(json_build_object('delivered_at', delivered_at, 'service', d.service, 'signed_by', signed_by,
             'is_id_checked', is_id_checked, 'has_picture', signature is not null) order by attempt)
           from courier_proofs p left join courier_deliveries d using (merchant_id, order_id, attempt)
           where p.merchant_id = o.merchant_id and p.order_id = o.order_id
         ) as proofs, (
           select json_agg(json_build_object('checked_at', checked_at, 'rule', rule_id, 'sealed', fields_sealed) order by checked_at)
           from age_check_fields f where f.merchant_id = o.merchant_id and f.order_id = o.order_id
         ) as recorded
         from orders o where merchant_id = $1 and submitted_at < $2 and (submitted_at, order_id) > ($3, $4)
         order by submitted_at, order_id limit 500`,
        [merchantId, new Date(endMs), after.submitted_at, after.order_id],
      ),
    )
  let next = read({ submitted_at: new Date(fromMs), order_id: '' })
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = read(last)
    // The reader of this generator may stop before it asks for that page.
    next.catch(() => undefined)
    yield rows.map(readOrder)
  }
}

function readOrder({ events, proofs, recorded, ...row }: Row): ReadOrder {
  return {
    id: row.order_id,
    submittedMs: row.submitted_at.getTime(),
    hasLeft: row.has_left,
    document: row.document,
    events: events === null ? [] : (JSON.parse(events) as OrderEvent[]),
    proofs: proofs === null ? [] : (JSON.parse(proofs) as OrderProof[]),
    recorded: recorded === null ? [] : (JSON.parse(recorded) as SealedFields[]),
  }
}
