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
  // The customer may have answered since the backup. So silence counts no more: at its time each offer ends as unreached.
  async afterRestore({ query }) {
    await query(
      `update substitute_offers set text_due_at = null, told_at = null, mail_id = null where state = 'offered'`,
    )
  },
}
