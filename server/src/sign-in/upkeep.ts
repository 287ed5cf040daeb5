import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const twoStepPurpose = 'two-step secrets'

export const signInUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'sessions',
      key: 'session_id',
      // Messages to a device end with the session that switched them on, also after it ran out.
      which:
        'expires_at < now() and not exists (select from push_devices d where d.session_id = sessions.session_id)',
    },
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
  // A session's token is signed by this installation.
  stays: ['sessions'],
  secrets: [
    { table: 'known_networks', column: 'network_hash' },
    { table: 'one_time_tokens', column: 'token_hash' },
    { table: 'recovery_codes', column: 'code_hash' },
    { table: 'users', column: 'password_hash' },
  ],
  /** An account belongs to one merchant, so nobody's account here becomes another one by an import. */
  async beforeArrival({ query }, rowsOf) {
    const keys = (await rowsOf('users')).map((row) => row['email_key'])
    const taken = await query<{ email: string }>(
      'select email from users where email_key = any ($1) order by 1 limit 10',
      [keys],
    )
    return taken.length === 0
      ? undefined
      : `There are accounts here with the e-mail address of people who would come: ${taken.map(({ email }) => email).join(', ')}. ` +
          'An account belongs to one shop. Change the address in one of the two cells, then export again.'
  },
  /** A sign-out, an ended session or a used link after the backup must stay final. */
  async afterRestore({ query }) {
    await query('update sessions set ended_at = now() where ended_at is null')
    await query('update one_time_tokens set used_at = now() where used_at is null')
  },
}
