import { Type } from 'typebox'
import { bulkLimit } from '../documents/bulk.ts'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  idempotencyKey,
  nullable,
  object,
  ofMerchant,
  ofMerchantOrder,
  OrderId,
  ours,
  ScreenId,
  Timestamp,
  UserId,
} from '../wire/fields.ts'
import { deliveryMethods } from './order-statuses.ts'
import { Order, SeenVersion } from './orders.ts'

const alarmKinds = ['new', 'cancelled'] as const
/** An order that will be late soon, and one that is late. Only a shop that wants them has them. */
export const dueAlarmKinds = ['soon', 'late'] as const
/** A clerk asks the owners about an order that a rule holds. */
const askedAlarmKinds = ['asked'] as const
const everyKind = [...alarmKinds, ...dueAlarmKinds, ...askedAlarmKinds] as const
export type AlarmKind = (typeof everyKind)[number]

/** The most alarms that one event names and that one call acknowledges. The others follow once these are done. */
export const alarmsAtOnce = 200

const AlarmKey = object({ order_id: OrderId, kind: Type.Enum(everyKind) })
/** An alarm that nobody of the merchant has acknowledged yet. */
const Alarm = object({ order_id: OrderId, kind: Type.Enum(alarmKinds), raised_at: Timestamp })
const DueAlarm = object({ order_id: OrderId, kind: Type.Enum(dueAlarmKinds), raised_at: Timestamp })
const AskedAlarm = object({ order_id: OrderId, kind: Type.Enum(askedAlarmKinds), raised_at: Timestamp })
export interface Alarm {
  readonly order_id: string
  readonly kind: AlarmKind
  readonly raised_at: string
}

/**
 * The data of the event `alarms`: how many ring, how many of them for a cancellation, and the first of them.
 * Cancellations come before new orders, and of each kind the oldest first.
 */
export const Alarms = object({
  total: Count,
  cancelled: Count,
  items: Type.Array(Alarm, { maxItems: alarmsAtOnce }),
  /** Apart from the others, which a program may know already: late orders come before nearly late ones. */
  due: ours(object({ late: Count, soon: Count, items: Type.Array(DueAlarm, { maxItems: alarmsAtOnce }) })),
  /** Questions of clerks, for the screens of owners. */
  asked: ours(object({ total: Count, items: Type.Array(AskedAlarm, { maxItems: alarmsAtOnce }) })),
  /** The shop is closed and wants no sound then. */
  is_quiet: ours(Type.Boolean()),
})
export type Alarms = Type.Static<typeof Alarms>

/** Of each class; beyond it nobody counts. */
export const dueCountedAtMost = 1_000
/** Open orders without a printed slip. */
export const slipsCountedAtMost = 1_000
/** Taken orders of a merchant that are counted by clerk. */
export const takenCountedAtMost = 2_000
/** More than the colleagues who decide at one time. */
export const queueNamesAtMost = 20
/** Of each clerk, the orders that the clerk has taken. */
export const ownNamesAtMost = 5

/**
 * The data of the event `queue`: how many active orders are late or soon due, and which come next. A screen passes over
 * the orders that a colleague has open.
 */
export const Queue = object({
  late: Type.Integer({ minimum: 0, maximum: dueCountedAtMost }),
  soon: Type.Integer({ minimum: 0, maximum: dueCountedAtMost }),
  /** New and printed orders that no rule forbids, the one that is due first first. */
  decide: Type.Array(OrderId),
  /** Accepted orders that can be shipped or sent out now, and for which no courier is on the way. */
  do: Type.Array(OrderId),
  /** Which of these a clerk has taken; only that clerk goes on with them. An order that is late is everybody's. */
  taken: Type.Optional(Type.Array(object({ id: OrderId, by: UserId }))),
  /** How many orders nobody has accepted or rejected; absent while there are none. */
  undecided: Type.Optional(Type.Integer({ minimum: 1 })),
  /** How many active orders a rule holds; absent while there are none. */
  needs_a_look: Type.Optional(Type.Integer({ minimum: 1 })),
  /** How many active orders are still in the shop and have no printed slip; absent while there are none. */
  slips: Type.Optional(Type.Integer({ minimum: 1, maximum: slipsCountedAtMost })),
  /** How many active orders each clerk has taken. */
  clerks: Type.Optional(Type.Array(object({ by: UserId, name: Type.String(), n: Count }))),
})
export type Queue = Type.Static<typeof Queue>

export const activities = ['viewing', 'deciding'] as const

const Presence = object({
  order_id: OrderId,
  user_id: UserId,
  name: Type.String(),
  screen: ScreenId,
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
  summary:
    'Take notice of alarms: they stop on every device of the merchant. Only owners take notice of a question to them',
  access: 'orders.read',
  params: ofMerchant,
  body: object({ alarms: Type.Array(AlarmKey, { minItems: 1, maxItems: alarmsAtOnce }) }),
  reply: object({ acknowledged: Count }),
})

export const longestWarningMinutes = 7 * 24 * 60

/** When the orders of a delivery method ring because of their deadline. */
const AlarmRule = object({
  method: Type.Enum(deliveryMethods),
  /** So long before its deadline an order is nearly late; null: it does not ring then. */
  soon_minutes: nullable(Type.Integer({ minimum: 1, maximum: longestWarningMinutes })),
  /** Whether an order rings once its deadline has passed. */
  late: Type.Boolean(),
})
export const AlarmRules = object({
  /** A method without a rule does not ring. */
  rules: Type.Array(AlarmRule, { maxItems: deliveryMethods.length }),
  /** Outside the delivery hours no alarm sounds. Orders that fall due then ring when the shop opens. */
  quiet_when_closed: Type.Boolean(),
})
export type AlarmRules = Type.Static<typeof AlarmRules>

export const getAlarmRules = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/alarms/rules',
  summary: 'When nearly late and late orders ring, and whether the alarm is quiet while the shop is closed',
  access: 'orders.read',
  params: ofMerchant,
  reply: AlarmRules,
})
export const updateAlarmRules = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/alarms/rules',
  summary: 'Save when nearly late and late orders ring. It counts for orders that fall due from now on',
  access: 'company.edit',
  params: ofMerchant,
  body: AlarmRules,
  reply: AlarmRules,
})

export const getQueue = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/queue',
  summary: 'How many orders are late or soon due, and which come next',
  access: 'orders.read',
  params: ofMerchant,
  reply: Queue,
})

export const getOrdersBeside = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/beside',
  summary: 'The orders before and after this one in the list of its tab, which is due first, or newest first',
  access: 'orders.read',
  params: ofMerchantOrder,
  reply: object({ previous: nullable(OrderId), next: nullable(OrderId) }),
})

export const takeBottlesBack = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/came_back',
  summary:
    'Bottles of an order that had left the shop are back; the status stays with the marketplace. Ours, beside the specified calls',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({ bottles: Type.Integer({ minimum: 1, maximum: 100_000 }), version: SeenVersion }),
  reply: Order,
  refusals: ['invalid_transition'],
  headers: idempotencyKey,
})

export const undoCameBack = endpoint({
  call: 'DELETE /m/v2/merchant/{tmk}/orders/{id}/came_back',
  summary: 'The bottles are not back after all: the note of them was a mistake. Ours',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: object({ version: SeenVersion }),
  reply: Order,
  refusals: ['invalid_transition'],
  headers: idempotencyKey,
})

export const reportPresence = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/presence',
  summary: 'Say which order stands open on a screen; holds for some seconds unless it is said again',
  access: 'orders.read',
  params: ofMerchant,
  body: object({ screen: ScreenId, order_id: nullable(OrderId), activity: Type.Enum(activities) }),
  reply: object({ renew_within_ms: Count }),
})

const TakenOrders = Type.Array(object({ id: OrderId }), { minItems: 1, maxItems: bulkLimit })

export const takeOrder = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/orders/{id}/taken',
  summary: 'Say "I take it" of an order: every screen shows who has it. Nobody is kept from deciding. Ours',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  /** The colleague from whom the caller takes it over. Without it, an order that somebody has is refused. */
  body: object({ over: Type.Optional(UserId) }),
  reply: Order,
  refusals: ['order_taken', 'order_finished'],
  headers: idempotencyKey,
})
export const letOrderGo = endpoint({
  call: 'DELETE /m/v2/merchant/{tmk}/orders/{id}/taken',
  summary: 'Let an order go that the caller took; that of a colleague stays taken. Ours',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  reply: Order,
  headers: idempotencyKey,
})
export const takeOrders = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/bulk/take',
  summary: 'Take up to 200 orders. Those that a colleague has are named, and stay with the colleague. Ours',
  access: 'orders.fulfil',
  params: ofMerchant,
  body: object({ orders: TakenOrders }),
  reply: object({
    taken_count: Count,
    not_taken: Type.Array(object({ id: OrderId, message: Type.String() })),
  }),
  headers: idempotencyKey,
})
export const letOrdersGo = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/bulk/let_go',
  summary: 'Let up to 200 orders go, as far as the caller took them. Ours',
  access: 'orders.fulfil',
  params: ofMerchant,
  body: object({ orders: TakenOrders }),
  reply: object({ let_go_count: Count }),
  headers: idempotencyKey,
})
