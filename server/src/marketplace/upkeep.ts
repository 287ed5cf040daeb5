import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const webhooksPurpose = 'webhook secrets'

export const marketplaceUpkeep: Upkeep = {
  stays: ['webhook_endpoint'],
  sealedColumns: [
    { table: 'webhook_endpoint', keys: ['only_row'], column: 'secret_sealed', purpose: webhooksPurpose },
    {
      table: 'webhook_endpoint',
      keys: ['only_row'],
      column: 'previous_secret_sealed',
      purpose: webhooksPurpose,
    },
  ],
  /** Events wait, under their old ids, until the operator has looked. */
  async afterRestore({ query }) {
    await query('update webhook_endpoint set held_at = now()')
  },
}
