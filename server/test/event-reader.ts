import { createParser } from 'eventsource-parser'
import type { Desk, Person } from './desk.ts'
import { checkEvent } from './reply-check.ts'

export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: unknown
}

/** Every event of one stream, in its order, as a dashboard receives it, and checked against the contract. */
export interface EventReader {
  readonly events: readonly StreamEvent[]
  /** The id that a browser would resume from. */
  lastId(): string | undefined
  /** Resolves with the first matching event, past or future; fails if the stream ends before. */
  next(isWanted: (event: StreamEvent) => boolean): Promise<StreamEvent>
  /** Resolves when the server has closed the stream. */
  readonly ended: Promise<void>
  /** Cuts the connection. */
  cut(): Promise<void>
}

export async function listen(
  desk: Desk,
  { key, as, lastId }: { key: string; as: Person; lastId?: string | undefined },
): Promise<EventReader> {
  const abort = new AbortController()
  const response = await fetch(new URL(`/m/v2/merchant/${key}/events`, desk.url), {
    headers: {
      authorization: `Bearer ${as.token}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    signal: abort.signal,
  })
  if (response.status !== 200 || response.body === null)
    throw new Error(`The stream answered ${response.status}: ${await response.text()}`)
  const events: StreamEvent[] = []
  const waiting = new Set<() => void>()
  let id = lastId
  let isOver = false

  const parser = createParser({
    onId: (given) => (id = given),
    onEvent({ id: own, event = 'message', data: text }) {
      const data = JSON.parse(text) as unknown
      checkEvent(event, data)
      events.push({ id: own, event, data })
    },
  })
  const ended = (async () => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }))
        for (const look of waiting) look()
      }
    } catch (error) {
      if (!abort.signal.aborted && !/terminated/.test(String(error))) throw error
    } finally {
      isOver = true
      for (const look of waiting) look()
    }
  })()

  return {
    events,
    lastId: () => id,
    ended,
    next: (isWanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find(isWanted)
          if (found === undefined && !isOver) return
          waiting.delete(look)
          if (found === undefined) reject(new Error('The stream ended before the event came'))
          else resolve(found)
        }
        waiting.add(look)
        look()
      }),
    async cut() {
      abort.abort()
      await ended
    },
  }
}
