import { isFinishedForMerchant, isLocal } from '@cellarhand/contract/order-statuses'
import type { OrderAction } from '@cellarhand/contract/order-lifecycle'
import type { Icon } from '@tabler/icons-react'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconHomeCheck from '@tabler/icons-react/dist/esm/icons/IconHomeCheck.mjs'
import IconPackageExport from '@tabler/icons-react/dist/esm/icons/IconPackageExport.mjs'
import IconTruckDelivery from '@tabler/icons-react/dist/esm/icons/IconTruckDelivery.mjs'
import { useHasCarrier } from '#merchants/public.ts'
import type { Order } from '@cellarhand/contract/orders'
import { allowedActions } from '../state/allowed-actions.ts'

/** The dialogs in which a clerk takes an order further, or looks at it more closely. */
export type Step =
  | 'review'
  | 'accept'
  | 'reject'
  | 'track'
  | 'deliver'
  | 'labels'
  | 'courier'
  | 'courier_details'
  | 'address'

export interface StepDialogProps {
  order: Order
  /** The dialog that the clerk left for this one, or the decision on another order after which it opened by itself. */
  from?: Step | 'decision' | undefined
  onClose: () => void
  /** Continues in another dialog, as REJECT does in Accept & Confirm. */
  onStep: (step: Step) => void
}

export interface NextStep {
  step: Step
  label: string
  /** In a row; part of the label. */
  short?: string
  icon: Icon
}

/** A courier who was asked for comes before a way of the shop's own: two would go to one door. */
const steps: readonly (NextStep & { action: OrderAction })[] = [
  { action: 'accept', step: 'accept', label: 'Accept', icon: IconCheck },
  { action: 'buy_labels', step: 'labels', label: 'Buy Label', icon: IconPackageExport },
  {
    action: 'cancel_courier',
    step: 'courier_details',
    label: 'Follow Courier',
    short: 'Follow',
    icon: IconTruckDelivery,
  },
  {
    action: 'request_courier',
    step: 'courier',
    label: 'Request Pickup',
    short: 'Pickup',
    icon: IconTruckDelivery,
  },
  {
    action: 'save_tracking',
    step: 'track',
    label: 'Add Tracking',
    short: 'Tracking',
    icon: IconPackageExport,
  },
  { action: 'send_out', step: 'deliver', label: 'Deliver', icon: IconTruckDelivery },
  { action: 'deliver', step: 'deliver', label: 'Mark Delivered', short: 'Delivered', icon: IconHomeCheck },
]

/** The next steps of the order, the likeliest first. Without a carrier account no label can be bought. */
export function stepsOf(order: Order, hasCarrier: boolean): readonly NextStep[] {
  const actions = allowedActions(order)
  const allowed = steps.filter(({ action }) => actions.has(action))
  return !hasCarrier && allowed[0]?.step === 'labels' ? allowed.toReversed() : allowed
}

/** A list's rows are too many to ask for the account each. */
export function useSteps(order: Order): readonly NextStep[] {
  return stepsOf(order, useHasCarrier())
}

/** The order view is read-only: over for the merchant, or in a carrier's hands (GAP-96). */
export function isCompletedFlagged({ status, delivery }: Order): boolean {
  return isFinishedForMerchant(status) || (status === 'MERCHANT_SHIPPED' && !isLocal(delivery.method))
}
