import { usualSettings, type SubstituteSettings } from '@cellarhand/contract/substitutes'
import type { SubstituteOffer } from '@cellarhand/contract/substitute-fields'
import type { StoredOrder } from '#orders/public.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import { refusalOfClosed } from '#platform/http/refuse.ts'
import type { GivenLink } from './links.ts'

export async function getSettings({ query }: Statements, merchantId: string): Promise<SubstituteSettings> {
  const [row] = await query<SubstituteSettings>(
    'select minutes, silence from substitute_settings where merchant_id = $1',
    [merchantId],
  )
  return row ?? usualSettings
}

export interface OfferKey {
  readonly merchantId: string
  readonly orderId: string
  readonly offerId: string
}

/** An offer as the customer sees it. `over`: the order went on or ended. `late`: the time is over, and nobody has counted the silence yet. */
export interface CustomersOffer extends OfferKey {
  readonly offer: SubstituteOffer
  readonly state: SubstituteOffer['state'] | 'over' | 'late'
  readonly orderStatus: StoredOrder['status']
  /** The questions about other lines of the order that still wait for their answer. */
  readonly others: readonly SubstituteOffer[]
  readonly shop: string
  readonly timezone: string
}

interface OfferRow {
  readonly merchant_id: string
  readonly order_id: string
  readonly offer: string
  readonly state: SubstituteOffer['state'] | 'over'
  readonly choice: string | null
  readonly document: string
  readonly shop: string
  readonly timezone: string
  readonly moved_to: string | null
}

/**
 * The offer of a link that this server has signed, or whose digest the row has. Undefined when the offer is deleted
 * already; one whose shop has moved is refused with its new address.
 */
export async function findOffer(
  db: Database,
  { offerId, isSigned, digest }: GivenLink,
): Promise<CustomersOffer | undefined> {
  const [row] = await db.systemQuery<OfferRow>(
    `select f.merchant_id, f.order_id, f.offer, f.state, f.choice, o.document, m.name as shop, m.timezone,
       v.moved_to
     from substitute_offers f join merchants m using (merchant_id)
     join orders o on o.merchant_id = f.merchant_id and o.order_id = f.order_id
     left join merchant_moves v on v.merchant_id = f.merchant_id
     where f.offer_id = $1 and ($2 or f.link_hash = $3)`,
    [offerId, isSigned, digest],
  )
  if (row === undefined) return undefined
  if (row.moved_to !== null) throw refusalOfClosed({ movedTo: row.moved_to })
  const { merchant_id: merchantId, order_id: orderId, shop, timezone } = row
  const offer = { ...(JSON.parse(row.offer) as SubstituteOffer), choice: row.choice }
  const order = JSON.parse(row.document) as StoredOrder
  const isInTime = ({ until }: SubstituteOffer) => Date.parse(until) > db.clock.nowMs()
  const others = openOffersOf(order).filter((each) => each.id !== offerId && isInTime(each))
  const key = { merchantId, orderId, offerId, offer, orderStatus: order.status, others, shop, timezone }
  if (row.state !== 'offered') return { ...key, state: row.state }
  if (openOfferOf(order, offerId) === undefined) return { ...key, state: 'over' }
  return { ...key, state: isInTime(offer) ? 'offered' : 'late' }
}

function openOffersOf({ status, substitutes }: StoredOrder): SubstituteOffer[] {
  if (status !== 'REJECTED_PARTIAL') return []
  return substitutes?.offers.filter(({ state }) => state === 'offered') ?? []
}

/** The offer while the order still waits for its answer. */
export function openOfferOf(order: StoredOrder, offerId: string): SubstituteOffer | undefined {
  return openOffersOf(order).find(({ id }) => id === offerId)
}
