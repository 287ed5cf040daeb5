import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const shippingUpkeep: Upkeep = {
  stays: ['sandbox_parcels'],
  underWay: [
    `select from label_purchases where merchant_id = $1 and state in ('running', 'voiding') and lease_until > now()`,
  ],
  /** A label with a price may have been bought since, so it is checked like one whose answer was lost. */
  async afterRestore({ query }) {
    // Some quoted labels have been bought since.
    await query('delete from label_quotes')
    await query(
      `update shipping_labels l set state = 'buying', buying_since = now()
       from label_purchases p where p.merchant_id = l.merchant_id and p.purchase_id = l.purchase_id
         and p.state in ('running', 'in_doubt') and l.state = 'quoted' and l.shipment is not null`,
    )
  },
}
