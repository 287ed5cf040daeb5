import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const twoStepPurpose = 'two-step secrets'

export const signInUpkeep: Upkeep = {
  sweeps: [
    { table: 'sessions', key: 'session_id', which: 'expires_at < now()' },
    // Kept for a while: a link that is opened again can then say that it was used.
    { table: 'one_time_tokens', key: 'token_hash', which: "expires_at < now() - interval '7 days'" },
    {
      table: 'known_networks',
      key: 'user_id, network_hash',
      which: "seen_at < now() - interval '90 days'",
    },
  ],
  sealedColumns: [
    { table: 'users', keys: ['user_id'], column: 'two_step_secret_sealed', purpose: twoStepPurpose },
  ],
  /** A sign-out, an ended session or a used link after the backup must stay final. */
  async afterRestore({ query }) {
    await query('update sessions set ended_at = now() where ended_at is null')
    await query('update one_time_tokens set used_at = now() where used_at is null')
  },
}
