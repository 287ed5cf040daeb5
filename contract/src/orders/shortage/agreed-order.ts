import { toCents, toDollars } from '../../values/money.ts'
import type { Order } from '../orders.ts'
import { correctOrder, refundOf, type Correction, type Priced } from './corrected-order.ts'
import { missingByLine } from './missing-pieces.ts'
import type { OrderSubstitutes, Substitute, SubstituteOffer } from './substitute-fields.ts'

type Asked = Pick<Order, 'items' | 'transaction' | 'rejection_message'>

export function isAnswered({ state }: Pick<SubstituteOffer, 'state'>): boolean {
  return state === 'chosen' || state === 'declined' || state === 'silent'
}

/** The pieces of its line cannot change any more: the customer is asked about them, or has answered. */
export function isBinding(offer: Pick<SubstituteOffer, 'state'>): boolean {
  return offer.state === 'offered' || isAnswered(offer)
}

/** What the customer takes, of an offer that was answered or has ended. */
export function chosenOf({
  offered,
  choice,
}: SubstituteOffer): SubstituteOffer['offered'][number] | undefined {
  return offered.find(({ offering_id: id }) => id === choice)
}

/**
 * An order without its missing pieces, and with the substitutes that were chosen for them. Of a line whose offer is
 * still open nothing is replaced yet.
 */
export function agreedOrder(order: Asked, offers: readonly SubstituteOffer[]): Priced {
  const corrections = [...missingByLine(order)].map(([lineId, missing]): [string, Correction] => {
    const offer = offers.find((each) => each.line_id === lineId && each.missing === missing)
    const chosen = offer && isAnswered(offer) ? chosenOf(offer) : undefined
    if (offer === undefined || chosen === undefined) return [lineId, { missing }]
    const { line, price } = chosen
    return [lineId, { missing, replacement: { id: `s-${offer.id}`, priceCents: toCents(price), line } }]
  })
  return correctOrder(order, new Map(corrections))
}

/** The order's `substitutes` with these offers. */
export function substitutesOf(order: Asked, offers: readonly SubstituteOffer[]): OrderSubstitutes {
  if (!offers.some(isAnswered)) return { offers: [...offers] }
  const { items, transaction } = agreedOrder(order, offers)
  return {
    offers: [...offers],
    agreed: { items, transaction, refund: toDollars(refundOf(order, { items, transaction })) },
  }
}

/** What silence chooses by the shop's setting. A dearer bottle needs the customer's own yes. */
export function silentChoice({
  silence,
  offered,
}: Pick<SubstituteOffer, 'silence' | 'offered'>): string | null {
  if (silence !== 'take_first') return null
  return offered.find(({ difference }) => difference <= 0)?.offering_id ?? null
}

/** "12 Year Single Malt (750 mL)": a bottle that is offered may have the name of another size. */
export function titleOfSubstitute({ line }: Pick<Substitute, 'line'>): string {
  const size = line.product?.container_size
  return size ? `${line.name} (${size})` : line.name
}
