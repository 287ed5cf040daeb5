import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database, Statements } from '../db/database.ts'

const pollMs = 1_000
/** A worker that dies leaves its job to the others after this. */
const leaseSeconds = 15
const heartbeatMs = 4_000
const concurrency = 2
/** After so many takings without progress a job is given up; one that ends its process must not end them all for ever. */
const attemptsAtMost = 5

interface Job {
  readonly merchantId: string
  readonly jobId: string
  readonly payload: unknown
}

/** A taken job. Everything that it writes goes through `hold` first, in the same transaction. */
export interface HeldJob extends Job {
  /** Fails when the job was taken by another since, and keeps it from being taken until the transaction ends. */
  hold(statements: Statements): Promise<void>
  /** The same for a transaction that takes the job further: tries count from there on, so that restarts use none up. */
  advance(statements: Statements): Promise<void>
  /** Ends the job together with what the transaction writes. */
  finish(statements: Statements): Promise<void>
  /** Puts it back for a while, because something outside has to come first. It counts as no try; nothing is written after it. */
  rest(seconds: number): Promise<void>
  /**
   * Whether another merchant's job of these kinds waits. A long job then goes back behind it, by `rest(0)`, so that
   * nobody waits for the end of another's hundreds.
   */
  isAwaited(): Promise<boolean>
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

/** Promised by the transaction that it belongs to. */
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

/** Works through the jobs; every process of a server does, and none does what another is doing. */
export function startWorkers({ db, kinds, onError }: WorkerDeps): Workers {
  const stopping = new AbortController()
  /** The work under way, by merchant: of each merchant one job at a time, so that others find a place beside a crowd. */
  const running = new Map<string, Promise<void>>()
  let asking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    if (stopping.signal.aborted) return
    asking ??= ask().finally(() => (asking = undefined))
    await asking
  }
  const ask = async (): Promise<void> => {
    try {
      while (running.size < concurrency && !stopping.signal.aborted) {
        const row = await take(db, Object.keys(kinds), [...running.keys()])
        if (row === undefined) break
        // Taken while the process was told to stop: nobody would work on it, and it would stay taken.
        if (stopping.signal.aborted) {
          const error = new Error('The process stopped')
          await release(db, [row.merchant_id, row.job_id, row.fence], { error, isStopping: true })
          break
        }
        const work = runOne(db, row, {
          kinds,
          busyHere: () => [...running.keys()],
          stopping: stopping.signal,
        })
          .catch(onError)
          .finally(() => {
            running.delete(row.merchant_id)
            void look()
          })
        running.set(row.merchant_id, work)
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
      await Promise.all(running.values())
    },
  }
}

/** The merchant with the fewest jobs in hand comes first, and of its jobs the one that is due for longest. */
async function take(
  db: Database,
  kinds: readonly string[],
  busyHere: readonly string[],
): Promise<TakenRow | undefined> {
  const [row] = await db.systemQuery<TakenRow>(
    `update jobs set fence = fence + 1, attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
     where (merchant_id, job_id) in (
       select merchant_id, job_id from jobs due
       where due_at <= now() and kind = any($1) and merchant_id <> all($2)
       order by (
         select count(*) from jobs held
         where held.merchant_id = due.merchant_id and held.kind = any($1) and held.due_at > now()
       ), due_at limit 1 for update skip locked
     ) returning merchant_id, job_id, kind, payload, attempts, fence`,
    [kinds, busyHere],
  )
  return row
}

interface Surroundings {
  readonly kinds: Readonly<Record<string, JobKind>>
  /** The merchants that this process works for at the moment. */
  readonly busyHere: () => readonly string[]
  readonly stopping: AbortSignal
}

async function runOne(
  db: Database,
  row: TakenRow,
  { kinds, busyHere, stopping }: Surroundings,
): Promise<void> {
  const lost = new AbortController()
  const key = [row.merchant_id, row.job_id, row.fence]
  const beat = setInterval(() => {
    db.systemQuery(
      `update jobs set due_at = now() + make_interval(secs => ${leaseSeconds})
       where merchant_id = $1 and job_id = $2 and fence = $3 returning 1`,
      key,
    ).then(
      (rows) => rows.length === 0 && lost.abort(new LeaseLost('The job was taken over.')),
      // A database that is briefly away costs the job only when it stays away for longer than the lease.
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
    async isAwaited() {
      const waiting = await db.systemQuery(
        'select 1 from jobs where due_at <= now() and kind = any($1) and merchant_id <> all($2) limit 1',
        [Object.keys(kinds), busyHere()],
      )
      return waiting.length > 0
    },
    // The fence keeps a heartbeat that is under way from prolonging it.
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

/** A process that stops hands its job on at once, and the taking does not count; after a failure it rests a little. */
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
