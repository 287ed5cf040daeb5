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

  function take(block: string): void {
    const fields = new Map(
      block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const),
    )
    id = fields.get('id') ?? id
    const text = fields.get('data')
    if (text !== undefined) {
      const event = fields.get('event') ?? 'message'
      const data = JSON.parse(text) as unknown
      checkEvent(event, data)
      events.push({ id: fields.get('id'), event, data })
    }
    for (const look of waiting) look()
  }
  const ended = (async () => {
    let text = ''
    try {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString('utf8')
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) take(block)
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
