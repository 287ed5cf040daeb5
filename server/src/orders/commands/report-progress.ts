import { isWhollyBack } from '@cellarhand/contract/came-back'
import { courierRoad, type CourierState } from '@cellarhand/contract/courier-states'
import { guardHolds } from '@cellarhand/contract/order-guards'
import type { OrderAction } from '@cellarhand/contract/order-lifecycle'
import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { isRealTimestamp } from '../document/order-problems.ts'
import { mostSkewMs } from '../document/submitted-at.ts'
import { missingOfCourier } from '../document/order-duties.ts'
import type { StoredOrder } from '../document/stored-order.ts'
import type { Actor } from '../document/write-order.ts'
import { lockOrder, type OrderKey } from '../document/lock-order.ts'
import { moveOrder, requireTransition, writeChange } from '../document/move-order.ts'

export interface CarrierEvent {
  readonly tracking_code: string
  readonly event: 'in_transit' | 'delivered' | 'failed'
  readonly at?: string | null
  /** For the history, where the event alone says too little. */
  readonly status?: string
}

/** Takes a carrier's report on a parcel. Only the delivery moves the order; the history records the rest. */
export async function reportCarrierEvent(
  statements: Statements,
  key: OrderKey,
  event: CarrierEvent,
): Promise<string> {
  const nowMs = statements.clock.nowMs()
  if (event.at && !isRealTimestamp(event.at))
    refuse('validation_failed', { errors: { at: 'Is not a real date' } })
  if (event.at && Date.parse(event.at) > nowMs + mostSkewMs)
    refuse('validation_failed', { errors: { at: 'Must not be in the future' } })
  const locked = await lockOrder(statements, key)
  const code = event.tracking_code.replaceAll(/\s/g, '')
  const parcel = locked.order.shipment_info.find((shipment) => shipment.tracking_code === code)
  if (parcel === undefined)
    return refuse('not_found', { message: 'This order has no parcel with that tracking code.' })
  const actor: Actor = { kind: 'carrier', id: null, name: parcel.carrier }
  // A carrier also says it of a parcel that the shop got back.
  if (event.event === 'delivered' && !isWhollyBack(locked.order)) {
    return moveOrder(statements, { ...key, actor, action: 'carrier_deliver' }, (order) => ({
      // The history keeps a sender's own time. The record of a delivery says nothing that has yet to come.
      patch: deliveredAt(order, Math.min(nowMs, event.at ? Date.parse(event.at) : nowMs)),
      details: event,
    }))
  }
  const action = event.event === 'failed' ? 'carrier_fail' : 'carrier_move'
  return writeChange(statements, key.merchantId, { locked, change: { action, actor, details: event } })
}

function deliveredAt(order: StoredOrder, atMs: number): Partial<StoredOrder> {
  const earlier = order.delivery_info
  return {
    delivery_info: {
      signed_by: earlier?.signed_by ?? null,
      delivered_by: earlier?.delivered_by ?? null,
      delivered_on: new Date(atMs).toISOString(),
    },
  }
}

type CourierInfo = NonNullable<StoredOrder['courier_info']>
type CourierEvent = Partial<{ [K in keyof CourierInfo]: CourierInfo[K] | undefined }> & {
  readonly order_status: CourierState
}

const actionOf: Partial<Record<CourierState, OrderAction>> = {
  ORDER_PICKED_UP: 'courier_pick_up',
  ORDER_DELIVERED: 'courier_deliver',
  ORDER_FAILED: 'courier_fail',
  ORDER_CANCELLED: 'courier_fail',
}

interface CourierReport extends CourierEvent {
  readonly reason?: string | undefined
  /** Our own courier's proof follows, and says whether the ID was checked. */
  readonly hasProof?: boolean
}

/** Takes a courier's report on an order with a requested courier (GAP-136). */
export async function reportCourierEvent(
  statements: Statements,
  key: OrderKey,
  { reason, hasProof = false, ...event }: CourierReport,
): Promise<string> {
  const locked = await lockOrder(statements, key)
  const before = locked.order.courier_info
  if (before === null) return refuse('not_found', { message: 'No courier was requested for this order.' })
  refuseUnrealTimes(event)
  const given = Object.fromEntries(
    Object.entries(event)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([field, value]) => [
        field,
        field.endsWith('_time') ? new Date(String(value)).toISOString() : value,
      ]),
  )
  const courier_info = { ...before, ...given, order_status: laterOf(before.order_status, event.order_status) }
  const actor: Actor = { kind: 'courier', id: null, name: courier_info.provider ?? 'Courier' }
  const action = courierAction(locked.order, event.order_status)
  if (action === undefined || isOnlyNoted(locked.order, action)) {
    // A courier that only comes nearer moves nothing, but a finished order has no courier any more.
    if (isFinishedForMerchant(locked.order.status)) {
      await requireTransition(statements, key.merchantId, { locked, action: 'courier_pick_up' })
    }
    return writeChange(statements, key.merchantId, {
      locked,
      change: { action: action ?? 'courier_move', actor, patch: { courier_info }, details: event },
    })
  }
  return moveOrder(statements, { ...key, actor, action }, async (order) => ({
    patch: {
      courier_info,
      ...(action === 'courier_deliver'
        ? {
            ...deliveredAt(order, statements.clock.nowMs()),
            ...(await missingOfCourier(statements, key.merchantId, { order, hasProof })),
          }
        : {}),
      ...(action === 'courier_bring_back' ? { delivery_info: null } : {}),
    },
    // A passed check belongs to this visit, which handed nothing over. A refusal still matters for the next visit.
    without:
      action === 'courier_bring_back' && order.age_check?.result === 'passed' ? 'age_check' : undefined,
    comment: reason ?? (action === 'courier_bring_back' ? 'The courier could not hand it over' : null),
    details: event,
  }))
}

function courierAction(order: StoredOrder, event: CourierState): OrderAction | undefined {
  const action = actionOf[event]
  return action === 'courier_fail' &&
    guardHolds('courier_has_it', order, '') &&
    order.status === 'MERCHANT_SHIPPED'
    ? 'courier_bring_back'
    : action
}

/**
 * The clerk said "out for delivery" before the courier did. The courier's pick-up, or a failure before it, is then
 * recorded and moves nothing, because the clerk's word counts.
 */
function isOnlyNoted({ status }: StoredOrder, action: OrderAction): boolean {
  return status === 'MERCHANT_SHIPPED' && (action === 'courier_pick_up' || action === 'courier_fail')
}

const onTheWay: readonly CourierState[] = courierRoad.filter((state) => state !== 'ORDER_DELIVERED')

/** Reports may overtake each other; a courier on the way never goes back to an earlier point. */
function laterOf(before: CourierState, now: CourierState): CourierState {
  const isOlder = onTheWay.includes(now) && onTheWay.indexOf(now) < onTheWay.indexOf(before)
  return isOlder ? before : now
}

function refuseUnrealTimes(event: CourierEvent): void {
  const times = Object.entries(event).filter(([field, value]) => field.endsWith('_time') && value)
  refuseInvalid(
    Object.fromEntries(
      times.map(([field, value]) => [
        field,
        isRealTimestamp(String(value)) ? undefined : 'Is not a real date',
      ]),
    ),
  )
}
