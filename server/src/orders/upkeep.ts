import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { checkFieldsPurpose } from './document/age-check-fields.ts'

export const ordersUpkeep: Upkeep = {
  stays: ['order_presence'],
  async afterArrival({ query }, merchantId) {
    const [taken] = await query<{ order_id: string }>(
      `select own.order_id from orders own join orders other on other.order_id = own.order_id and other.merchant_id <> $1
       where own.merchant_id = $1 limit 1`,
      [merchantId],
    )
    if (taken !== undefined)
      return `Order ${taken.order_id} has a number that another merchant’s order has here. Both cells gave the same numbers: give each its own with number-orders before its first order.`
    const [miscounted] = await query<{ tab: string }>(
      `select coalesce(c.tab, o.tab) as tab
       from (select tab, display_group, delivery_method, application_ref, n, looks from order_counts where merchant_id = $1 and n <> 0) c
       full join (
         select tab, display_group, delivery_method, application_ref, count(*)::int as n, (count(*) filter (where needs_look))::int as looks
         from orders where merchant_id = $1 group by 1, 2, 3, 4
       ) o using (tab, display_group, delivery_method, application_ref)
       where (c.n, c.looks) is distinct from (o.n, o.looks) limit 1`,
      [merchantId],
    )
    if (miscounted !== undefined)
      return `The kept counts of the tab "${miscounted.tab}" are not those of the orders that came. Please export the merchant again.`
    return undefined
  },
  sweeps: [
    {
      table: 'order_alarms',
      key: 'merchant_id, order_id, kind',
      which: "raised_at < now() - interval '7 days'",
    },
    { table: 'order_presence', key: 'merchant_id, user_id, screen', which: 'expires_at < now()' },
  ],
  sealedColumns: [
    {
      table: 'age_check_fields',
      keys: ['merchant_id', 'order_id', 'checked_at'],
      column: 'fields_sealed',
      purpose: checkFieldsPurpose,
    },
  ],
  purges: [{ kind: 'fields of an ID check', of: 'id_fields', table: 'age_check_fields', at: 'checked_at' }],
}
