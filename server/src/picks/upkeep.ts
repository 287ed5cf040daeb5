import type { Upkeep } from '#platform/upkeep/upkeep.ts'

/** What was picked is in the order's history. The pieces serve the page alone, and no order is picked for so long. */
export const picksUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'picks',
      key: 'merchant_id, order_id, line_id, piece',
      which: "picked_at < now() - interval '60 days'",
    },
  ],
}
