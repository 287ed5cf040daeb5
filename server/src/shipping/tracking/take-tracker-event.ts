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
  const [row] = await statements.query<Progress>(
    `select progress, progress_at from shipping_labels
     where merchant_id = $1 and purchase_id = $2 and box = $3 for update`,
    [label.merchant_id, label.purchase_id, label.box],
  )
  const before = row ?? { progress: null, progress_at: null }
  if (isOvertaken(before, event)) return false
  await statements.query(
    `update shipping_labels set progress = $4, progress_at = $5
     where merchant_id = $1 and purchase_id = $2 and box = $3`,
    [label.merchant_id, label.purchase_id, label.box, event.status, timeAfter(before, event)],
  )
  if (before.progress === event.status) return false
  const [onTheWay] = await statements.query(
    `select 1 from shipping_labels where merchant_id = $1 and purchase_id = $2 and state = 'bought'
     and progress is distinct from 'delivered' limit 1`,
    [label.merchant_id, label.purchase_id],
  )
  return tellOrder(statements, key, { event, isLast: onTheWay === undefined })
}

interface Progress {
  readonly progress: TrackerStatus | null
  /** The carrier's own time of the newest event of this rank, if an event had one. */
  readonly progress_at: Date | null
}

/**
 * A higher rank is news at any time. Within a rank the carrier's own time decides. Events of the same time, and events
 * without one, count in the sequence in which they arrive.
 */
function isOvertaken({ progress, progress_at }: Progress, { status, at }: TrackerEvent): boolean {
  if (progress === null || rank[progress] < rank[status]) return false
  if (rank[progress] > rank[status]) return true
  return at !== null && progress_at !== null && Date.parse(at) < progress_at.getTime()
}

/** An event without a time leaves the known time of its rank, so that an older one stays an older one. */
function timeAfter({ progress, progress_at }: Progress, { status, at }: TrackerEvent): string | Date | null {
  const isSameRank = progress !== null && rank[progress] === rank[status]
  return at ?? (isSameRank ? progress_at : null)
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
