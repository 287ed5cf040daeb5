import type { Statements } from '#platform/db/database.ts'

/** Events that a restore holds back go to the marketplace from now on. */
export async function releaseEvents({ query }: Statements): Promise<void> {
  await query('update webhook_endpoint set held_at = null')
}
