import type { Database } from '#platform/db/database.ts'
import { claimEvents, noteTry, type DueEvent } from '#platform/events/event-queue.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const jitter = 0.2

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
  /** Null once its time is over. */
  readonly previous_secret_sealed: string | null
  readonly registered_at: string
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

/** Takes events over, so that those of one order arrive in their order as long as the receiver answers. */
export async function takeEvents(
  db: Database,
  limit: number,
): Promise<{ endpoint: Endpoint | undefined; events: DueEvent[] }> {
  return db.system(async (statements) => {
    // One process at a time, so that the next one sees these leases.
    const [endpoint] = await statements.query<Endpoint>(
      `select url, secret_sealed, registered_at::text,
         case when previous_secret_until > now() then previous_secret_sealed end as previous_secret_sealed from webhook_endpoint
       where disabled_at is null and held_at is null for no key update`,
    )
    return { endpoint, events: endpoint === undefined ? [] : await claimEvents(statements, limit) }
  })
}

/** Answers whether the event is given up. A slower try, which has lost its lease, writes nothing. */
export async function settleTry(db: Database, event: DueEvent, outcome: Outcome): Promise<boolean> {
  const { error, isNoTry = false, retryAfterMs } = outcome
  const delayMs =
    error === undefined ? undefined : isNoTry ? 0 : delayAfter(event.webhook_attempts, retryAfterMs)
  const isWritten = await noteTry(db, event, {
    error,
    isNoTry,
    delaySeconds: delayMs === undefined ? undefined : delayMs / second,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, 24 * hour) / second,
  })
  return isWritten && delayMs === undefined && error !== undefined
}

/** Undefined when the last try has been made. */
export function delayAfter(attempts: number, retryAfterMs: number | undefined): number | undefined {
  const usual = retryDelaysMs[attempts - 1]
  if (usual === undefined) return undefined
  const spread = usual * (1 - jitter / 2 + Math.random() * jitter)
  return Math.max(spread, Math.min(retryAfterMs ?? 0, 24 * hour))
}

export async function disableEndpoint(db: Database, { url, registered_at }: Endpoint): Promise<void> {
  await db.systemQuery(
    `update webhook_endpoint set disabled_at = now(), disabled_because = 'The receiver answered 410 Gone'
     where url = $1 and registered_at = $2::timestamptz`,
    [url, registered_at],
  )
}
