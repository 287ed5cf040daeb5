import { hostname } from 'node:os'
import { isOpen, requireOpen } from '../db/closed-merchant.ts'
import type { Database, Statements } from '../db/database.ts'
import { claim, type DueTable } from './claim.ts'
import { LeaseLost, startDueWork } from './due-work.ts'
import { errorText } from './error-text.ts'
import type { Worker } from './worker.ts'

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

interface NewJob {
  readonly kind: string
  readonly payload: unknown
}

/** Promised by the transaction that it belongs to. */
export async function enqueueJob(
  statements: Statements,
  { merchantId, ...job }: NewJob & { readonly merchantId: string },
): Promise<void> {
  await enqueueJobs(statements, { merchantIds: [merchantId], ...job })
}

/** The same job for several merchants. */
export async function enqueueJobs(
  { query }: Statements,
  { merchantIds, kind, payload }: NewJob & { readonly merchantIds: readonly string[] },
): Promise<void> {
  await query(
    `insert into jobs (merchant_id, job_id, kind, payload)
     select merchant_id, gen_random_uuid()::text, $2, $3 from unnest($1::text[]) as merchant_id`,
    [merchantIds, kind, JSON.stringify(payload)],
  )
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

const jobs: DueTable<TakenRow> = {
  table: 'jobs',
  key: { merchant_id: 'text', job_id: 'text' },
  due: 'due_at',
  fence: 'fence',
  taking: 'attempts = attempts + 1',
  idOf: ({ merchant_id, job_id, fence }) => [merchant_id, job_id, fence],
}

/** Works through the jobs; every process of a server does, and none does what another is doing. */
export function startWorkers({ db, kinds, onError }: WorkerDeps): Worker {
  /** The merchants with a job under way here: of each one job at a time, so that others find a place beside a crowd. */
  const busyHere = new Set<string>()
  return startDueWork({
    db,
    table: jobs,
    async take() {
      const rows = await takeFairly(db, Object.keys(kinds), busyHere)
      for (const row of rows) busyHere.add(row.merchant_id)
      return rows
    },
    run: (row, signal) =>
      runOne(db, row, { kinds, busyHere, signal }).finally(() => busyHere.delete(row.merchant_id)),
    atOnce: concurrency,
    onError,
  })
}

/** One job: the merchant with the fewest jobs in hand comes first, and of its jobs the one that is due for longest. */
async function takeFairly(
  db: Database,
  kinds: readonly string[],
  busyHere: ReadonlySet<string>,
): Promise<TakenRow[]> {
  return claim<TakenRow>({ query: db.systemQuery }, jobs, {
    which: 'due_at <= now() and kind = any ($1) and merchant_id <> all ($2)',
    values: [kinds, [...busyHere]],
    first: `(
      select count(*) from jobs held
      where held.merchant_id = due.merchant_id and held.kind = any ($1) and held.due_at > now()
    )`,
    limit: 1,
    returning: 'merchant_id, job_id, kind, payload, attempts, fence',
  })
}

interface Surroundings {
  readonly kinds: Readonly<Record<string, JobKind>>
  readonly busyHere: ReadonlySet<string>
  readonly signal: AbortSignal
}

async function runOne(db: Database, row: TakenRow, { kinds, busyHere, signal }: Surroundings): Promise<void> {
  const key = jobs.idOf(row)
  const change = async ({ query }: Statements, sql: string) => {
    await requireOpen({ query }, row.merchant_id)
    const rows = await query(`${sql} where merchant_id = $1 and job_id = $2 and fence = $3 returning 1`, key)
    if (rows.length === 0) throw new LeaseLost()
  }
  const job: HeldJob = {
    merchantId: row.merchant_id,
    jobId: row.job_id,
    payload: JSON.parse(row.payload),
    takenTimes: Number(row.fence),
    signal,
    async hold(statements) {
      await requireOpen(statements, row.merchant_id)
      const rows = await statements.query(
        'select 1 from jobs where merchant_id = $1 and job_id = $2 and fence = $3 for share',
        key,
      )
      if (rows.length === 0) throw new LeaseLost()
    },
    advance: (statements) => change(statements, 'update jobs set attempts = 0'),
    finish: (statements) => change(statements, 'delete from jobs'),
    async isAwaited() {
      const waiting = await db.systemQuery(
        `select 1 from jobs where due_at <= now() and kind = any($1) and merchant_id <> all($2) and ${isOpen('merchant_id')} limit 1`,
        [Object.keys(kinds), [...busyHere]],
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
    // The job may have been taken while the process was told to stop. It is released at once.
    signal.throwIfAborted()
    const kind = kinds[row.kind]
    if (row.attempts > attemptsAtMost) await kind?.giveUp(job, `tried ${attemptsAtMost} times`)
    else await kind?.run(job)
  } catch (error) {
    if (error instanceof LeaseLost) return
    await release(db, key, { error, isStopping: signal.aborted })
    if (!signal.aborted) throw error
  }
}

/** A stopping process releases its job at once, and the taking does not count. A failed job waits a little. */
async function release(
  db: Database,
  key: readonly unknown[],
  { error, isStopping }: { error: unknown; isStopping: boolean },
): Promise<void> {
  await db.systemQuery(
    `update jobs set error = $4, due_at = now() + case when $5 then interval '0' else make_interval(secs => 2 ^ attempts) end,
       attempts = case when $5 then greatest(attempts - 1, 0) else attempts end
     where merchant_id = $1 and job_id = $2 and fence = $3`,
    [...key, `${hostname()}: ${errorText(error)}`, isStopping],
  )
}
