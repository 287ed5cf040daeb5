import type { OrderStatus } from '@cellarhand/contract/order-statuses'
import { isPickable } from '@cellarhand/contract/judge-pick'

const putBack = 'Put its bottles back.'
const keep = 'Take no more bottles for it, and keep its tote.'
const why: Partial<Record<OrderStatus, string>> = {
  CANCELLED: `was cancelled. ${putBack}`,
  REFUNDED: `was refunded. ${putBack}`,
  MERCHANT_REJECTED: `was rejected. ${putBack}`,
  REJECTED_PARTIAL: `is on hold: a line was reported, and the marketplace has to answer. ${keep}`,
  PAYMENT_DECLINED: `is on hold: its payment was declined. ${keep}`,
  DISPUTED: `is on hold: its payment is disputed. ${keep}`,
}

/** Why no bottle can be picked for an order. */
export function stoppedWords({ id, status }: { id: string; status: OrderStatus }): string {
  return `#${id} ${why[status] ?? 'has left the shop already.'}`
}

interface Lacking {
  readonly id: string
  readonly status: OrderStatus
  /** Corrected lines can lack the one that the clerk looked at. */
  readonly hasLine: boolean
  readonly mayReject: boolean
}

/** Why a line without enough bottles cannot be reported, and what to do instead. */
export function unreportableWords({ id, status, hasLine, mayReject }: Lacking): string {
  if (!isPickable(status)) return stoppedWords({ id, status })
  if (!hasLine)
    return `The lines of #${id} have changed, and this one is not among them any more. Go on with those it has now.`
  const instead = `Ask a colleague for more of this bottle${mayReject ? ', or reject the whole order' : ''}.`
  return status === 'SUBMITTED'
    ? `This line of #${id} cannot be reported now. ${instead}`
    : `#${id} is accepted, so a single line cannot be reported any more. ${instead}`
}
