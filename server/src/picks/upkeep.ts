import type { Upkeep } from '#platform/upkeep/upkeep.ts'

/** Whether the order's history has had an entry since the piece of that row was picked. */
export const notedPick = `exists (select from order_history h
  where h.merchant_id = picks.merchant_id and h.order_id = picks.order_id and h.action = 'pick' and h.at >= picks.picked_at)`

/**
 * The order's history names the picked bottles, and no order is picked for so long: the pieces serve the page alone
 * then. A piece that no history names stays.
 */
export const picksUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'picks',
      key: 'merchant_id, order_id, line_id, piece',
      which: `picked_at < now() - interval '60 days' and ${notedPick}`,
    },
  ],
}
