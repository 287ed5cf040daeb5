import { actionLabels } from '@cellarhand/contract/decisions'
import { owesRestocking, restockingFee } from '@cellarhand/contract/door-checks'
import type { NewLineItem, NewTransaction } from '@cellarhand/contract/marketplace'
import { transitions, type OrderAction } from '@cellarhand/contract/order-lifecycle'
import { isLocal, statusFromWire } from '@cellarhand/contract/order-statuses'
import { findBottleFacts } from '#inventory/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { cancelledCourier } from '../document/courier-info.ts'
import { amountProblems, itemProblems, toLineItems, toTransaction } from '../document/order-lines.ts'
import { missingCheck } from '../document/order-duties.ts'
import { ownComment } from '../document/rejection-message.ts'
import type { StoredOrder } from '../document/stored-order.ts'
import type { OrderKey } from '../document/lock-order.ts'
import { moveOrder } from '../document/move-order.ts'
import type { Actor } from '../document/write-order.ts'

export interface MarketplaceChange {
  readonly status: string
  readonly comment?: string | null
  readonly items?: NewLineItem[] | null
  readonly transaction?: NewTransaction | null
}

function actionFor(wanted: string): OrderAction {
  const status = statusFromWire(wanted)
  const reachable = transitions.filter((transition) => transition.by === 'marketplace')
  const transition = reachable.find(({ to }) => to === status)
  if (status === undefined || transition === undefined) {
    const statuses = [...new Set(reachable.map(({ to }) => to))].join(', ')
    return refuse('validation_failed', { errors: { status: `Must be one of: ${statuses}` } })
  }
  return transition.action
}

/** The bottles must not be handed over any more: a courier who still came would carry off unpaid bottles. */
const endsPickup: readonly OrderAction[] = ['cancel', 'decline_payment']

/** Where the marketplace gives no comment, an earlier hold's would stay: the on-hold tab says why this one is there. */
const ownWords: Partial<Record<OrderAction, string | null>> = {
  decline_payment: actionLabels.decline_payment,
  dispute: actionLabels.dispute,
  resume: null,
}

/** Payment, cancellation, dispute, refund, or resuming a held order with corrected lines. */
export async function changeByMarketplace(
  statements: Statements,
  { actor, ...key }: OrderKey & { actor: Actor },
  change: MarketplaceChange,
): Promise<string> {
  const action = actionFor(change.status)
  const factsOf = await findBottleFacts(
    statements,
    key.merchantId,
    (change.items ?? []).flatMap(({ offering }) => offering ?? []),
  )
  return moveOrder(statements, { ...key, actor, action }, (order) => ({
    comment: change.comment ?? null,
    patch: {
      ...(action === 'cancel' && owesRestocking(order) ? { restocking_fee: restockingFee } : {}),
      ...(action === 'resume' ? resumed(order, change, factsOf) : {}),
      // Disputed on its way, it never had a closing that would have asked for the check.
      ...(action === 'settle_dispute' && isAtTheDoor(order) ? missingCheck(order) : {}),
      ...(endsPickup.includes(action) ? { courier_info: cancelledCourier(order) } : {}),
      ...(action in ownWords ? ownComment(ownWords[action] ?? null) : {}),
    },
    ...(action === 'resume' ? { details: { rejection_message: order.rejection_message } } : {}),
  }))
}

/** It left the shop for the door, and nobody has said that it changed hands. */
function isAtTheDoor({ delivery, delivery_info: handedOver }: StoredOrder): boolean {
  return isLocal(delivery.method) && handedOver === null
}

/** A held order resumes with the customer's agreed lines; the reports on it stay in its history. */
function resumed(
  order: StoredOrder,
  { items, transaction }: MarketplaceChange,
  factsOf: Parameters<typeof toLineItems>[1],
): Partial<StoredOrder> {
  if (!items || !transaction) {
    return refuse('validation_failed', {
      errors: {
        [items ? 'transaction' : 'items']: 'Resuming needs the corrected items and their transaction',
      },
    })
  }
  refuseInvalid({ ...itemProblems(items), ...amountProblems(items, transaction) })
  return {
    items: toLineItems(items, factsOf),
    transaction: toTransaction(transaction),
    rejection_message: null,
    printed_timestamp: order.printed_timestamp,
  }
}
