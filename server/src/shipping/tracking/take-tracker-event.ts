import type { Database, Statements } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { noteReceived, wasReceived } from '#platform/outside/received-events.ts'
import { lockOrder, reportCarrierEvent, type OrderKey } from '#orders/public.ts'
import type { TrackerEvent, TrackerStatus } from '../port/shipping-port.ts'

const rank: Readonly<Record<TrackerStatus, number>> = {
  in_transit: 1,
  out_for_delivery: 2,
  at_pickup_point: 2,
  failed: 2,
  delivered: 3,
}

interface LabelRow {
  merchant_id: string
  order_id: string
  purchase_id: string
  box: number
}

/** Takes each event once, in any sequence. Returns how many orders it changed. */
export async function takeTrackerEvent(db: Database, provider: string, event: TrackerEvent): Promise<number> {
  const received = { provider, id: event.id }
  if (await wasReceived(db, received)) return 0
  const labels = await db.systemQuery<LabelRow>(
    `select l.merchant_id, l.order_id, l.purchase_id, l.box from shipping_labels l
     join label_purchases p using (merchant_id, purchase_id)
     where l.tracking_code = $1 and l.state = 'bought' and p.provider = $2`,
    [event.trackingCode, provider],
  )
  let taken = 0
  for (const label of labels) {
    if (await db.write(label.merchant_id, (statements) => moveParcel(statements, label, event))) taken += 1
  }
  // Last: if this work is interrupted, the provider's repetition runs it again; the event's rank makes that harmless.
  await noteReceived(db, received)
  return taken
}

async function moveParcel(statements: Statements, label: LabelRow, event: TrackerEvent): Promise<boolean> {
  const key: OrderKey = { merchantId: label.merchant_id, orderId: label.order_id }
  // Before any read: of two boxes that arrive at once, one transaction must see the other's.
  await lockOrder(statements, key)
  const [row] = await statements.query<{ progress: TrackerStatus | null }>(
    `select progress from shipping_labels where merchant_id = $1 and purchase_id = $2 and box = $3 for update`,
    [label.merchant_id, label.purchase_id, label.box],
  )
  const before = row?.progress ?? null
  if (before === event.status || (before !== null && rank[before] > rank[event.status])) return false
  await statements.query(
    'update shipping_labels set progress = $4 where merchant_id = $1 and purchase_id = $2 and box = $3',
    [label.merchant_id, label.purchase_id, label.box, event.status],
  )
  const [onTheWay] = await statements.query(
    `select 1 from shipping_labels where merchant_id = $1 and purchase_id = $2 and state = 'bought'
     and progress is distinct from 'delivered' limit 1`,
    [label.merchant_id, label.purchase_id],
  )
  return tellOrder(statements, key, { event, isLast: onTheWay === undefined })
}

/** With several boxes, the last one to arrive closes the order. */
async function tellOrder(
  statements: Statements,
  key: OrderKey,
  { event, isLast }: { event: TrackerEvent; isLast: boolean },
): Promise<boolean> {
  const word = { delivered: isLast ? 'delivered' : 'in_transit', failed: 'failed' } as const
  const said = event.status === 'delivered' || event.status === 'failed' ? word[event.status] : 'in_transit'
  try {
    await reportCarrierEvent(statements, key, {
      tracking_code: event.trackingCode,
      event: said,
      ...(event.at === null ? {} : { at: event.at }),
      ...(event.status === 'at_pickup_point' ? { status: 'waits at a pick-up point for the customer' } : {}),
      ...(event.words === null ? {} : { status: event.words }),
    })
    return true
  } catch (error) {
    // The order was cancelled, disputed, or closed by hand.
    if (error instanceof Refused) return false
    throw error
  }
}
