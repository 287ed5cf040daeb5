import { createHash } from 'node:crypto'
import type { Statements } from '#platform/db/database.ts'
import type { MerchantStep } from '#orders/public.ts'
import type { LabelWish, Quote } from '../port/shipping-port.ts'
import type { Plan } from './begin-purchase.ts'

/** A rate is bought as it was quoted for so long. A carrier's prices change by the day. */
const kept = `interval '15 minutes'`

interface Asked {
  readonly orderId: string
  /** Unique for each time that the boxes are quoted. */
  readonly attempt: string
  readonly box: { readonly number: number; readonly count: number }
  readonly weightPounds: number
}

export function wishOf(
  { account, from, to, timezone, allowed, denied }: Plan,
  { orderId, attempt, box, weightPounds }: Asked,
): LabelWish {
  return {
    reference: `${orderId}:${attempt}:${box.number}`,
    orderNumber: orderId,
    box,
    carrier: account.carrier,
    account: account.provider_account,
    from,
    to,
    weightPounds,
    size: account.label_size,
    format: account.label_format,
    timezone,
    allowed,
    denied,
  }
}

function digestOf(wish: LabelWish): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...wish, reference: null }))
    .digest('base64url')
}

type OfOrder = Pick<MerchantStep, 'merchantId' | 'orderId'>

/** Replaces the box's earlier quote, and forgets the merchant's quotes that are too old to be bought. */
export async function keepQuote(
  { query }: Statements,
  { merchantId, orderId }: OfOrder,
  { wish, quote }: { wish: LabelWish; quote: Quote },
): Promise<void> {
  await query(
    `delete from label_quotes where (merchant_id, order_id, box) in (
       select merchant_id, order_id, box from label_quotes
       where merchant_id = $1 and quoted_at < now() - ${kept} for update skip locked)`,
    [merchantId],
  )
  const { shipment, rate, cents, service } = quote
  await query(
    `insert into label_quotes (merchant_id, order_id, box, wish, shipment, rate, price_cents, carrier, service)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (merchant_id, order_id, box) do update set wish = excluded.wish, shipment = excluded.shipment,
       rate = excluded.rate, price_cents = excluded.price_cents, carrier = excluded.carrier, service = excluded.service,
       quoted_at = excluded.quoted_at`,
    [
      merchantId,
      orderId,
      wish.box.number,
      digestOf(wish),
      shipment,
      rate,
      cents,
      service?.carrier ?? null,
      service?.service ?? null,
    ],
  )
}

/** The quote for exactly this wish. It is gone then: no second purchase can take the same shipment. */
export async function takeQuote(
  { query }: Statements,
  { merchantId, orderId }: OfOrder,
  wish: LabelWish,
): Promise<Quote | undefined> {
  const [row] = await query<{
    shipment: string
    rate: string
    price_cents: number
    carrier: string | null
    service: string | null
  }>(
    `delete from label_quotes
     where merchant_id = $1 and order_id = $2 and box = $3 and wish = $4 and quoted_at >= now() - ${kept}
     returning shipment, rate, price_cents, carrier, service`,
    [merchantId, orderId, wish.box.number, digestOf(wish)],
  )
  if (row === undefined) return undefined
  const { shipment, rate, price_cents: cents, carrier, service } = row
  return {
    shipment,
    rate,
    cents,
    ...(carrier === null || service === null ? {} : { service: { carrier, service } }),
  }
}
