import { Type } from 'typebox'
import { Empty, object, OrderId, Reference } from '../wire/fields.ts'
import { Alarms, Presences } from './live.ts'
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
  counts: object({
    ...OrderPage.properties.counts.properties,
    next_deadline: OrderPage.properties.next_deadline,
  }),
  alarms: Alarms,
  presence: Presences,
  /** Events in between are lost: the reader asks for everything again. */
  reload: Empty,
}
export type StreamEventName = keyof typeof streamEvents
/** The data of each event. */
export type StreamEvents = { [Name in StreamEventName]: Type.Static<(typeof streamEvents)[Name]> }
