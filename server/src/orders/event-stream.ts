import type { ServerResponse } from 'node:http'
import type { Database } from '#platform/db/database.ts'
import type { Feed, PublishedEvent } from '#platform/events/feed.ts'
import { getOrderCounts } from './order-page.ts'

const heartbeatMs = 15_000
const sessionCheckMs = 4_000
/** A reader that lets this much pile up is cut off; it comes back and resumes. */
const maxBufferedBytes = 1024 * 1024

interface Stream {
  readonly merchantId: string
  readonly sessionId: string
  readonly response: ServerResponse
  /** Events up to here were written already. */
  position: number
  /** The look at the counts that was written last. */
  look: number
}

export interface EventStreams {
  open(stream: Omit<Stream, 'position' | 'look'>, lastEventId: number | undefined): Promise<void>
  size(): number
  stop(): void
}

export interface EventStreamDeps {
  readonly db: Database
  readonly feed: Feed
  readonly findEndedSessions: (sessionIds: readonly string[]) => Promise<string[]>
  readonly onError: (error: unknown) => void
}

/** The open dashboards of this process. An event is put into words once per merchant and written to each of them. */
export function createEventStreams({ db, feed, findEndedSessions, onError }: EventStreamDeps): EventStreams {
  const byMerchant = new Map<string, Set<Stream>>()
  let looks = 0
  const all = () => [...byMerchant.values()].flatMap((streams) => [...streams])

  async function sendCounts(merchantId: string, streams: Iterable<Stream>): Promise<void> {
    const look = ++looks
    const { counts, nextDeadline } = await getOrderCounts(db, merchantId)
    const data = JSON.stringify({ ...counts, next_deadline: nextDeadline })
    for (const stream of streams) {
      // Of two looks at once the older may answer last; it has nothing to say any more.
      if (stream.look > look) continue
      stream.look = look
      write(stream, `event: counts\ndata: ${data}\n\n`)
    }
  }

  const unsubscribe = feed.subscribe((events) => {
    const touched = Map.groupBy(events, (event) => event.merchantId)
    for (const [merchantId, own] of touched) {
      const streams = byMerchant.get(merchantId)
      if (streams === undefined) continue
      for (const event of own) tell(streams, event)
      sendCounts(merchantId, streams).catch(onError)
    }
  })
  const heartbeat = setInterval(
    () => all().forEach((stream) => write(stream, ': still here\n\n')),
    heartbeatMs,
  )
  const sessionCheck = setInterval(() => void endStreamsOfEndedSessions().catch(onError), sessionCheckMs)

  /** Another process may have handed out more than this one has seen yet; an id that nobody handed out is not believed. */
  async function startOf(lastEventId: number | undefined): Promise<number> {
    if (lastEventId === undefined) return feed.position()
    if (lastEventId <= feed.position() || lastEventId <= (await feed.newest())) return lastEventId
    return feed.position()
  }

  /** Until the stream has all that this process handed out; what follows reaches it as one of the open ones. */
  async function catchUp(stream: Stream): Promise<void> {
    while (stream.position < feed.position()) {
      const upTo = feed.position()
      const missed = await feed.since(stream.merchantId, stream.position)
      if (missed === undefined) write(stream, `event: reload\nid: ${upTo}\ndata: {}\n\n`)
      for (const event of missed ?? []) write(stream, eventText(event))
      stream.position = Math.max(upTo, missed?.at(-1)?.position ?? 0)
    }
  }

  async function endStreamsOfEndedSessions(): Promise<void> {
    const streams = all()
    if (streams.length === 0) return
    const ended = new Set(await findEndedSessions([...new Set(streams.map((stream) => stream.sessionId))]))
    for (const stream of streams) if (ended.has(stream.sessionId)) stream.response.end()
  }

  return {
    async open(wanted, lastEventId) {
      const position = await startOf(lastEventId)
      const stream: Stream = { ...wanted, position, look: 0 }
      // An id to resume from, even when nothing happens before the connection breaks.
      write(stream, `id: ${stream.position}\n: connected\n\n`)
      await catchUp(stream)
      if (stream.response.destroyed) return
      const streams = byMerchant.get(stream.merchantId) ?? new Set()
      byMerchant.set(stream.merchantId, streams)
      streams.add(stream)
      stream.response.on('close', () => {
        streams.delete(stream)
        if (streams.size === 0 && byMerchant.get(stream.merchantId) === streams)
          byMerchant.delete(stream.merchantId)
      })
      await sendCounts(stream.merchantId, [stream])
    },
    size: () => all().length,
    stop() {
      unsubscribe()
      clearInterval(heartbeat)
      clearInterval(sessionCheck)
      for (const stream of all()) stream.response.end()
    },
  }
}

function tell(streams: Iterable<Stream>, event: PublishedEvent): void {
  const text = eventText(event)
  for (const stream of streams) {
    if (stream.position >= event.position) continue
    stream.position = event.position
    write(stream, text)
  }
}

function eventText({ position, kind, payload }: PublishedEvent): string {
  const { id, thirstie_logistic_order_ref, status, tab } = JSON.parse(payload) as Record<string, unknown>
  return `id: ${position}\nevent: ${kind}\ndata: ${JSON.stringify({ id, thirstie_logistic_order_ref, status, tab })}\n\n`
}

function write({ response }: Stream, text: string): void {
  if (response.destroyed || response.writableEnded) return
  if (response.writableLength > maxBufferedBytes) return void response.destroy()
  response.write(text)
}
