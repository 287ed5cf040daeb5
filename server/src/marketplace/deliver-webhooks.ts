import type { Database } from '#platform/db/database.ts'
import { postWebhook, type WebhookAnswer } from './post-webhook.ts'
import type { WebhookPolicy } from './webhook-address.ts'

export interface DeliveryDeps {
  readonly db: Database
  readonly webhooks: WebhookPolicy
  readonly onError: (error: unknown) => void
}

export interface WebhookDelivery {
  /** Something may be due. The poll would find it too, only later. */
  wake(): void
  /** Gives deliveries under way a moment, and leaves the rest to the next start. */
  stop(): Promise<void>
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const pollMs = second
const pauseAfterErrorMs = 10 * second
const timeoutMs = 15 * second
/** Longer than a try can take. After it, another process may take the event over. */
const leaseSeconds = 60
const atOnce = 16
const stopGraceMs = 3 * second
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

interface Endpoint {
  readonly url: string
  readonly secret_sealed: string
  readonly registered_at: string
}

interface DueEvent {
  readonly merchant_id: string
  readonly event_id: number
  readonly webhook_id: string
  readonly kind: string
  readonly payload: string
  readonly occurred_at: Date
  readonly webhook_attempts: number
  readonly subject: string | null
}

/** Sends published events to the marketplace's endpoint, apart from publishing: a slow receiver delays only itself. */
export function startWebhookDelivery({ db, webhooks, onError }: DeliveryDeps): WebhookDelivery {
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let isAwake = true
  let isStopped = false
  let proceed: (() => void) | undefined

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      proceed = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function deliver(endpoint: Endpoint, event: DueEvent): Promise<void> {
    const outcome = await attempt(endpoint, event)
    if (outcome.status === 410) await disable(db, endpoint)
    await settle(db, event, outcome)
  }

  async function attempt(endpoint: Endpoint, event: DueEvent): Promise<Outcome> {
    try {
      const message = {
        url: new URL(endpoint.url),
        secret: webhooks.open(endpoint.secret_sealed),
        id: event.webhook_id,
        body: bodyOf(event),
      }
      const { allowLoopback } = webhooks
      return outcomeOf(await postWebhook(message, { timeoutMs, allowLoopback, signal: stopping.signal }))
    } catch (error) {
      if (stopping.signal.aborted)
        return { error: 'The server was stopped while sending', isInterrupted: true }
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  async function sendDue(): Promise<number> {
    const free = atOnce - underWay.size
    if (free === 0) return 0
    const endpoint = await findEndpoint(db)
    if (endpoint === undefined) return 0
    const events = await claim(db, { limit: free, busy: [...underWay.keys()] })
    for (const event of events) {
      const key = subjectOf(event)
      const sending = deliver(endpoint, event)
        .catch(onError)
        .finally(() => {
          underWay.delete(key)
          wake()
        })
      underWay.set(key, sending)
    }
    return events.length
  }

  function wake(): void {
    isAwake = true
    proceed?.()
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      isAwake = false
      try {
        while ((await sendDue()) > 0 && !isStopped);
        if (!isAwake && !isStopped) await rest(pollMs)
      } catch (error) {
        if (!isStopped) {
          onError(error)
          await rest(pauseAfterErrorMs)
        }
      }
    }
  }
  const running = run()

  return {
    wake,
    async stop() {
      isStopped = true
      proceed?.()
      await running
      const timer = setTimeout(() => stopping.abort(), stopGraceMs)
      await Promise.all(underWay.values())
      clearTimeout(timer)
    },
  }
}

function subjectOf({ merchant_id, subject, event_id }: DueEvent): string {
  return `${merchant_id} ${subject ?? event_id}`
}

/** The same at every try, because the receiver checks it byte by byte. */
function bodyOf({ kind, occurred_at, payload, merchant_id }: DueEvent): string {
  const data = { ...(JSON.parse(payload) as Record<string, unknown>), merchant: merchant_id }
  return JSON.stringify({ type: kind, timestamp: occurred_at.toISOString(), data })
}

async function findEndpoint(db: Database): Promise<Endpoint | undefined> {
  const [endpoint] = await db.systemQuery<Endpoint>(
    'select url, secret_sealed, registered_at::text from webhook_endpoint where disabled_at is null and held_at is null',
  )
  return endpoint
}

/**
 * Takes due events for the time of one try. It takes only the earliest event of an order, and only while no other of
 * that order is under way. So an order's events arrive in sequence as long as the receiver answers.
 */
async function claim(db: Database, { limit, busy }: { limit: number; busy: string[] }): Promise<DueEvent[]> {
  return db.systemQuery<DueEvent>(
    `with recent as materialized (
       select merchant_id, event_id, coalesce(payload ->> 'id', event_id::text) as subject from outbox
       where webhook_done_at is null and webhook_due_at <= now()
       order by webhook_due_at, event_id limit 200
     ), earliest as (
       select distinct on (merchant_id, subject) merchant_id, event_id from recent
       where not (merchant_id || ' ' || subject = any ($1))
       order by merchant_id, subject, event_id
     ), claimed as (
       select o.merchant_id, o.event_id from outbox o join earliest using (merchant_id, event_id)
       where o.webhook_done_at is null and o.webhook_due_at <= now()
       order by o.event_id limit $2 for update of o skip locked
     )
     update outbox o set webhook_attempts = o.webhook_attempts + 1, webhook_due_at = now() + make_interval(secs => ${leaseSeconds})
     from claimed c where o.merchant_id = c.merchant_id and o.event_id = c.event_id
     returning o.merchant_id, o.event_id, coalesce(o.webhook_id, 'evt_' || o.event_id) as webhook_id, o.kind, o.payload, o.occurred_at, o.webhook_attempts, o.payload ->> 'id' as subject`,
    [busy, limit],
  )
}

interface Outcome {
  readonly status?: number
  /** Undefined when the receiver took the event. */
  readonly error?: string
  readonly retryAfterMs?: number | undefined
  /** The receiver had no time to answer, so the next start tries at once. */
  readonly isInterrupted?: boolean
}

function outcomeOf({ status, retryAfterMs }: WebhookAnswer): Outcome {
  if (status >= 200 && status < 300) return { status }
  return { status, error: `The receiver answered ${status}`, retryAfterMs }
}

/** Only the latest try may write its result: a slower one has lost its lease. */
async function settle(db: Database, event: DueEvent, outcome: Outcome): Promise<void> {
  const { error } = outcome
  const delayMs = error === undefined ? undefined : delayOf(event, outcome)
  await db.systemQuery(
    `update outbox set
       webhook_error = $4,
       webhook_done_at = case when $5::float8 is null then now() end,
       webhook_due_at = case when $5::float8 is null then webhook_due_at else now() + make_interval(secs => $5::float8) end
     where merchant_id = $1 and event_id = $2 and webhook_attempts = $3 and webhook_done_at is null`,
    [
      event.merchant_id,
      event.event_id,
      event.webhook_attempts,
      error?.slice(0, 500) ?? null,
      delayMs === undefined ? null : delayMs / 1000,
    ],
  )
}

function delayOf(event: DueEvent, { isInterrupted, retryAfterMs }: Outcome): number | undefined {
  return isInterrupted === true ? 0 : delayAfter(event.webhook_attempts, retryAfterMs)
}

/** Undefined after the last try. */
export function delayAfter(attempts: number, retryAfterMs: number | undefined): number | undefined {
  const usual = retryDelaysMs[attempts - 1]
  if (usual === undefined) return undefined
  const spread = usual * (1 - jitter / 2 + Math.random() * jitter)
  return Math.max(spread, Math.min(retryAfterMs ?? 0, 24 * hour))
}

async function disable(db: Database, { url, registered_at }: Endpoint): Promise<void> {
  await db.systemQuery(
    `update webhook_endpoint set disabled_at = now(), disabled_because = 'The receiver answered 410 Gone'
     where url = $1 and registered_at = $2::timestamptz`,
    [url, registered_at],
  )
}
