import type { CourierState } from '@cellarhand/contract/courier-states'
import { needsLook } from '@cellarhand/contract/needs-look'
import type { Order } from '@cellarhand/contract/orders'
import { tabOf } from '@cellarhand/contract/order-statuses'
import { formatTime } from '#lib/time/dates.ts'
import { shopZone } from '#lib/time/shop-day.ts'

const courierNotes: Partial<Record<CourierState, string>> = {
  ORDER_REQUESTED: 'No courier yet',
  ORDER_ASSIGNED: 'Courier on the way',
  ORDER_PICKED_UP: 'With the courier',
}

/** The one thing to know beside the status, by its weight: what holds the order, its courier, a rule, its window. */
export function statusNote(order: Order): string | undefined {
  const { duties, courier_info: courier, delivery, status } = order
  const note = duties?.note
  if (needsLook(order)) return note ?? 'needs a look'
  if (tabOf(status, delivery.method) !== 'active') return note
  if (courier) return courierNote(courier)
  const [from, to] = delivery.window ?? []
  return note ?? (from && to && `${clock(from)} to ${clock(to)}`)
}

function courierNote({ order_status: state, estimated_pickup_time: at }: NonNullable<Order['courier_info']>) {
  if (state === 'ORDER_ASSIGNED' && at) return `Courier due ${clock(at)}`
  // The courier failed or was cancelled.
  return courierNotes[state] ?? 'No courier'
}

function clock(moment: string): string {
  return formatTime(moment, shopZone())
}
