import type { LabelCarrier } from '@cellarhand/contract/carriers'
import { isUspsParcel } from '@cellarhand/contract/usps-parcels'
import { trackingProblems } from '@cellarhand/contract/validation'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { getCarrierTerms } from './order-duties.ts'
import type { StoredOrder } from './stored-order.ts'

/** The carriers' own tracking pages (GAP-61). */
const trackingPages: Readonly<Record<LabelCarrier, (code: string) => string>> = {
  FedEx: (code) => `https://www.fedex.com/fedextrack/?trknbr=${encodeURIComponent(code)}`,
  UPS: (code) => `https://www.ups.com/track?tracknum=${encodeURIComponent(code)}`,
  GSO: (code) => `https://www.gls-us.com/track-a-package?trackingnumbers=${encodeURIComponent(code)}`,
}

/** The carrier's own page about a parcel; null for a carrier without a known page. */
export function trackingPageOf(carrier: string, code: string): string | null {
  return Object.hasOwn(trackingPages, carrier) ? trackingPages[carrier as LabelCarrier](code) : null
}

interface TypedTracking {
  readonly tracking_provider?: string | null | undefined
  readonly tracking_id?: string | null | undefined
  readonly tracking_url?: string | null | undefined
  readonly other_tracking_provider?: string | null | undefined
}

/** shipment_info decides; the order-level fields repeat its first entry (GAP-60). */
export function trackingPatch(typed: TypedTracking): Partial<StoredOrder> {
  const fields = {
    tracking_provider: typed.tracking_provider ?? '',
    tracking_id: typed.tracking_id ?? '',
    tracking_url: typed.tracking_url,
    other_tracking_provider: typed.other_tracking_provider,
  }
  refuseInvalid(trackingProblems(fields))
  const code = fields.tracking_id.replaceAll(/\s/g, '')
  const isOther = fields.tracking_provider === 'OTHER'
  const url = trackingPageOf(fields.tracking_provider, code) ?? fields.tracking_url?.trim() ?? null
  const otherName = isOther ? (fields.other_tracking_provider?.trim() ?? null) : null
  return {
    tracking_provider: fields.tracking_provider,
    tracking_id: code,
    tracking_url: url,
    other_tracking_provider: otherName,
    shipment_info: [
      { carrier: otherName ?? fields.tracking_provider, tracking_url: url, tracking_code: code },
    ],
  }
}

/** A typed parcel is one like a bought one: a rule that denies the carrier, or the one at the door, refuses it. */
export async function requireAllowedCarrier(
  statements: Statements,
  merchantId: string,
  { order, patch }: { order: StoredOrder; patch: Partial<StoredOrder> },
): Promise<void> {
  const [parcel] = patch.shipment_info ?? []
  if (parcel === undefined) return
  const { carrier, tracking_code: number, tracking_url: page } = parcel
  const own = (await getCarrierTerms(statements, merchantId, { order, carrier })).forbidden
  if (own !== undefined) refuse('service_forbidden', { message: own, errors: { tracking_provider: own } })
  if (!isUspsParcel({ carrier, number, page })) return
  const { forbidden } = await getCarrierTerms(statements, merchantId, { order, carrier: 'USPS' })
  if (forbidden === undefined) return
  const message = `${forbidden} ${number} is a parcel of USPS.`
  refuse('service_forbidden', { message, errors: { tracking_id: message } })
}
