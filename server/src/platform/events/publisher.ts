import type { Database } from '../db/database.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'

const batchSize = 500
const pollMs = 1_000
/** The wait after another publisher was busy: it may have looked just before the newest event was committed. */
const busyMs = 15

export const outboxChannel = 'cellarhand_outbox'

/**
 * Numbers committed events, one publisher at a time over all processes, and notifies the listeners once per batch:
 * every committing transaction has to wait for the lock that NOTIFY takes.
 */
export function startPublisher(db: Database, onError: (error: unknown) => void): Worker {
  const publisher = startWorker({
    clock: db.clock,
    everyMs: pollMs,
    onError,
    async work(isStopping) {
      let published: number | 'busy'
      do published = await publishBatch(db)
      while (published === batchSize && !isStopping())
      return published === 'busy' ? busyMs : undefined
    },
  })
  publisher.wake()
  return publisher
}

async function publishBatch(db: Database): Promise<number | 'busy'> {
  return db.system(async ({ query }) => {
    const [waiting] = await query<{ some: boolean }>(
      'select exists (select from outbox where position is null) as some',
    )
    if (waiting?.some !== true) return 0
    // Held until this batch is committed: positions become visible in their own order.
    const turn = await query('select from outbox_publisher for update skip locked')
    if (turn.length === 0) return 'busy'
    // Due also while the endpoint is disabled: the next registration gets these events.
    const numbered = query(
      `with batch as materialized (
         select merchant_id, event_id from outbox where position is null order by event_id limit ${batchSize}
       ), numbered as materialized (
         select merchant_id, event_id, nextval('outbox_positions') as position from batch order by event_id
       )
       update outbox o set
         position = n.position,
         webhook_due_at = case when not o.is_internal and exists (select from webhook_endpoint) then now() end
       from numbered n where o.merchant_id = n.merchant_id and o.event_id = n.event_id
       returning 1`,
    )
    // Started together, they travel together; the listeners hear the notice at the commit.
    const [published] = await Promise.all([numbered, query(`select pg_notify('${outboxChannel}', '')`)])
    return published.length
  })
}
