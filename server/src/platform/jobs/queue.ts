import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database, Statements } from '../db/database.ts'

const pollMs = 1_000
/** After this time without a heartbeat, other workers may take the job. */
const leaseSeconds = 15
const heartbeatMs = 4_000
const concurrency = 2
/** The job is given up after so many takings without progress. A job that kills its process must not do so for ever. */
const attemptsAtMost = 5

interface Job {
  readonly merchantId: string
  readonly jobId: string
  readonly payload: unknown
}

/** A taken job. All its writes go through `hold` first, in the same transaction. */
export interface HeldJob extends Job {
  /** Fails if another worker has taken the job; otherwise keeps it from being taken until the transaction ends. */
  hold(statements: Statements): Promise<void>
  /** As `hold`, for a transaction with progress: tries start again from there, so that restarts use none up. */
  advance(statements: Statements): Promise<void>
  /** Ends the job together with the transaction's writes. */
  finish(statements: Statements): Promise<void>
  /** Puts the job back for a while, to wait for something outside. It counts as no try. Write nothing after it. */
  rest(seconds: number): Promise<void>
  /** Aborted when the job is lost, or the process stops. */
  readonly signal: AbortSignal
  /** Counts the takings; no two workers hold the same job under the same number. */
  readonly takenTimes: number
}

export interface JobKind {
  run(job: HeldJob): Promise<void>
  /** The job will not be tried again. */
  giveUp(job: HeldJob, reason: string): Promise<void>
}

class LeaseLost extends Error {}

/** The transaction that needs the job stores it. */
export async function enqueueJob(
  statements: Statements,
  { merchantId, kind, payload }: { merchantId: string; kind: string; payload: unknown },
): Promise<void> {
  await statements.query('insert into jobs (merchant_id, job_id, kind, payload) values ($1, $2, $3, $4)', [
    merchantId,
    randomUUID(),
    kind,
    JSON.stringify(payload),
  ])
}

export interface Workers {
  wake(): void
  stop(): Promise<void>
}

interface WorkerDeps {
  readonly db: Database
  readonly kinds: Readonly<Record<string, JobKind>>
  readonly onError: (error: unknown) => void
}

interface TakenRow {
  readonly merchant_id: string
  readonly job_id: string
  readonly kind: string
  readonly payload: string
  readonly attempts: number
  readonly fence: string
}

/** Works through the jobs, in every process; no two processes do the same job. */
export function startWorkers({ db, kinds, onError }: WorkerDeps): Workers {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let asking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    asking ??= ask().finally(() => (asking = undefined))
    await asking
  }
  const ask = async (): Promise<void> => {
    try {
      while (running.size < concurrency && !stopping.signal.aborted) {
        const row = await take(db, Object.keys(kinds))
        if (row === undefined) break
        // The process was told to stop meanwhile: nobody would work on the job, and it would stay taken.
        if (stopping.signal.aborted) {
          const error = new Error('The process stopped')
          await release(db, [row.merchant_id, row.job_id, row.fence], { error, isStopping: true })
          break
        }
        const work = runOne(db, row, { kinds, stopping: stopping.signal })
          .catch(onError)
          .finally(() => {
            running.delete(work)
            void look()
          })
        running.add(work)
      }
    } catch (error) {
      onError(error)
    }
  }
  const timer = setInterval(() => void look(), pollMs)
  return {
    wake: () => void look(),
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await asking
      await Promise.all(running)
    },
  }
}

async function take(db: Database, kinds: readonly string[]): Promise<TakenRow | undefined> {
  const [row] = await db.systemQuery<TakenRow>(
    `update jobs set fence = fence + 1, attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
     where (merchant_id, job_id) in (
       select merchant_id, job_id from jobs where due_at <= now() and kind = any($1)
       order by due_at limit 1 for update skip locked
     ) returning merchant_id, job_id, kind, payload, attempts, fence`,
    [kinds],
  )
  return row
}

interface Surroundings {
  readonly kinds: Readonly<Record<string, JobKind>>
  readonly stopping: AbortSignal
}

async function runOne(db: Database, row: TakenRow, { kinds, stopping }: Surroundings): Promise<void> {
  const lost = new AbortController()
  const key = [row.merchant_id, row.job_id, row.fence]
  const beat = setInterval(() => {
    db.systemQuery(
      `update jobs set due_at = now() + make_interval(secs => ${leaseSeconds})
       where merchant_id = $1 and job_id = $2 and fence = $3 returning 1`,
      key,
    ).then(
      (rows) => rows.length === 0 && lost.abort(new LeaseLost('The job was taken over.')),
      // An unreachable database costs the job only if it stays away for longer than the lease.
      () => undefined,
    )
  }, heartbeatMs)
  const change = async ({ query }: Statements, sql: string) => {
    const rows = await query(`${sql} where merchant_id = $1 and job_id = $2 and fence = $3 returning 1`, key)
    if (rows.length === 0) throw new LeaseLost('The job was taken over.')
  }
  const job: HeldJob = {
    merchantId: row.merchant_id,
    jobId: row.job_id,
    payload: JSON.parse(row.payload),
    takenTimes: Number(row.fence),
    signal: AbortSignal.any([lost.signal, stopping]),
    async hold(statements) {
      const rows = await statements.query(
        'select 1 from jobs where merchant_id = $1 and job_id = $2 and fence = $3 for share',
        key,
      )
      if (rows.length === 0) throw new LeaseLost('The job was taken over.')
    },
    advance: (statements) => change(statements, 'update jobs set attempts = 0'),
    finish: (statements) => change(statements, 'delete from jobs'),
    // The new fence keeps a heartbeat that is under way from changing this due time.
    rest: (seconds) =>
      db.system((statements) =>
        change(
          statements,
          `update jobs set fence = fence + 1, attempts = greatest(attempts - 1, 0), due_at = now() + make_interval(secs => ${seconds})`,
        ),
      ),
  }
  try {
    const kind = kinds[row.kind]
    if (row.attempts > attemptsAtMost) await kind?.giveUp(job, `tried ${attemptsAtMost} times`)
    else await kind?.run(job)
  } catch (error) {
    if (error instanceof LeaseLost) return
    await release(db, key, { error, isStopping: stopping.aborted })
    if (!stopping.aborted) throw error
  } finally {
    clearInterval(beat)
  }
}

/** A stopping process releases its job at once, and the taking does not count. A failed job waits a little. */
async function release(
  db: Database,
  key: readonly unknown[],
  { error, isStopping }: { error: unknown; isStopping: boolean },
): Promise<void> {
  const text = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
  await db.systemQuery(
    `update jobs set error = $4, due_at = now() + case when $5 then interval '0' else make_interval(secs => 2 ^ attempts) end,
       attempts = case when $5 then greatest(attempts - 1, 0) else attempts end
     where merchant_id = $1 and job_id = $2 and fence = $3`,
    [...key, `${hostname()}: ${text}`, isStopping],
  )
}
