import type { Database } from '../db/database.ts'
import { startWorker } from '../jobs/worker.ts'
import type { Listening } from './listening.ts'
import { outboxChannel } from './publisher.ts'

export interface PublishedEvent {
  readonly position: number
  readonly merchantId: string
  readonly kind: string
  /** JSON text. */
  readonly payload: string
}

type Listener = (events: readonly PublishedEvent[]) => void

export interface Feed {
  /** The newest position that this process has handed out. */
  position(): number
  /** The newest position of all. */
  newest(): Promise<number>
  subscribe(listener: Listener): () => void
  /** A merchant's events after a position; undefined when they are too many, or some are deleted already. */
  since(merchantId: string, position: number): Promise<PublishedEvent[] | undefined>
  stop(): Promise<void>
}

const pollMs = 2_000
const pageSize = 1_000
const resumeLimit = 500

/** Reads published events in their order. NOTIFY only says when to look; the table decides. */
export async function startFeed(
  db: Database,
  listening: Listening,
  onError: (error: unknown) => void,
): Promise<Feed> {
  const listeners = new Set<Listener>()
  let position = await newestPosition(db)

  const reader = startWorker({
    clock: db.clock,
    everyMs: pollMs,
    onError,
    async work(isStopping) {
      for (let isBehind = true; isBehind && !isStopping();) {
        const events = await readAfter(db, position)
        const last = events.at(-1)
        if (last === undefined) return
        position = last.position
        for (const listener of listeners) listener(events)
        isBehind = events.length === pageSize
      }
    },
  })
  listening.on(outboxChannel, reader.wake)
  listening.onConnect(reader.wake)

  return {
    position: () => position,
    newest: async () => newestPosition(db),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    since: (merchantId, from) => readSince(db, merchantId, from),
    stop: reader.stop,
  }
}

interface EventRow {
  readonly position: number
  readonly merchant_id: string
  readonly kind: string
  readonly payload: string
}

const toEvent = (row: EventRow): PublishedEvent => ({
  position: row.position,
  merchantId: row.merchant_id,
  kind: row.kind,
  payload: row.payload,
})

async function newestPosition(db: Database): Promise<number> {
  const [row] = await db.systemQuery<{ position: number }>(
    'select coalesce(max(position), 0) as position from outbox',
  )
  return row?.position ?? 0
}

async function readAfter(db: Database, position: number): Promise<PublishedEvent[]> {
  const rows = await db.systemQuery<EventRow>(
    `select position, merchant_id, kind, payload from outbox where position > $1 order by position limit ${pageSize}`,
    [position],
  )
  return rows.map(toEvent)
}

async function readSince(
  db: Database,
  merchantId: string,
  position: number,
): Promise<PublishedEvent[] | undefined> {
  const [[oldest], rows] = await Promise.all([
    db.systemQuery<{ position: number | null }>('select min(position) as position from outbox'),
    db.systemQuery<EventRow>(
      `select position, merchant_id, kind, payload from outbox
       where position > $1 and merchant_id = $2 order by position limit ${resumeLimit + 1}`,
      [position, merchantId],
    ),
  ])
  // Only a reader that is behind gets here: if nothing is left to read, all of it has been deleted.
  const isTooOld = oldest?.position == null || position < oldest.position - 1
  return isTooOld || rows.length > resumeLimit ? undefined : rows.map(toEvent)
}
