import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import type { ReportType } from '@cellarhand/contract/report-files'
import { refusals } from '@cellarhand/contract/refusals'
import type { Database, Statements } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { HeldJob, JobKind } from '#platform/jobs/queue.ts'
import { finishBatch, type FinishDeps } from './batch-finish.ts'
import {
  endOrders,
  failOrders,
  keepFirstPrintings,
  keepMarks,
  listUnmarked,
  listWaiting,
  readBatch,
} from './batch-orders.ts'
import type { BatchFiles } from './batch-reads.ts'
import { markPrinted } from '../papers/mark-printed.ts'
import type { BatchOrderPayload } from './start-batch.ts'
import type { Drawn, PaperToDraw, Press } from '../papers/paper-tasks.ts'
import { pickListOf, type OrderToPick } from '../papers/picks.ts'
import { readOrdersToPick, readPrintedOrders } from '../papers/reads.ts'

/** Small, so that progress is visible and a worker's death costs little. */
const stepSize = 20
const papersAtOnce = 5
const notMade = 'The document could not be made. Please try again, or open the order and print it there.'

export interface BatchJobDeps extends FinishDeps {
  readonly db: Database
  readonly files: FileStore
  readonly press: Press
  readonly onChange: () => void
}

interface Work extends BatchOrderPayload {
  readonly job: HeldJob
  readonly types: readonly ReportType[]
  readonly paper: PaperFormat
  readonly madeAt: Date
}

export function createBatchJob(deps: BatchJobDeps): JobKind {
  return {
    async run(job) {
      const payload = job.payload as BatchOrderPayload
      const batch = await readBatch(deps.db, { merchantId: job.merchantId, batchId: payload.batchId })
      // An earlier worker may have died between its last write and the end of the job.
      if (batch === undefined || batch.isFinished)
        return deps.db.system((statements) => job.finish(statements))
      const { types, createdAt: madeAt } = batch
      const work = { ...payload, job, types, paper: payload.paper ?? 'letter', madeAt }
      const files = work.types.length > 0 ? await makeFiles(deps, work) : await exportDetails(deps, work)
      if (files === undefined) return job.rest(0)
      await finishBatch(deps, job, { batchId: payload.batchId, files })
    },
    async giveUp(job) {
      const { batchId } = job.payload as BatchOrderPayload
      await deps.db.write(job.merchantId, async (statements) => {
        await job.hold(statements)
        await failOrders(statements, { merchantId: job.merchantId, batchId }, notMade)
      })
      await finishBatch(deps, job, { batchId, files: {} })
    },
  }
}

/** Undefined where others came in between. The files exist before any order is marked as printed. */
async function makeFiles(deps: BatchJobDeps, work: Work): Promise<BatchFiles | undefined> {
  for (;;) {
    if (!(await makePapers(deps, work))) return undefined
    const files = await putTogether(deps, work)
    if (!work.types.includes('packingslip') || (await markAll(deps, work))) return files
  }
}

/** False where a slip has to be drawn again: somebody printed another one meanwhile, so this one is not the first. */
async function markAll(
  { db, onChange }: BatchJobDeps,
  { job, batchId, actor, madeAt }: Work,
): Promise<boolean> {
  const key = { merchantId: job.merchantId, batchId }
  let isRight = true
  for (;;) {
    const marked = await db.write(job.merchantId, async (statements) => {
      await job.hold(statements)
      const drawn = await listUnmarked(statements, key, stepSize)
      const printing = { merchantId: job.merchantId, actor, madeAt }
      const ids = drawn.map(({ order_id: id }) => id)
      const before = await markPrinted(statements, printing, ids)
      const found = drawn.map((order) => ({ ...order, at: before.get(order.order_id) ?? null }))
      await keepMarks(statements, key, found)
      return found
    })
    if (marked.length === 0) return isRight
    onChange()
    isRight &&= marked.every(({ at, first_printed_at: expected }) => at === expected)
  }
}

/** False where others came in between, and the rest of it waits for its next turn. */
async function makePapers(deps: BatchJobDeps, work: Work): Promise<boolean> {
  for (;;) {
    work.job.signal.throwIfAborted()
    const step = await deps.db.write(work.job.merchantId, (statements) => beginStep(statements, work))
    if (step.length === 0) return true
    const drawn = await drawAll(deps.press, work, step)
    await deps.db.write(work.job.merchantId, (statements) => endStep(statements, work, { step, drawn }))
    if (await work.job.isAwaited()) return false
  }
}

/** A few at a time, so that the press gets to the other merchants between them. */
async function drawAll(
  press: Press,
  { job, madeAt }: Work,
  step: readonly StepOrder[],
): Promise<readonly Drawn[]> {
  const papers = step.flatMap(({ papers: own }) => own)
  const drawn: Drawn[] = []
  for (let from = 0; from < papers.length; from += papersAtOnce) {
    const some = papers.slice(from, from + papersAtOnce)
    drawn.push(...(await press.ask<Drawn[]>(job.merchantId, { kind: 'draw', papers: some, madeAt })))
  }
  return drawn
}

interface StepOrder {
  readonly position: number
  readonly papers: readonly PaperToDraw[]
  readonly refused: string | undefined
}

async function beginStep(statements: Statements, { job, batchId, types, paper }: Work): Promise<StepOrder[]> {
  await job.hold(statements)
  const waiting = await listWaiting(statements, { merchantId: job.merchantId, batchId }, stepSize)
  const ids = waiting.map(({ order_id: id }) => id)
  const printed = await readPrintedOrders(statements, job.merchantId, ids)
  return waiting.map(({ position, order_id: id, is_marked: isMarked, first_printed_at: marked }) => {
    const order = printed.get(id)
    if (order === undefined) return { position, papers: [], refused: refusals.not_found.message }
    const isEarly = order.order.status === 'SUBMITTED'
    const firstPrintedAt = isMarked ? marked : order.order.printed_timestamp
    return {
      position,
      refused: isEarly && types.includes('receipt') ? refusals.receipt_not_available.message : undefined,
      papers: types
        .filter((type) => !(isEarly && type === 'receipt'))
        .map((type) => ({ position, type, paper, printed: order, firstPrintedAt })),
    }
  })
}

async function endStep(
  statements: Statements,
  { job, batchId }: Work,
  { step, drawn }: { step: readonly StepOrder[]; drawn: readonly Drawn[] },
): Promise<void> {
  await job.advance(statements)
  // Each in a statement of its own: bytes in an array would travel as text, and both ends would turn them around.
  const keeping = drawn.flatMap(({ bytes, position, type }) =>
    bytes === undefined
      ? []
      : statements.query(
          `insert into batch_papers (merchant_id, batch_id, position, report_type, bytes)
           values ($1, $2, $3, $4, $5)
           on conflict (merchant_id, batch_id, position, report_type) do update set bytes = excluded.bytes`,
          [
            job.merchantId,
            batchId,
            position,
            type,
            Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
          ],
        ),
  )
  const slips = step.flatMap(({ position, papers }) =>
    papers
      .filter(({ type }) => type === 'packingslip')
      .map(({ firstPrintedAt }) => ({ position, firstPrintedAt })),
  )
  await Promise.all([
    ...keeping,
    keepFirstPrintings(statements, { merchantId: job.merchantId, batchId }, slips),
  ])
  const undrawn = new Set(drawn.filter((paper) => paper.bytes === undefined).map((paper) => paper.position))
  const ended = step.map(({ position, refused }) => ({
    position,
    error: undrawn.has(position) ? notMade : (refused ?? null),
  }))
  await endOrders(statements, { merchantId: job.merchantId, batchId }, ended)
}

/** One file per kind of paper, the pick list before the slips. No batch names the files of a worker without the job. */
async function putTogether(deps: BatchJobDeps, work: Work): Promise<BatchFiles> {
  const { job, batchId, madeAt } = work
  const files: BatchFiles = {}
  for (const type of work.types) {
    const rows = await readPapers(deps.db, job, { batchId, type })
    if (rows.length === 0) continue
    const ids = rows.map((row) => row.order_id)
    const list =
      type === 'packingslip' ? pickListOf(await ordersToPick(deps.db, job, ids), madeAt) : undefined
    const pickList = list && { list, paper: work.paper }
    const papers = rows.map((row) => row.bytes)
    job.signal.throwIfAborted()
    const bytes = await deps.press.ask<Uint8Array>(job.merchantId, { kind: 'merge', papers, pickList })
    files[type] = `${batchId}-${job.takenTimes}-${type}.pdf`
    await deps.files.put(files[type], bytes)
  }
  return files
}

function ordersToPick(db: Database, { merchantId }: HeldJob, ids: readonly string[]): Promise<OrderToPick[]> {
  return inSteps({ db, merchantId }, ids, (statements, some) =>
    readOrdersToPick(statements, merchantId, some),
  )
}

/** A step's worth at a time: all papers of a batch received at once would keep every request waiting. */
async function readPapers(
  db: Database,
  job: HeldJob,
  { batchId, type }: { batchId: string; type: ReportType },
) {
  const rows: { position: number; bytes: Buffer; order_id: string }[] = []
  for (;;) {
    const some = await db.view(job.merchantId, ({ query }) =>
      query<(typeof rows)[number]>(
        `select p.position, p.bytes, o.order_id
         from batch_papers p join batch_orders o using (merchant_id, batch_id, position)
         where p.merchant_id = $1 and p.batch_id = $2 and p.report_type = $3 and p.position > $4
         order by p.position limit ${stepSize}`,
        [job.merchantId, batchId, type, rows.at(-1)?.position ?? -1],
      ),
    )
    rows.push(...some)
    if (some.length < stepSize) return rows
  }
}

/** A step's worth at a time: all orders of a batch taken apart at once would keep every request waiting. */
async function inSteps<T>(
  { db, merchantId }: { db: Database; merchantId: string },
  ids: readonly string[],
  read: (statements: Statements, some: readonly string[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const orders: T[] = []
  for (let from = 0; from < ids.length; from += stepSize) {
    const some = ids.slice(from, from + stepSize)
    orders.push(...(await db.view(merchantId, (statements) => read(statements, some))))
  }
  return orders
}

async function exportDetails(deps: BatchJobDeps, { job, batchId }: Work): Promise<BatchFiles> {
  const ids = await deps.db.write(job.merchantId, async (statements) => {
    await job.hold(statements)
    const rows = await statements.query<{ order_id: string }>(
      `select order_id from batch_orders
       where merchant_id = $1 and batch_id = $2 and order_id is not null order by position`,
      [job.merchantId, batchId],
    )
    await statements.query(
      `update batch_orders set state = 'done' where merchant_id = $1 and batch_id = $2 and state = 'waiting'`,
      [job.merchantId, batchId],
    )
    return rows.map((row) => row.order_id)
  })
  const { merchantId } = job
  const orders = await inSteps({ db: deps.db, merchantId }, ids, async (statements, some) => {
    const printed = await readPrintedOrders(statements, merchantId, some)
    return some.flatMap((id) => printed.get(id)?.order ?? [])
  })
  if (orders.length === 0) return {}
  const bytes = await deps.press.ask<Uint8Array>(job.merchantId, { kind: 'details', orders })
  const download = `${batchId}-${job.takenTimes}-orders.csv`
  await deps.files.put(download, bytes)
  return { download }
}
