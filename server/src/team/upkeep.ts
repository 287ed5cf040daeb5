import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const teamUpkeep: Upkeep = {
  secrets: [{ table: 'team_invitations', column: 'token_hash' }],
  /** An invitation that was taken back after the backup must not come back with a living link. */
  async afterRestore({ query }) {
    await query('update team_invitations set expires_at = least(expires_at, now())')
  },
}
