import { agreedOrder } from '@cellarhand/contract/agreed-order'
import { OrderStatusChange } from '@cellarhand/contract/marketplace'
import type { SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import { amountProblems, itemProblems, type LockedOrder } from '#orders/public.ts'
import { compileValidator, fieldErrors } from '#platform/http/validation.ts'

const checkBody = compileValidator({ schema: OrderStatusChange, httpPart: 'body' })

/**
 * Why the marketplace's call would refuse the order with this bottle. A substitute adds lines to the order, and the
 * stock list takes longer texts than an order's line: asked all the same, the customer would agree to an order that
 * nobody can resume.
 */
export function resumingProblem(
  order: LockedOrder['order'],
  offer: SubstituteOffer,
  offeringId: string,
): string | undefined {
  const others = (order.substitutes?.offers ?? []).filter(({ line_id: line }) => line !== offer.line_id)
  const { items, transaction } = agreedOrder(order, [
    ...others.map((other) => (other.state === 'offered' ? takenFirst(other) : other)),
    { ...offer, state: 'chosen', choice: offeringId },
  ])
  const checked = checkBody({ status: 'SUBMITTED', items, transaction })
  const problems =
    checked === true
      ? { ...itemProblems(items), ...amountProblems(items, transaction) }
      : fieldErrors(checked.error)
  const [first] = Object.entries(problems)
  if (first === undefined) return undefined
  const [field, problem] = first
  return `The marketplace could not take the order with this bottle (${field}: ${problem}). Offer another one, or ask the customer by phone.`
}

/** An answer to another question may still add its lines too. */
function takenFirst(offer: SubstituteOffer): SubstituteOffer {
  return { ...offer, state: 'chosen', choice: offer.offered[0]?.offering_id ?? null }
}
