import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const merchantsUpkeep: Upkeep = {
  /** Somebody may have seen versions that came after the backup. */
  async afterRestore({ query }, { leastVersion }) {
    await query(
      `update merchants m set least_version = case when told.last < $1 then $1 else told.last + 1000 end
       from (select n.merchant_id, greatest(n.least_version, max(h.version)) as last
         from merchants n left join order_history h using (merchant_id) group by n.merchant_id) told
       where told.merchant_id = m.merchant_id`,
      [leastVersion],
    )
  },
}
