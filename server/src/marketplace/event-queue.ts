import type { Database } from '#platform/db/database.ts'
import { claim, type DueTable } from '#platform/jobs/claim.ts'
import { eventColumns, type StoredEvent } from './reads.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const jitter = 0.2
/** Enough for a receiver that takes a hundred events a second, and short enough for one statement. */
const drainedAtOnce = 500

/** The waits that Standard Webhooks recommends after the first try, the second, and so on. */
const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

export interface Endpoint {
  readonly url: string
  readonly secret_sealed: string
  readonly registered_at: string
}

export interface DueEvent extends StoredEvent {
  readonly event_id: number
  readonly webhook_attempts: number
  readonly webhook_fence: number
}

/** How a try went. */
export interface Outcome {
  readonly status?: number
  /** Undefined when the receiver took the event. */
  readonly error?: string
  readonly retryAfterMs?: number | undefined
  /** The event waits for something else than its time (a new registration, the next start), so the try counts as none. */
  readonly isNoTry?: boolean
}

export const dueEvents: DueTable<DueEvent> = {
  table: 'outbox',
  key: { merchant_id: 'text', event_id: 'bigint' },
  due: 'webhook_due_at',
  fence: 'webhook_fence',
  taking: 'webhook_attempts = webhook_attempts + 1, webhook_is_leased = true',
  idOf: ({ merchant_id, event_id, webhook_fence }) => [merchant_id, event_id, webhook_fence],
}

const subject = `coalesce(payload ->> 'id', event_id::text)`

/** Of each order the earliest event that is due, and none while another one of the order is being sent by any process. */
const earliestDue = `webhook_done_at is null and webhook_due_at <= now() and (merchant_id, event_id) in (
  select distinct on (merchant_id, subject) merchant_id, event_id from (
    select merchant_id, event_id, ${subject} as subject from outbox
    where webhook_done_at is null and webhook_due_at <= now()
    order by webhook_due_at, event_id limit 200
  ) soonest
  where (merchant_id, subject) not in (
    select merchant_id, ${subject} from outbox where webhook_is_leased and webhook_due_at > now()
  )
  order by merchant_id, subject, event_id
)`

/** Takes events over, so that those of one order arrive in their order as long as the receiver answers. */
export async function takeEvents(
  db: Database,
  limit: number,
): Promise<{ endpoint: Endpoint | undefined; events: DueEvent[] }> {
  return db.system(async (statements) => {
    // One process at a time, so that the next one sees these leases.
    const [endpoint] = await statements.query<Endpoint>(
      `select url, secret_sealed, registered_at::text from webhook_endpoint
       where disabled_at is null and held_at is null for no key update`,
    )
    if (endpoint === undefined) return { endpoint, events: [] }
    const events = await claim<DueEvent>(statements, dueEvents, {
      which: earliestDue,
      limit,
      returning: `${eventColumns}, event_id, webhook_attempts, webhook_fence`,
    })
    return { endpoint, events }
  })
}

/** Answers whether the event is given up. A slower try, which has lost its lease, writes nothing. */
export async function settleTry(db: Database, event: DueEvent, outcome: Outcome): Promise<boolean> {
  const { error, isNoTry = false, retryAfterMs } = outcome
  const delayMs =
    error === undefined ? undefined : isNoTry ? 0 : delayAfter(event.webhook_attempts, retryAfterMs)
  const isDone = delayMs === undefined
  const rows = await db.systemQuery(
    `update outbox set
       webhook_is_leased = false,
       webhook_error = $4,
       webhook_attempts = webhook_attempts - case when $5 then 1 else 0 end,
       webhook_done_at = case when $6 then now() end,
       webhook_due_at = now() + make_interval(secs => $7::float8),
       webhook_not_before = now() + make_interval(secs => $8::float8)
     where merchant_id = $1 and event_id = $2 and webhook_fence = $3 and webhook_done_at is null returning 1`,
    [
      ...dueEvents.idOf(event),
      error === undefined ? null : `${error.slice(0, 500)}`,
      isNoTry,
      isDone,
      (delayMs ?? 0) / second,
      retryAfterMs === undefined ? null : Math.min(retryAfterMs, 24 * hour) / second,
    ],
  )
  return rows.length > 0 && isDone && error !== undefined
}

/** Undefined when the last try has been made. */
export function delayAfter(attempts: number, retryAfterMs: number | undefined): number | undefined {
  const usual = retryDelaysMs[attempts - 1]
  if (usual === undefined) return undefined
  const spread = usual * (1 - jitter / 2 + Math.random() * jitter)
  return Math.max(spread, Math.min(retryAfterMs ?? 0, 24 * hour))
}

/**
 * The receiver is well: events that wait for their next try go now, in the order in which they happened, and the try that
 * failed counts as none. The Retry-After of one receiver does not bind the next. Answers whether there may be more.
 */
export async function drainWaiting(db: Database, { isNewReceiver = false } = {}): Promise<boolean> {
  const drained = await db.systemQuery(
    `with waiting as materialized (
       select merchant_id, event_id from outbox
       where webhook_done_at is null and webhook_due_at > now() and not webhook_is_leased
         and ($1 or webhook_not_before is null or webhook_not_before <= now())
       order by event_id limit ${drainedAtOnce} for update skip locked
     )
     update outbox set webhook_due_at = occurred_at, webhook_attempts = greatest(webhook_attempts - 1, 0)
     where (merchant_id, event_id) in (select merchant_id, event_id from waiting) returning 1`,
    [isNewReceiver],
  )
  return drained.length === drainedAtOnce
}

export async function disableEndpoint(db: Database, { url, registered_at }: Endpoint): Promise<void> {
  await db.systemQuery(
    `update webhook_endpoint set disabled_at = now(), disabled_because = 'The receiver answered 410 Gone'
     where url = $1 and registered_at = $2::timestamptz`,
    [url, registered_at],
  )
}
