import type { Statements } from '#platform/db/database.ts'

/** Every token of the user is refused from the next request on, also those of links that were mailed or handed over. */
export async function endSessionsOf({ query }: Statements, userId: string): Promise<void> {
  await Promise.all([
    query('update sessions set ended_at = now() where user_id = $1 and ended_at is null', [userId]),
    endMailedLinks({ query }, userId),
  ])
}

/** A link that was mailed to an address is worth nothing once the account has another one, or is somebody else's. */
export async function endMailedLinks({ query }: Statements, userId: string): Promise<void> {
  await query('delete from one_time_tokens where user_id = $1 and used_at is null', [userId])
}
