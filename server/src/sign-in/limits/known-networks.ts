import { createHash } from 'node:crypto'
import type { Database, Statements } from '#platform/db/database.ts'
import { networkOf } from '#platform/http/network.ts'

/** A network as it is stored: nobody can tell from it where somebody was. */
export function networkDigest(userId: string, network: string): string {
  return createHash('sha256')
    .update(`${userId} ${networkOf(network)}`)
    .digest('base64url')
}

/** The people who have signed in from there before: the user too, or only others of the same shop. */
export type KnownOf = 'self' | 'shop'

/**
 * Undefined for a network from which nobody of the user's shop has signed in. What strangers do elsewhere must not keep
 * people out of their own shop.
 */
export async function knownNetworkOf(
  db: Database,
  { userId, network }: { userId: string | undefined; network: string },
): Promise<KnownOf | undefined> {
  // Asked for nobody too, so that the time taken is the same. The digest is that of networkDigest.
  const [row] = await db.systemQuery<{ is_own: boolean | null }>(
    `with staff as (
       select user_id from users where user_id = $1
       union select colleague.user_id from users one join users colleague using (merchant_id) where one.user_id = $1
     )
     select bool_or(user_id = $1) as is_own from staff join known_networks known using (user_id)
     where known.network_hash =
       translate(encode(sha256(convert_to(staff.user_id || ' ' || $2::text, 'UTF8')), 'base64'), '+/=', '-_')`,
    [userId ?? 'nobody', networkOf(network)],
  )
  if (row?.is_own == null) return undefined
  return row.is_own ? 'self' : 'shop'
}

export async function rememberNetwork({ query }: Statements, userId: string, network: string): Promise<void> {
  await query(
    `insert into known_networks (user_id, network_hash) values ($1, $2)
     on conflict (user_id, network_hash) do update set seen_at = now()`,
    [userId, networkDigest(userId, network)],
  )
}

export async function forgetNetworks({ query }: Statements, userId: string): Promise<void> {
  await query('delete from known_networks where user_id = $1', [userId])
}
