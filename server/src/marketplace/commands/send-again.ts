import type { Database } from '#platform/db/database.ts'

/** Makes events due once more, under their own ids: all that were given up, or any single one. Answers how many. */
export async function sendAgain(db: Database, webhookId?: string): Promise<number> {
  const which =
    webhookId === undefined
      ? 'webhook_done_at is not null and webhook_error is not null'
      : `coalesce(webhook_id, 'evt_' || event_id) = $1 and position is not null and not (webhook_is_leased and webhook_due_at > now())`
  const rows = await db.systemQuery(
    `update outbox set webhook_done_at = null, webhook_due_at = occurred_at, webhook_attempts = 0, webhook_error = null
     where ${which} returning 1`,
    webhookId === undefined ? [] : [webhookId],
  )
  return rows.length
}
