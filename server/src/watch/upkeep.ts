import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const watchUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'watch_screens',
      key: 'merchant_id, user_id, screen',
      which: "seen_at < now() - interval '10 minutes'",
    },
    {
      table: 'watch_texts',
      key: 'merchant_id, text_id',
      which: "created_at < now() - interval '7 days'",
    },
  ],
  stays: ['watch_screens'],
  underWay: ['select from watch_texts where merchant_id = $1 and ended_at is null'],
  // The screens need a moment to come back, and an old message helps nobody.
  async afterRestore({ query }) {
    await query('update watches set since_at = now()')
    await query(
      "update watch_texts set ended_at = now(), error = 'Held back by a restore, and dropped' where ended_at is null",
    )
  },
}
