import { createHash } from 'node:crypto'
import type { Outside } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'

interface DashboardEvent {
  readonly event: string
  readonly message_id: string
  readonly time: string
  readonly properties: Readonly<Record<string, string | number | boolean>>
}

export interface EventSink {
  take(userId: string, events: readonly DashboardEvent[]): void
  /** Sends the waiting events, once, with a short limit. */
  close(): Promise<void>
}

export interface SegmentSettings {
  readonly url: string
  readonly writeKey: string
}

export const segmentName = 'Segment'

const most = 1_000
const atOnce = 100
const everyMs = 5_000
const closeMs = 3_000

/**
 * Sends events by the Segment specification (Segment, RudderStack and others). They wait in memory, and when too many
 * wait, the oldest are dropped. By the `messageId`, a receiver recognises a repeated event.
 */
export function createSegmentSink(outside: Outside, { url, writeKey }: SegmentSettings): EventSink {
  let waiting: object[] = []
  let sending: Promise<void> = Promise.resolve()
  const { clock } = outside
  const timer = clock.every(everyMs, flush)

  async function sendBatch(): Promise<void> {
    const batch = waiting.slice(0, atOnce)
    if (batch.length === 0) return
    // The oldest may have been dropped meanwhile.
    const settle = () => void (waiting = waiting.filter((message) => !batch.includes(message)))
    try {
      await outside.call({
        method: 'POST',
        url: `${url}/v1/batch`,
        headers: { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` },
        json: { batch, sentAt: new Date(clock.nowMs()).toISOString() },
        isIdempotent: true,
      })
      settle()
    } catch (error) {
      // A refused event stays refused; any other failure is tried again in the next round.
      if (!(error instanceof ProviderError)) throw error
      if (error.kind === 'rejected') settle()
    }
  }

  function flush(): void {
    sending = sending.then(sendBatch).catch(() => undefined)
  }

  return {
    take(userId, events) {
      const user = createHash('sha256').update(userId).digest('hex')
      for (const each of events) waiting.push(toMessage(user, each))
      if (waiting.length > most) waiting.splice(0, waiting.length - most)
      if (waiting.length >= atOnce) flush()
    },
    async close() {
      timer.stop()
      flush()
      const late = Promise.withResolvers<void>()
      clock.after(closeMs, late.resolve)
      await Promise.race([sending, late.promise])
    },
  }
}

function toMessage(userId: string, { event, message_id, time, properties }: DashboardEvent): object {
  const common = { userId, messageId: message_id, timestamp: time, properties, context: {} }
  return event === 'Page View'
    ? { type: 'page', name: String(properties['path'] ?? ''), ...common }
    : { type: 'track', event, ...common }
}
