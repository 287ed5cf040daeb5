import { isOpen } from '../db/closed-merchant.ts'
import type { Database, Statements } from '../db/database.ts'
import { claim, type DueTable } from '../jobs/claim.ts'
import { isDue, nextEvents } from './event-choice.ts'

/** An event as it is published. */
export interface StoredEvent {
  readonly merchant_id: string
  readonly position: number
  readonly webhook_id: string
  readonly kind: string
  readonly payload: string
  readonly occurred_at: Date
}

export interface DueEvent extends StoredEvent {
  readonly event_id: number
  readonly webhook_attempts: number
  readonly webhook_fence: number
}

/** An event from before webhook ids keeps the one that it was sent under. */
export const eventColumns = `merchant_id, position, coalesce(webhook_id, 'evt_' || event_id) as webhook_id, kind, payload, occurred_at`

/** Enough for a receiver that takes a hundred events a second, and short enough for one statement. */
const forwardAtOnce = 500

export const dueEvents: DueTable<DueEvent> = {
  table: 'outbox',
  key: { merchant_id: 'text', event_id: 'bigint' },
  due: 'webhook_due_at',
  fence: 'webhook_fence',
  taking: 'webhook_attempts = webhook_attempts + 1, webhook_is_leased = true',
  idOf: ({ merchant_id, event_id, webhook_fence }) => [merchant_id, event_id, webhook_fence],
}

/** Takes events over, so that those of one order arrive in their order. One process at a time may take. */
export async function claimEvents(statements: Statements, limit: number): Promise<DueEvent[]> {
  return claim<DueEvent>(statements, dueEvents, {
    beside: `next as materialized (${nextEvents(limit)})`,
    // As arrays: a plan for a join may read the whole table.
    which: `${isDue} and merchant_id = any (array(select merchant_id from next)) and event_id = any (array(select event_id from next))`,
    first: undefined,
    limit,
    returning: `${eventColumns}, event_id, webhook_attempts, webhook_fence`,
  })
}

/** The result of a try to send an event. */
export interface Try {
  /** Undefined when the receiver took the event. */
  readonly error: string | undefined
  /** Does not count among the attempts. */
  readonly isNoTry: boolean
  /** Until the next try; undefined when there is none. */
  readonly delaySeconds: number | undefined
  /** The receiver asked for this wait. */
  readonly retryAfterSeconds: number | undefined
}

/** Answers false for a slower try, which has lost its lease and writes nothing. */
export async function noteTry(db: Database, event: DueEvent, result: Try): Promise<boolean> {
  const { error, isNoTry, delaySeconds, retryAfterSeconds } = result
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
      error?.slice(0, 500) ?? null,
      isNoTry,
      delaySeconds === undefined,
      delaySeconds ?? 0,
      retryAfterSeconds ?? null,
    ],
  )
  return rows.length > 0
}

/**
 * Events that wait for their next try go now, in the order in which they happened, and the try that failed counts as
 * none. The Retry-After of one receiver does not bind the next. Answers whether there may be more.
 */
export async function bringForward(db: Database, { isNewReceiver = false } = {}): Promise<boolean> {
  const forward = await db.systemQuery(
    `with waiting as materialized (
       select merchant_id, event_id from outbox
       where webhook_done_at is null and webhook_due_at > now() and not webhook_is_leased
         and ($1 or webhook_not_before is null or webhook_not_before <= now())
       order by event_id limit ${forwardAtOnce} for update skip locked
     )
     update outbox set webhook_due_at = occurred_at, webhook_attempts = greatest(webhook_attempts - 1, 0)
     where (merchant_id, event_id) in (select merchant_id, event_id from waiting) returning 1`,
    [isNewReceiver],
  )
  return forward.length === forwardAtOnce
}

/**
 * Makes events due once more, under their own ids: all that were given up, or any single one. Answers how many. Those of
 * a merchant on its way to another cell stay: they are in the export as they were. A slower try from before the command, which has lost
 * its lease, writes nothing: as the tenth failure it would give the event up again at once.
 */
export async function makeDueAgain(db: Database, webhookId?: string): Promise<number> {
  const which =
    webhookId === undefined
      ? 'webhook_done_at is not null and webhook_error is not null'
      : `coalesce(webhook_id, 'evt_' || event_id) = $1 and position is not null and not is_internal and not (webhook_is_leased and webhook_due_at > now())`
  return db.system(async ({ query }) => {
    const values = webhookId === undefined ? [] : [webhookId]
    if (webhookId !== undefined)
      await query(`select require_open(merchant_id) from outbox where ${which}`, values)
    const rows = await query(
      `update outbox set webhook_done_at = null, webhook_due_at = occurred_at, webhook_attempts = 0, webhook_error = null,
         webhook_fence = webhook_fence + 1
       where ${which} and ${isOpen('merchant_id')} returning 1`,
      values,
    )
    return rows.length
  })
}
