import type { Statements } from '#platform/db/database.ts'

/** Every token of the user is refused from the next request on. */
export async function endSessionsOf({ query }: Statements, userId: string): Promise<void> {
  await query('update sessions set ended_at = now() where user_id = $1 and ended_at is null', [userId])
}
