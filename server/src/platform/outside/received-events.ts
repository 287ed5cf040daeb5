import type { Database } from '../db/database.ts'

/** One event of a provider, which may come more than once. */
interface ProviderEvent {
  readonly provider: string
  readonly id: string
}

export async function wasReceived(db: Database, { provider, id }: ProviderEvent): Promise<boolean> {
  const rows = await db.systemQuery('select 1 from received_events where provider = $1 and event_id = $2', [
    provider,
    id,
  ])
  return rows.length > 0
}

/** Call it after the event's work, so that after an interruption the provider's repetition runs the work again. */
export async function noteReceived(db: Database, { provider, id }: ProviderEvent): Promise<void> {
  await db.systemQuery(
    'insert into received_events (provider, event_id) values ($1, $2) on conflict do nothing',
    [provider, id],
  )
}
