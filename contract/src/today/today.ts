import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Count, Day, nullable, object, ofMerchant, OrderId, Timestamp, UserId } from '../wire/fields.ts'
import { displayGroups } from '../orders/order-statuses.ts'

/** In the shop's own time zone; the shop's current day without it. */
const dayQuery = object({ day: Type.Optional(Day) })

/** Minutes, to a tenth. Null while no order has come that far. */
const Minutes = nullable(Type.Number({ minimum: 0 }))
const Spread = object({ median: Minutes, p95: Minutes })

/** The same figures of an hour and of the whole day. */
const figures = {
  orders: Count,
  /** Accepted, and neither rejected nor cancelled since. */
  accepted: Count,
  /** Still to decide. */
  waiting: Count,
  /** Not accepted: the marketplace has to correct the order first. */
  held: Count,
  rejected: Count,
  cancelled: Count,
  /** Past the deadline, or done after it. A rejected or cancelled order is never late. */
  late: Count,
  to_accept: Spread,
  to_hand_over: Spread,
}

export const lateCauses = [
  'not_accepted',
  'accepted_late',
  'brought_back',
  'courier_lost',
  'waiting_for_courier',
  'label_failed',
  'waiting_for_label',
  'at_the_counter',
  'on_the_road',
  'was_on_hold',
  'took_long',
] as const
export type LateCause = (typeof lateCauses)[number]

/** The most late orders that an answer names; `late` counts all of them. */
export const lateAtMost = 100
/** The most reasons that an answer names; `rejected` counts all rejections. */
export const reasonsAtMost = 20

const LateOrder = object({
  id: OrderId,
  is_open: Type.Boolean(),
  late_minutes: Count,
  cause: Type.Enum(lateCauses),
  /** How often, or for how many minutes, by the cause. */
  n: Count,
})
export type LateOrder = Type.Static<typeof LateOrder>

const DayFigures = object({
  day: Day,
  timezone: Type.String(),
  /** When the day begins and ends in that zone. */
  from: Timestamp,
  until: Timestamp,
  as_of: Timestamp,
  ...figures,
  /** Where the day's orders are now. */
  open: Count,
  on_hold: Count,
  late_open: Count,
  /** From the first hour with an order to the last one, without a gap. */
  hours: Type.Array(object({ at: Timestamp, ...figures })),
  /** The most frequent first. `text` holds the clerk's own words where the reason is `other`. */
  reasons: Type.Array(object({ code: Type.String(), text: nullable(Type.String()), count: Count })),
  /** The open ones first, then the latest. */
  late_orders: Type.Array(LateOrder, { maxItems: lateAtMost }),
  /** Bottles that came back to the shop on that day, of orders of any day; the newest first. */
  came_back: Type.Array(
    object({ id: OrderId, bottles: Count, of: Count, by: Type.String(), at: Timestamp }),
    { maxItems: lateAtMost },
  ),
})
export type DayFigures = Type.Static<typeof DayFigures>

const ClerkFigures = object({
  day: Day,
  clerks: Type.Array(
    object({
      id: UserId,
      name: Type.String(),
      decided: Count,
      /** The two add up to `decided`: the clerk's decision was the first one on the order. */
      accepted: Count,
      rejected: Count,
      /** Until the clerk accepted or rejected it. */
      median: Minutes,
      /** Of the orders that the clerk accepted, from their receipt. */
      to_accept: Spread,
      to_hand_over: Spread,
      late: Count,
    }),
  ),
})
export type ClerkFigures = Type.Static<typeof ClerkFigures>

export const getDayFigures = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/today',
  summary:
    'The orders that were received on a day of the shop: by hour, decided, how fast, late and why. Ours, beside the specified calls',
  access: 'orders.read',
  params: ofMerchant,
  query: dayQuery,
  reply: DayFigures,
})
export const getClerkFigures = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/today/clerks',
  summary: 'The same orders by the clerk who decided first; for managers and owners',
  access: 'clerks.compare',
  params: ofMerchant,
  query: dayQuery,
  reply: ClerkFigures,
})

/** The most orders that a part of the shift's hand-over names; its number counts more. */
export const shiftNamesAtMost = 25
/** The same of its problems, which no list of the desk has. */
export const shiftProblemsAtMost = 200
/** The open orders that the page looks at, those that are due first. */
export const shiftLooksAtMost = 2_000

export const shiftProblems = ['needs_look', 'label_failed', 'courier_failed', 'courier_cancelled'] as const
export type ShiftProblem = (typeof shiftProblems)[number]

export const ShiftOrder = object({
  id: OrderId,
  recipient: Type.String(),
  method: Type.String(),
  group: Type.Enum(displayGroups),
  deadline_at: Timestamp,
  /** The clerk who has taken it. */
  taken_by: nullable(Type.String()),
  /** In the part of the problems. */
  problem: nullable(Type.Enum(shiftProblems)),
})
export type ShiftOrder = Type.Static<typeof ShiftOrder>
export const ShiftPart = object({
  total: Count,
  orders: Type.Array(ShiftOrder, { maxItems: shiftNamesAtMost }),
})
export type ShiftPart = Type.Static<typeof ShiftPart>

export const HeldOrder = object({
  id: OrderId,
  recipient: Type.String(),
  method: Type.String(),
  received_at: Timestamp,
  /** As the on-hold list shows it: the order's `status_comment`. */
  reason: nullable(Type.String()),
  /** The customer is asked about substitutes until then; of several questions, the last one. */
  answer_until: nullable(Timestamp),
  /** The clerk who has taken it. */
  taken_by: nullable(Type.String()),
})
export type HeldOrder = Type.Static<typeof HeldOrder>

const Shift = object({
  as_of: Timestamp,
  timezone: Type.String(),
  open: Count,
  on_hold: Count,
  /** Of the open orders. */
  groups: Type.Array(object({ group: Type.Enum(displayGroups), n: Count })),
  late: ShiftPart,
  soon: ShiftPart,
  /** Accepted parcels without a label. */
  waiting_for_label: ShiftPart,
  problems: object({
    total: Count,
    orders: Type.Array(ShiftOrder, { maxItems: shiftProblemsAtMost }),
  }),
  /** The orders on hold, the oldest first. */
  held: object({ total: Count, orders: Type.Array(HeldOrder, { maxItems: shiftNamesAtMost }) }),
  /** On the active tab or on hold. */
  clerks: Type.Array(object({ by: UserId, name: Type.String(), n: Count, orders: Type.Array(OrderId) })),
  /** More orders are open than the page has looked at: the late ones are all there, the parts count at least so many. */
  is_cut: Type.Boolean(),
  /** More orders are taken than the page has counted, clerk after clerk: the last clerks' may be missing. */
  is_taken_cut: Type.Boolean(),
})
export type Shift = Type.Static<typeof Shift>

export const getShift = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/shift',
  summary:
    'What one shift hands over to the next: open, late, soon due, waiting for a label, problems, on hold, and who has taken what. Ours',
  access: 'orders.read',
  params: ofMerchant,
  reply: Shift,
})
