import type { StreamEvents } from '@cellarhand/contract/events'
import { heartbeatMs } from '@cellarhand/contract/heartbeat'
import type { Clock } from '#platform/clock/clock.ts'
import type { Feed, PublishedEvent } from '#platform/events/feed.ts'
import { createLooks, type LiveState } from './state-looks.ts'
import { write, type Stream } from './stream.ts'

/** An ended session loses its streams within 5 seconds. */
export const sessionCheckMs = 2_000
/** The session, and the merchant of its stream. */
type StreamOwner = Pick<Stream, 'sessionId' | 'merchantId'>

type Wanted = Pick<Stream, 'merchantId' | 'sessionId' | 'response'>

export interface EventStreams {
  /** Never fails: a stream that cannot catch up is closed, so that its reader reconnects. */
  open(stream: Wanted, lastEventId: number | undefined): Promise<void>
  /** Reads a state again and sends it to the merchant's screens in this process. */
  refresh(stateName: string, merchantId: string): void
  refreshAll(): void
  size(): number
  stop(): void
}

export interface EventStreamDeps {
  readonly clock: Clock
  readonly feed: Feed
  readonly states: readonly LiveState[]
  readonly findEndedSessions: (owners: readonly StreamOwner[]) => Promise<string[]>
  /** The addresses of merchants that have moved to another cell. */
  readonly findMoved: (merchantIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly onError: (error: unknown) => void
}

/** The open dashboards of this process. An event is formatted once per merchant and written to each of them. */
export function createEventStreams({
  clock,
  feed,
  states,
  findEndedSessions,
  findMoved,
  onError,
}: EventStreamDeps): EventStreams {
  const byMerchant = new Map<string, Set<Stream>>()
  const followers = states.filter(({ followsOrders }) => followsOrders)
  const all = () => [...byMerchant.values()].flatMap((streams) => [...streams])

  const looks = createLooks({ clock, streamsOf: (merchantId) => byMerchant.get(merchantId), onError })
  const lookAt = (state: LiveState, merchantIds: readonly string[]) => void looks.look([state], merchantIds)

  const unsubscribe = feed.subscribe((events) => {
    const touched = Map.groupBy(events, (event) => event.merchantId)
    for (const [merchantId, own] of touched) {
      const streams = byMerchant.get(merchantId)
      if (streams === undefined) continue
      for (const event of own) tell(streams, event)
      looks.lookSoon(followers, merchantId)
    }
  })
  const timers = [
    clock.every(heartbeatMs, () => all().forEach((stream) => write(stream, ': still here\n\n'))),
    clock.every(sessionCheckMs, () => void endStreamsOfEndedSessions().catch(onError)),
  ]
  for (const state of states)
    if (state.lookAgainMs !== undefined)
      timers.push(clock.every(state.lookAgainMs, () => lookAt(state, [...byMerchant.keys()])))

  /** Another process may already have handed out more than this one has seen. */
  async function isKnown(lastEventId: number): Promise<boolean> {
    return lastEventId <= feed.position() || lastEventId <= (await feed.newest())
  }

  /** Catches up with all events that this process handed out; later ones reach the stream as one of the open ones. */
  async function catchUp(stream: Stream): Promise<void> {
    while (stream.position < feed.position()) {
      const upTo = feed.position()
      const missed = await feed.since(stream.merchantId, stream.position)
      if (missed === undefined) write(stream, reloadText(upTo))
      for (const event of missed ?? []) write(stream, eventText(event))
      stream.position = Math.max(upTo, missed?.at(-1)?.position ?? 0)
    }
  }

  async function endStreamsOfEndedSessions(): Promise<void> {
    const streams = all()
    if (streams.length === 0) return
    const owners = new Map(streams.map((stream) => [stream.sessionId, stream]))
    const [ended, moved] = await Promise.all([
      findEndedSessions([...owners.values()]),
      findMoved([...byMerchant.keys()]),
    ])
    endStreams(streams, { ended: new Set(ended), moved })
  }

  async function begin(wanted: Wanted, lastEventId: number | undefined): Promise<void> {
    const isResumed = lastEventId !== undefined && (await isKnown(lastEventId))
    const position = isResumed ? lastEventId : feed.position()
    const stream: Stream = { ...wanted, position, told: new Map() }
    // An id to resume from, even if the connection breaks before the first event.
    write(stream, `id: ${stream.position}\n: connected\n\n`)
    // Nobody handed this id out: its dashboard comes from another database, such as the one before a restore.
    if (lastEventId !== undefined && !isResumed) write(stream, reloadText(position))
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
    await looks.look(states, [stream.merchantId], stream)
  }

  return {
    async open(wanted, lastEventId) {
      try {
        await begin(wanted, lastEventId)
      } catch (error) {
        // The head has gone out, so only closing the connection can report the failure.
        wanted.response.destroy()
        onError(error)
      }
    },
    refresh(stateName, merchantId) {
      for (const state of states) if (state.name === stateName) looks.lookSoon([state], merchantId)
    },
    refreshAll() {
      for (const state of states) lookAt(state, [...byMerchant.keys()])
    },
    size: () => all().length,
    stop() {
      unsubscribe()
      for (const timer of [...timers, looks]) timer.stop()
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
  type News = StreamEvents['order.created']
  const { id, thirstie_logistic_order_ref, status, tab } = JSON.parse(payload) as News
  const news: News = { id, thirstie_logistic_order_ref, status, tab }
  return `id: ${position}\nevent: ${kind}\ndata: ${JSON.stringify(news)}\n\n`
}

/** A screen of a shop that has moved hears where it is. */
function endStreams(
  streams: readonly Stream[],
  { ended, moved }: { ended: ReadonlySet<string>; moved: ReadonlyMap<string, string> },
): void {
  for (const stream of streams) {
    const to = moved.get(stream.merchantId)
    if (to !== undefined) write(stream, movedText(to))
    if (to !== undefined || ended.has(stream.sessionId)) stream.response.end()
  }
}

function movedText(to: string): string {
  return `event: moved\ndata: ${JSON.stringify({ to })}\n\n`
}

function reloadText(position: number): string {
  return `event: reload\nid: ${position}\ndata: {}\n\n`
}
