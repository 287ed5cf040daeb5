import type { Database } from '#platform/db/database.ts'
import { bringForward, dueEvents, type DueEvent } from '#platform/events/event-queue.ts'
import { startDueWork } from '#platform/jobs/due-work.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import type { PostAnswer } from '#platform/outside/guarded-post.ts'
import { messageOf } from './reads.ts'
import { postWebhook } from './post-webhook.ts'
import { openedBy, type WebhookPolicy } from './webhook-address.ts'
import { disableEndpoint, settleTry, takeEvents, type Endpoint, type Outcome } from './webhook-tries.ts'

export interface GivenUp {
  readonly webhookId: string
  readonly merchantId: string
  readonly error: string
}

export interface DeliveryDeps {
  readonly db: Database
  readonly webhooks: WebhookPolicy
  /** The event was tried for days, and is not sent any more unless the operator wants it. */
  readonly onGivenUp: (event: GivenUp) => void
  readonly onError: (error: unknown) => void
}

const timeoutMs = 15_000
const atOnce = 16
/** One failure alone may be about its event; after more of them in a row the receiver was away. */
const outageFailures = 2

type Sending = DueEvent & { readonly endpoint: Endpoint }

/** Sends published events to the marketplace's endpoint, apart from publishing: a slow receiver delays only itself. */
export function startWebhookDelivery({ db, webhooks, onGivenUp, onError }: DeliveryDeps): Worker {
  // The receiver may have been away before this process started.
  let failuresInARow = outageFailures

  async function deliver(event: Sending, signal: AbortSignal): Promise<void> {
    const outcome = await attempt(event, signal)
    if (outcome.status === 410) await disableEndpoint(db, event.endpoint)
    const isGivenUp = await settleTry(db, event, outcome)
    if (isGivenUp)
      onGivenUp({ webhookId: event.webhook_id, merchantId: event.merchant_id, error: outcome.error ?? '' })
    if (outcome.error !== undefined) failuresInARow++
    else if (failuresInARow >= outageFailures) {
      const hasMore = await bringForward(db)
      failuresInARow = hasMore ? outageFailures : 0
    } else failuresInARow = 0
  }

  async function attempt({ endpoint, ...event }: Sending, signal: AbortSignal): Promise<Outcome> {
    try {
      const previous = openedBy(webhooks, endpoint.previous_secret_sealed)
      const message = {
        url: new URL(endpoint.url),
        secrets: [webhooks.open(endpoint.secret_sealed), ...(previous === undefined ? [] : [previous])],
        id: event.webhook_id,
        position: event.position,
        // The same at every try, since the receiver checks it byte by byte.
        body: JSON.stringify(messageOf(event)),
      }
      const { allowLoopback } = webhooks
      return outcomeOf(await postWebhook(message, { clock: db.clock, timeoutMs, allowLoopback, signal }))
    } catch (error) {
      if (signal.aborted) return { error: 'The server was stopped while sending', isNoTry: true }
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  return startDueWork<Sending>({
    db,
    table: dueEvents,
    async take(free) {
      const { endpoint, events } = await takeEvents(db, free)
      return endpoint === undefined ? [] : events.map((event) => ({ ...event, endpoint }))
    },
    run: deliver,
    atOnce,
    onError,
  })
}

function outcomeOf({ status, retryAfterMs }: PostAnswer): Outcome {
  if (status >= 200 && status < 300) return { status }
  // It waits for another receiver, and not for its time.
  const isNoTry = status === 410
  return { status, error: `The receiver answered ${status}`, retryAfterMs, isNoTry }
}
