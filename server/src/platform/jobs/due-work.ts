import type { Database } from '../db/database.ts'
import { whileHolding, type DueTable } from './claim.ts'
import { startWorker, type Worker } from './worker.ts'

export interface DueWork<Row> {
  readonly db: Database
  readonly table: DueTable<Row>
  /** Claims at most so many. */
  readonly take: (free: number) => Promise<Row[]>
  /** The signal is aborted when the row is lost to another process, or this one stops. */
  readonly run: (row: Row, signal: AbortSignal) => Promise<void>
  readonly atOnce: number
  readonly onError: (error: unknown) => void
}

/** A dead process's work waits no longer than this after its lease. */
const lookEveryMs = 1_000
/** A database that is away is told of once in a while only. */
const pauseAfterErrorMs = 5_000

export class LeaseLost extends Error {
  constructor() {
    super('The work was taken over.')
  }
}

/** Runs the rows that are due, some at a time; several processes share the work. */
export function startDueWork<Row>({ db, table, take, run, atOnce, onError }: DueWork<Row>): Worker {
  const { clock } = db
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let pauseUntilMs = 0

  async function runOne(row: Row): Promise<void> {
    const lost = new AbortController()
    const onLost = () => lost.abort(new LeaseLost())
    await whileHolding(db, { table, held: new Set([row]), onLost }, () =>
      run(row, AbortSignal.any([lost.signal, stopping.signal])),
    )
  }

  const looking: Worker = startWorker({
    clock,
    everyMs: lookEveryMs,
    onError,
    async work(isStopping) {
      while (running.size < atOnce && !isStopping() && clock.readingMs() >= pauseUntilMs) {
        const rows = await take(atOnce - running.size).catch((error: unknown) => {
          pauseUntilMs = clock.readingMs() + pauseAfterErrorMs
          throw error
        })
        if (rows.length === 0) return
        for (const row of rows) {
          const work = runOne(row)
            .catch(onError)
            .finally(() => {
              running.delete(work)
              looking.wake()
            })
          running.add(work)
        }
      }
    },
  })
  return {
    wake: looking.wake,
    async stop() {
      stopping.abort(new Error('The process stopped'))
      await looking.stop()
      await Promise.all(running)
    },
  }
}
