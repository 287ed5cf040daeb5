import { guardHolds, type Guard, type OrderFacts } from './order-guards.ts'
import type { OrderStatus } from './order-statuses.ts'

export type Party = 'merchant' | 'marketplace' | 'courier' | 'carrier'

export type OrderAction =
  | 'accept'
  | 'reject'
  | 'report_items'
  | 'reject_partly'
  | 'resume'
  | 'submit_payment'
  | 'approve_payment'
  | 'decline_payment'
  | 'buy_labels'
  | 'save_tracking'
  | 'send_out'
  | 'request_courier'
  | 'refresh_courier'
  | 'courier_pick_up'
  | 'courier_fail'
  | 'deliver'
  | 'courier_deliver'
  | 'cancel_courier'
  | 'bring_back'
  | 'courier_bring_back'
  | 'carrier_deliver'
  | 'cancel'
  | 'dispute'
  | 'settle_dispute'
  | 'refund'
  | 'void_labels'
  | 'correct_tracking'
  | 'correct_address'

export interface Transition {
  readonly id: string
  readonly action: OrderAction
  readonly by: Party
  readonly from: readonly OrderStatus[]
  /** Undefined: the order changes, its status does not. */
  readonly to?: OrderStatus
  /** Back to the status that the order was handed over from, which its history knows. */
  readonly isBack?: true
  readonly guards: readonly Guard[]
}

const readyToShip = ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_APPROVED'] as const
const beforeClosed = [
  'SUBMITTED',
  ...readyToShip,
  'PAYMENT_DECLINED',
  'REJECTED_PARTIAL',
  'MERCHANT_SHIPPED',
] as const

/**
 * An order's whole life after its creation (T01). The server enforces this table, the dashboard draws its
 * buttons from it, the tests walk it. Ids are those of the state machine in docs/requirements.md.
 */
export const transitions: readonly Transition[] = [
  { id: 'T03', action: 'accept', by: 'merchant', from: ['SUBMITTED'], to: 'MERCHANT_ACCEPTED', guards: [] },
  {
    id: 'T05',
    action: 'reject',
    by: 'merchant',
    from: ['SUBMITTED', ...readyToShip, 'PAYMENT_DECLINED', 'REJECTED_PARTIAL'],
    to: 'MERCHANT_REJECTED',
    guards: ['not_some_items_reported'],
  },
  {
    id: 'T06',
    action: 'report_items',
    by: 'merchant',
    from: ['SUBMITTED', 'REJECTED_PARTIAL'],
    to: 'REJECTED_PARTIAL',
    guards: [],
  },
  {
    id: 'T09',
    action: 'reject_partly',
    by: 'merchant',
    from: ['SUBMITTED', 'REJECTED_PARTIAL'],
    to: 'REJECTED_PARTIAL',
    guards: ['some_items_reported'],
  },
  { id: 'T10', action: 'resume', by: 'marketplace', from: ['REJECTED_PARTIAL'], to: 'SUBMITTED', guards: [] },
  {
    id: 'T11',
    action: 'submit_payment',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED'],
    to: 'PAYMENT_SUBMITTED',
    guards: [],
  },
  {
    id: 'T12',
    action: 'approve_payment',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_DECLINED'],
    to: 'PAYMENT_APPROVED',
    guards: [],
  },
  {
    id: 'T13',
    action: 'decline_payment',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED'],
    to: 'PAYMENT_DECLINED',
    guards: [],
  },
  {
    id: 'T14',
    action: 'buy_labels',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['carrier_order', 'presale_ready'],
  },
  {
    id: 'T15',
    action: 'save_tracking',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['carrier_order', 'presale_ready'],
  },
  {
    id: 'T16',
    action: 'send_out',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['local_order'],
  },
  {
    id: 'T17',
    action: 'request_courier',
    by: 'merchant',
    from: readyToShip,
    guards: ['local_order', 'courier_estimated', 'no_live_courier'],
  },
  {
    id: 'T18',
    action: 'refresh_courier',
    by: 'merchant',
    from: ['MERCHANT_ACCEPTED'],
    guards: ['courier_requested'],
  },
  {
    id: 'T19',
    action: 'courier_pick_up',
    by: 'courier',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['courier_requested'],
  },
  { id: 'T20', action: 'courier_fail', by: 'courier', from: readyToShip, guards: ['courier_requested'] },
  {
    id: 'T21',
    action: 'deliver',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['local_order'],
  },
  {
    id: 'T22',
    action: 'courier_deliver',
    by: 'courier',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['courier_requested'],
  },
  {
    id: 'T23',
    action: 'carrier_deliver',
    by: 'carrier',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['carrier_order'],
  },
  { id: 'T24', action: 'cancel', by: 'marketplace', from: beforeClosed, to: 'CANCELLED', guards: [] },
  {
    id: 'T25',
    action: 'dispute',
    by: 'marketplace',
    from: ['MERCHANT_SHIPPED', 'CLOSED'],
    to: 'DISPUTED',
    guards: [],
  },
  { id: 'T26', action: 'settle_dispute', by: 'marketplace', from: ['DISPUTED'], to: 'CLOSED', guards: [] },
  {
    id: 'T27',
    action: 'refund',
    by: 'marketplace',
    from: ['CLOSED', 'DISPUTED', 'CANCELLED', 'MERCHANT_REJECTED'],
    to: 'REFUNDED',
    guards: [],
  },
  {
    id: 'T28',
    action: 'cancel_courier',
    by: 'merchant',
    from: readyToShip,
    guards: ['local_order', 'live_courier'],
  },
  {
    id: 'T29',
    action: 'bring_back',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['local_order'],
  },
  {
    id: 'T30',
    action: 'courier_bring_back',
    by: 'courier',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['courier_has_it'],
  },
  {
    id: 'T31',
    action: 'void_labels',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['carrier_order'],
  },
  {
    id: 'T32',
    action: 'correct_tracking',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    guards: ['carrier_order'],
  },
  {
    id: 'T33',
    action: 'correct_address',
    by: 'merchant',
    from: ['SUBMITTED', ...readyToShip],
    guards: [],
  },
]

/** What a party may do with the order now: the source of every button and of every server check. */
export function allowedTransitions(order: OrderFacts, by: Party, nowMs: number): Transition[] {
  return transitions.filter(
    (transition) =>
      transition.by === by &&
      transition.from.includes(order.status) &&
      transition.guards.every((guard) => guardHolds(guard, order, nowMs)),
  )
}

export function findTransition(action: OrderAction): Transition {
  const found = transitions.find((transition) => transition.action === action)
  if (!found) throw new Error(`No transition for ${action}`)
  return found
}
