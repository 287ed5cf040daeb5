import { chosenOf, isBinding, titleOfSubstitute } from '@cellarhand/contract/agreed-order'
import { formatDollars } from '@cellarhand/contract/money'
import type { Order } from '@cellarhand/contract/orders'
import type { SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import { untilWords } from '#lib/time/until-words.ts'

export type Offer = SubstituteOffer

/** The last question about substitutes for a line. */
export function offerFor(order: Order, lineId: string): Offer | undefined {
  return order.substitutes?.offers.find(({ line_id: id }) => id === lineId)
}

/** The customer may be asked: nobody waits for an answer about this line, and there is none. */
export function canOffer(order: Order, lineId: string): boolean {
  const isMissing = order.shortage?.lines.some(({ line_id: id }) => id === lineId) ?? false
  return order.status === 'REJECTED_PARTIAL' && isMissing && !isBound(order, lineId)
}

/** The customer is asked about the line's pieces, or has answered: no more of them can be reported. */
export function isBound(order: Order, lineId: string): boolean {
  const offer = offerFor(order, lineId)
  return offer !== undefined && isBinding(offer)
}

/** "$2.50 more", "Same price". */
export function differenceWords(difference: number): string {
  if (difference === 0) return 'Same price'
  return `${formatDollars(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'}`
}

/** How it stands with the customer's answer; undefined when there is nothing to say. */
export function offerWords(offer: Offer, timezone: string): string | undefined {
  const chosen = chosenOf(offer)
  const taken =
    chosen && `${offer.missing} × ${titleOfSubstitute(chosen)}, ${formatDollars(chosen.price)} each`
  switch (offer.state) {
    case 'offered':
      return `Offered ${offer.offered.map(titleOfSubstitute).join(' or ')}; the customer has until ${untilWords(offer.until, timezone)}`
    case 'chosen':
      return `The customer takes ${taken}`
    case 'declined':
      return 'The customer wants no substitute: refund'
    case 'silent':
      return taken ? `No answer from the customer: ${taken}` : 'No answer from the customer: refund'
    case 'unreached':
      return 'The message about substitutes did not reach the customer'
    case 'withdrawn':
      return undefined
  }
}

/**
 * "Agreed total $128.70, $5.50 more" and what the marketplace does then; undefined before an answer. Without a line an
 * order has nothing to correct: its sums would be its fees alone.
 */
export function agreedWords({ substitutes }: Order): string | undefined {
  if (substitutes?.agreed === undefined) return undefined
  const { items, refund, transaction } = substitutes.agreed
  if (items.length === 0)
    return substitutes.offers.some(({ state }) => state === 'offered')
      ? 'No bottle is agreed so far. The customer still has to answer.'
      : 'No bottle of this order is left. The marketplace cancels it.'
  const change = refund === 0 ? 'the same' : differenceWords(-refund).toLowerCase()
  return `Agreed total ${formatDollars(transaction.total)}, ${change}. The marketplace sends the corrected order.`
}
