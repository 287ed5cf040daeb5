import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const substitutesUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'substitute_offers',
      key: 'merchant_id, offer_id',
      which: "created_at < now() - interval '30 days'",
    },
  ],
  underWay: ['select from substitute_offers where merchant_id = $1 and text_due_at is not null'],
  // Probably sent already. If not, the offer ends as unreached at its time.
  async afterRestore({ query }) {
    await query('update substitute_offers set text_due_at = null where text_due_at is not null')
  },
}
