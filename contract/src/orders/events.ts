import { Type } from 'typebox'
import { Count, Empty, object, OrderId, Reference } from '../wire/fields.ts'
import { Alarms, Presences, Queue } from './live.ts'
import { OrderPage, OrderStatusName } from './orders.ts'
import { tabs } from './order-statuses.ts'

/** Which order moved, and to where; the reader asks for the order itself. */
const OrderNews = object({
  id: OrderId,
  thirstie_logistic_order_ref: Reference,
  status: OrderStatusName,
  tab: Type.Enum(tabs),
})

/** The events of a merchant's stream (`followOrders`), each with the schema of its data. */
export const streamEvents = {
  'order.created': OrderNews,
  'order.updated': OrderNews,
  /** Somebody took the order or let it go. The marketplace is not told. */
  'order.taken': OrderNews,
  /** All bottles of the order are picked. The marketplace is not told. */
  'order.picked': OrderNews,
  counts: object({
    ...OrderPage.properties.counts.properties,
    next_deadline: OrderPage.properties.next_deadline,
  }),
  queue: Queue,
  alarms: Alarms,
  presence: Presences,
  /** Grows when a note of the shop changed; the reader asks for the notes that it shows. */
  notes: object({ changes: Count }),
  /** Events in between are lost: the reader asks for everything again. */
  reload: Empty,
  /** The shop is at another address from now on. The stream ends. */
  moved: object({ to: Type.String() }),
}
export type StreamEventName = keyof typeof streamEvents
/** The data of each event. */
export type StreamEvents = { [Name in StreamEventName]: Type.Static<(typeof streamEvents)[Name]> }
