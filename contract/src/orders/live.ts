import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Count, nullable, object, ofMerchant, OrderId, Timestamp, UserId } from '../wire/fields.ts'

export const alarmKinds = ['new', 'cancelled'] as const
export type AlarmKind = (typeof alarmKinds)[number]

/** The most alarms that one event names and that one call acknowledges. The others follow once these are done. */
export const alarmsAtOnce = 200

const AlarmKey = object({ order_id: OrderId, kind: Type.Enum(alarmKinds) })
/** An alarm that nobody of the merchant has acknowledged yet. */
const Alarm = object({ order_id: OrderId, kind: Type.Enum(alarmKinds), raised_at: Timestamp })
export type Alarm = Type.Static<typeof Alarm>

/**
 * The data of the event `alarms`: how many ring, how many of them for a cancellation, and the first of them.
 * Cancellations come before new orders, and of each kind the oldest first.
 */
export const Alarms = object({
  total: Count,
  cancelled: Count,
  items: Type.Array(Alarm, { maxItems: alarmsAtOnce }),
})
export type Alarms = Type.Static<typeof Alarms>

export const activities = ['viewing', 'deciding'] as const

/** Names one open page, to tell two pages of one person apart. */
const Screen = Type.String({ minLength: 1, maxLength: 36, pattern: '^[A-Za-z0-9-]+$' })

const Presence = object({
  order_id: OrderId,
  user_id: UserId,
  name: Type.String(),
  screen: Screen,
  activity: Type.Enum(activities),
})
export type Presence = Type.Static<typeof Presence>

/** The data of the event `presence`: every person with an order open. Each event carries the full list. */
export const Presences = object({ items: Type.Array(Presence) })
export type Presences = Type.Static<typeof Presences>

export const listAlarms = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/alarms',
  summary: 'Orders that nobody of the merchant has noticed yet',
  access: 'orders.read',
  params: ofMerchant,
  reply: Alarms,
})
export const acknowledgeAlarms = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/alarms/acknowledge',
  summary: 'Take notice of alarms: they stop on every device of the merchant',
  access: 'orders.read',
  params: ofMerchant,
  body: object({ alarms: Type.Array(AlarmKey, { minItems: 1, maxItems: alarmsAtOnce }) }),
  reply: object({ acknowledged: Count }),
})

export const reportPresence = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/presence',
  summary: 'Say which order stands open on a screen; holds for some seconds unless it is said again',
  access: 'orders.read',
  params: ofMerchant,
  body: object({ screen: Screen, order_id: nullable(OrderId), activity: Type.Enum(activities) }),
  reply: object({ renew_within_ms: Count }),
})
