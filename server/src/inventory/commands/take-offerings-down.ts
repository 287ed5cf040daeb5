import type { Statements } from '#platform/db/database.ts'
import type { OfferingReference } from '../reads.ts'

interface TakingDown {
  readonly offerings: readonly OfferingReference[]
  /** The name of the clerk who found none, and the order for which they looked. */
  readonly by: string
  readonly orderId: string
}

/**
 * Offerings are not active until the next stock list that has them: found by their id, else by the shop's own number.
 * Answers how many were on sale until now.
 */
export async function takeOfferingsDown(
  { query }: Statements,
  merchantId: string,
  { offerings, by, orderId }: TakingDown,
): Promise<number> {
  if (offerings.length === 0) return 0
  const down = await query(
    `update offerings o set down_at = now(), down_by = $2, down_order_id = $3
     from unnest($4::text[], $5::text[]) as gone (id, sku)
     where o.merchant_id = $1 and o.down_at is null
       and (o.offering_id = gone.id or o.merchant_sku = gone.sku and not exists (
         select 1 from offerings other where other.merchant_id = $1 and other.offering_id = gone.id))
     returning o.offering_id`,
    [
      merchantId,
      by,
      orderId,
      offerings.map(({ id }) => id),
      offerings.map(({ merchant_sku: sku }) => sku ?? null),
    ],
  )
  return down.length
}
