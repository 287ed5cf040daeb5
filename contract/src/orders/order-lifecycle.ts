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
  /** Returns the order to the status before its hand-over, which its history knows. */
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
 * An order's whole life after its creation (T01). The server enforces this table and takes each status from it alone,
 * the dashboard draws its buttons from it, the tests walk it. Ids are those of the state machine in docs/requirements.md.
 */
const table = {
  accept: {
    id: 'T03',
    by: 'merchant',
    from: ['SUBMITTED'],
    to: 'MERCHANT_ACCEPTED',
    guards: ['nothing_forbids'],
  },
  reject: {
    id: 'T05',
    by: 'merchant',
    from: ['SUBMITTED', ...readyToShip, 'PAYMENT_DECLINED', 'REJECTED_PARTIAL'],
    to: 'MERCHANT_REJECTED',
    guards: ['whole_rejectable'],
  },
  report_items: {
    id: 'T06',
    by: 'merchant',
    from: ['SUBMITTED', 'REJECTED_PARTIAL'],
    to: 'REJECTED_PARTIAL',
    guards: [],
  },
  reject_partly: {
    id: 'T09',
    by: 'merchant',
    from: ['SUBMITTED', 'REJECTED_PARTIAL'],
    to: 'REJECTED_PARTIAL',
    guards: ['some_items_reported'],
  },
  resume: { id: 'T10', by: 'marketplace', from: ['REJECTED_PARTIAL'], to: 'SUBMITTED', guards: [] },
  submit_payment: {
    id: 'T11',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED'],
    to: 'PAYMENT_SUBMITTED',
    guards: [],
  },
  approve_payment: {
    id: 'T12',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_DECLINED'],
    to: 'PAYMENT_APPROVED',
    guards: [],
  },
  decline_payment: {
    id: 'T13',
    by: 'marketplace',
    from: ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED'],
    to: 'PAYMENT_DECLINED',
    guards: [],
  },
  buy_labels: {
    id: 'T14',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['carrier_order', 'presale_ready', 'nothing_forbids'],
  },
  save_tracking: {
    id: 'T15',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['carrier_order', 'presale_ready', 'nothing_forbids'],
  },
  send_out: {
    id: 'T16',
    by: 'merchant',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['local_order', 'presale_ready', 'nothing_forbids'],
  },
  request_courier: {
    id: 'T17',
    by: 'merchant',
    from: readyToShip,
    guards: ['local_order', 'presale_ready', 'courier_estimated', 'no_live_courier', 'nothing_forbids'],
  },
  refresh_courier: {
    id: 'T18',
    by: 'merchant',
    from: ['MERCHANT_ACCEPTED'],
    guards: ['courier_requested'],
  },
  courier_pick_up: {
    id: 'T19',
    by: 'courier',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['courier_requested'],
  },
  courier_fail: { id: 'T20', by: 'courier', from: readyToShip, guards: ['courier_requested'] },
  deliver: {
    id: 'T21',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['local_order', 'nothing_forbids'],
  },
  courier_deliver: {
    id: 'T22',
    by: 'courier',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['courier_requested'],
  },
  carrier_deliver: {
    id: 'T23',
    by: 'carrier',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['carrier_order'],
  },
  cancel: { id: 'T24', by: 'marketplace', from: beforeClosed, to: 'CANCELLED', guards: [] },
  dispute: {
    id: 'T25',
    by: 'marketplace',
    from: ['MERCHANT_SHIPPED', 'CLOSED'],
    to: 'DISPUTED',
    guards: [],
  },
  settle_dispute: { id: 'T26', by: 'marketplace', from: ['DISPUTED'], to: 'CLOSED', guards: [] },
  refund: {
    id: 'T27',
    by: 'marketplace',
    from: ['CLOSED', 'DISPUTED', 'CANCELLED', 'MERCHANT_REJECTED'],
    to: 'REFUNDED',
    guards: [],
  },
  cancel_courier: {
    id: 'T28',
    by: 'merchant',
    from: readyToShip,
    guards: ['local_order', 'live_courier'],
  },
  bring_back: {
    id: 'T29',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['local_order'],
  },
  courier_bring_back: {
    id: 'T30',
    by: 'courier',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['courier_has_it'],
  },
  void_labels: {
    id: 'T31',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['carrier_order'],
  },
  correct_tracking: {
    id: 'T32',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    guards: ['carrier_order'],
  },
  correct_address: {
    id: 'T33',
    by: 'merchant',
    from: ['SUBMITTED', ...readyToShip],
    // A courier under way drives to the address that it was given.
    guards: ['no_live_courier'],
  },
} satisfies Record<OrderAction, Omit<Transition, 'action'>>

export const transitions: readonly Transition[] = Object.entries(table).map(([action, row]) => ({
  ...row,
  action: action as OrderAction,
}))

/** The actions that a party may take on the order on the shop's day. Every button and every server check uses this. */
export function allowedTransitions(order: OrderFacts, by: Party, today: string): Transition[] {
  return transitions.filter(
    (transition) =>
      transition.by === by &&
      transition.from.includes(order.status) &&
      transition.guards.every((guard) => guardHolds(guard, order, today)),
  )
}

export function findTransition(action: OrderAction): Transition {
  return { ...table[action], action }
}
