import { eventsAtOnce, type OrderEvent } from '@cellarhand/contract/marketplace'
import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { eventColumns, type StoredEvent } from '#platform/events/event-queue.ts'
import { refuse } from '#platform/http/refuse.ts'

/** The message that the marketplace gets of an event. */
export function messageOf({ kind, occurred_at, payload, merchant_id }: StoredEvent): OrderEvent {
  const told = JSON.parse(payload) as Omit<OrderEvent['data'], 'merchant'>
  const data = { ...told, merchant: merchant_id }
  return { type: kind as OrderEvent['type'], timestamp: occurred_at.toISOString(), data }
}

/** The events of all merchants after a position. Positions grow in the order in which events become visible. */
export async function listEvents(
  db: Database,
  { after, limit = eventsAtOnce }: { after?: number; limit?: number },
) {
  const [[oldest], rows] = await Promise.all([
    db.systemQuery<{ position: number | null }>('select min(position) as position from outbox'),
    db.systemQuery<StoredEvent>(
      `select ${eventColumns} from outbox where position > $1 and not is_internal order by position limit $2`,
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

/** The events of a merchant that is moving or has moved go out from its new cell. */
const isWaiting = `webhook_done_at is null and webhook_due_at is not null and ${isOpen('merchant_id')}`
const isGivenUp = `webhook_done_at is not null and webhook_error is not null and ${isOpen('merchant_id')}`

interface WebhookRow {
  readonly url: string
  readonly registered_at: Date
  readonly disabled_at: Date | null
  readonly disabled_because: string | null
  readonly held_at: Date | null
  readonly previous_until: Date | null
  readonly waiting: number
  readonly oldest_at: Date | null
  readonly oldest_error: string | null
  readonly given_up: number
}

/** How the webhook does, for a marketplace whose receiver hears nothing. */
export async function getWebhook(db: Database) {
  const [row] = await db.systemQuery<WebhookRow>(
    `select e.url, e.registered_at, e.disabled_at, e.disabled_because, e.held_at,
       case when e.previous_secret_until > now() and e.previous_secret_sealed is not null then e.previous_secret_until end
         as previous_until,
       (select count(*)::int from outbox where ${isWaiting}) as waiting,
       (select count(*)::int from outbox where ${isGivenUp}) as given_up,
       oldest.occurred_at as oldest_at, oldest.webhook_error as oldest_error
     from webhook_endpoint e left join lateral (
       select occurred_at, webhook_error from outbox where ${isWaiting}
       order by event_id limit 1
     ) oldest on true`,
  )
  if (row === undefined) return refuse('not_found', { message: 'No webhook is registered.' })
  const { disabled_at: disabledAt, held_at: heldAt } = row
  return {
    url: row.url,
    status: disabledAt !== null ? 'switched_off' : heldAt !== null ? 'held' : 'active',
    registered_at: row.registered_at.toISOString(),
    switched_off_at: disabledAt?.toISOString() ?? null,
    switched_off_because: row.disabled_because,
    previous_secret_until: row.previous_until?.toISOString() ?? null,
    waiting_events: row.waiting,
    oldest_waiting: row.oldest_at?.toISOString() ?? null,
    last_error: row.oldest_error,
    given_up_events: row.given_up,
  } as const
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

/** Events that were tried for days and not taken, the oldest first. They are kept for at least seven days. */
export async function listGivenUp(db: Database): Promise<GivenUpEvent[]> {
  return db.systemQuery<GivenUpEvent>(
    `select coalesce(webhook_id, 'evt_' || event_id) as webhook_id, merchant_id, kind, payload ->> 'id' as order_id, occurred_at,
       webhook_attempts, webhook_error
     from outbox where ${isGivenUp} order by position limit ${listedAtOnce}`,
  )
}
