import type { Upkeep } from '#platform/upkeep/upkeep.ts'

/** Silence counts no more: at its time each of these offers ends as unreached. An answer still counts. */
const unreachable = `update substitute_offers set text_due_at = null, told_at = null, mail_id = null where state = 'offered'`

export const substitutesUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'substitute_offers',
      key: 'merchant_id, offer_id',
      which: "created_at < now() - interval '30 days'",
    },
  ],
  underWay: ['select from substitute_offers where merchant_id = $1 and text_due_at is not null'],
  secrets: [{ table: 'substitute_offers', column: 'link_hash' }],
  // The link leads to the old cell, which may be gone by then. News that the message did not arrive goes there, too.
  async afterArrival({ query }, merchantId) {
    await query(`${unreachable} and merchant_id = $1`, [merchantId])
    return undefined
  },
  // The customer may have answered since the backup.
  async afterRestore({ query }) {
    await query(unreachable)
  },
}
