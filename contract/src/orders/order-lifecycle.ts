import type { OrderFacts } from './order-guards.ts'
import {
  asList,
  isAllowed,
  merchantTable,
  readyToShip,
  type OrderAction,
  type Party,
  type Transition,
} from './merchant-transitions.ts'

export type { OrderAction, Party, Transition } from './merchant-transitions.ts'

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
  ...merchantTable,
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
  courier_pick_up: {
    id: 'T19',
    by: 'courier',
    from: readyToShip,
    to: 'MERCHANT_SHIPPED',
    guards: ['courier_requested'],
  },
  courier_fail: { id: 'T20', by: 'courier', from: readyToShip, guards: ['courier_requested'] },
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
  courier_bring_back: {
    id: 'T30',
    by: 'courier',
    from: ['MERCHANT_SHIPPED'],
    isBack: true,
    guards: ['courier_has_it'],
  },
} satisfies Record<OrderAction, Omit<Transition, 'action'>>

export const transitions: readonly Transition[] = asList(table)

/** The actions that a party may take on the order on the shop's day. Every button and every server check uses this. */
export function allowedTransitions(order: OrderFacts, by: Party, today: string): Transition[] {
  return transitions.filter((transition) => transition.by === by && isAllowed(transition, order, today))
}

export function findTransition(action: OrderAction): Transition {
  return { ...table[action], action }
}
