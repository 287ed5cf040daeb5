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

export const readyToShip = ['MERCHANT_ACCEPTED', 'PAYMENT_SUBMITTED', 'PAYMENT_APPROVED'] as const

/** What the merchant may do. Apart from the other parties' actions, which no first screen needs. */
export const merchantTable = {
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
  deliver: {
    id: 'T21',
    by: 'merchant',
    from: ['MERCHANT_SHIPPED'],
    to: 'CLOSED',
    guards: ['local_order', 'nothing_forbids'],
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
} satisfies Partial<Record<OrderAction, Omit<Transition, 'action'>>>

export function asList(table: Partial<Record<OrderAction, Omit<Transition, 'action'>>>): Transition[] {
  return Object.entries(table).map(([action, row]) => ({ ...row, action: action as OrderAction }))
}

const ofMerchant = asList(merchantTable)

/** The actions that the merchant may take on the order on the shop's day. Every button of the dashboard uses this. */
export function allowedToMerchant(order: OrderFacts, today: string): Transition[] {
  return ofMerchant.filter((transition) => isAllowed(transition, order, today))
}

export function isAllowed({ from, guards }: Transition, order: OrderFacts, today: string): boolean {
  return from.includes(order.status) && guards.every((guard) => guardHolds(guard, order, today))
}
