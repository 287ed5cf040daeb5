import { substitutesOf } from '@cellarhand/contract/agreed-order'
import type { SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import { lockOrder, writeChange, type Actor, type LockedOrder } from '#orders/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { openOfferOf, type OfferKey } from './reads.ts'

export const customer: Actor = { kind: 'system', id: null, name: 'Customer' }
export const shopSettings: Actor = { kind: 'system', id: null, name: 'The shop’s settings' }

interface OfferChange {
  readonly locked: LockedOrder
  readonly offer: SubstituteOffer
  readonly action: string
  readonly actor: Actor
  readonly comment: string
  readonly details?: unknown
}

/** Writes an offer into its order: in the place of the last one for the same line. */
export async function writeOffer(
  statements: Statements,
  merchantId: string,
  { locked, offer, ...change }: OfferChange,
): Promise<string> {
  const { order } = locked
  const others = (order.substitutes?.offers ?? []).filter(({ line_id: line }) => line !== offer.line_id)
  return writeChange(statements, merchantId, {
    locked,
    change: { ...change, patch: { substitutes: substitutesOf(order, [...others, offer]) } },
  })
}

/** Both rows locked, the order's first; undefined when the offer is not open any more. */
export async function lockOpenOffer(
  statements: Statements,
  { merchantId, orderId, offerId }: OfferKey,
): Promise<{ locked: LockedOrder; offer: SubstituteOffer } | undefined> {
  const locked = await lockOrder(statements, { merchantId, orderId })
  const [row] = await statements.query(
    `select 1 from substitute_offers
     where merchant_id = $1 and offer_id = $2 and order_id = $3 and state = 'offered' for update`,
    [merchantId, offerId, orderId],
  )
  if (row === undefined) return undefined
  const offer = openOfferOf(locked.order, offerId)
  if (offer !== undefined) return { locked, offer }
  await closeRow(statements, { merchantId, offerId }, { state: 'over', choice: null })
  return undefined
}

export async function closeRow(
  { query }: Statements,
  { merchantId, offerId }: Pick<OfferKey, 'merchantId' | 'offerId'>,
  { state, choice }: { state: SubstituteOffer['state'] | 'over'; choice: string | null },
): Promise<void> {
  await query(
    `update substitute_offers set state = $3, choice = $4, text_due_at = null, number = null, email = null
     where merchant_id = $1 and offer_id = $2`,
    [merchantId, offerId, state, choice],
  )
}

export function ended(
  { clock }: Statements,
  offer: SubstituteOffer,
  { state, choice }: Pick<SubstituteOffer, 'state' | 'choice'>,
): SubstituteOffer {
  return { ...offer, state, choice, ended_at: new Date(clock.nowMs()).toISOString() }
}
