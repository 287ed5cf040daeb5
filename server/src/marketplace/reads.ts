import { eventsAtOnce } from '@cellarhand/contract/marketplace'
import type { Database } from '#platform/db/database.ts'
import { eventColumns, type StoredEvent } from '#platform/events/event-queue.ts'

/** The message that the marketplace gets of an event. */
export function messageOf({ kind, occurred_at, payload, merchant_id }: StoredEvent) {
  const data = { ...(JSON.parse(payload) as Record<string, unknown>), merchant: merchant_id }
  return { type: kind, timestamp: occurred_at.toISOString(), data }
}

/** The events of all merchants after a position. Positions grow in the order in which events become visible. */
export async function listEvents(
  db: Database,
  { after, limit = eventsAtOnce }: { after?: number; limit?: number },
) {
  const [[oldest], rows] = await Promise.all([
    db.systemQuery<{ position: number | null }>('select min(position) as position from outbox'),
    db.systemQuery<StoredEvent>(
      `select ${eventColumns} from outbox where position > $1 order by position limit $2`,
      [after ?? 0, limit + 1],
    ),
  ])
  const events = rows.slice(0, limit)
  return {
    events: events.map((event) => ({
      position: event.position,
      webhook_id: event.webhook_id,
      ...messageOf(event),
    })),
    next: events.at(-1)?.position ?? after ?? 0,
    has_more: rows.length > limit,
    has_gap: after !== undefined && oldest?.position != null && after < oldest.position - 1,
  }
}

export interface GivenUpEvent {
  readonly webhook_id: string
  readonly merchant_id: string
  readonly kind: string
  readonly order_id: string | null
  readonly occurred_at: Date
  readonly webhook_attempts: number
  readonly webhook_error: string
}

const listedAtOnce = 1_000

/** Events that were tried for days and not taken, the oldest first. They are kept for seven days. */
export async function listGivenUp(db: Database): Promise<GivenUpEvent[]> {
  return db.systemQuery<GivenUpEvent>(
    `select coalesce(webhook_id, 'evt_' || event_id) as webhook_id, merchant_id, kind, payload ->> 'id' as order_id, occurred_at,
       webhook_attempts, webhook_error
     from outbox where webhook_done_at is not null and webhook_error is not null order by position limit ${listedAtOnce}`,
  )
}
