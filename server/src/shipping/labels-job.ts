import { setTimeout as sleep } from 'node:timers/promises'
import type { Statements } from '#platform/db/database.ts'
import type { JobKind } from '#platform/jobs/queue.ts'
import type { Thread } from '#platform/threads/thread.ts'
import {
  endOrders,
  failOrders,
  listWaiting,
  readBatch,
  type BatchDesk,
  type BatchOrderPayload,
} from '#documents/public.ts'
import { buyManyLabels, purchaseKeyOf, type LabelWork, type ManyDeps } from './commands/buy-many-labels.ts'
import { labelEndings, zplType, type LabelFile } from './merge-labels.ts'

export const labelsJob = 'labels'

/** As many as are quoted and bought well within the time that a purchase is held. */
const stepSize = 25
const takeOverMs = 30_000
const pauseMs = 500
const notMade = 'The file could not be made. Please look at the order: a bought label is printed there.'
const otherKind = 'Its label is bought, in another format than the others. Please print it from the order.'

export interface LabelsJobDeps extends Omit<ManyDeps, 'provider'> {
  readonly provider: ManyDeps['provider'] | undefined
  readonly batches: BatchDesk
  readonly thread: Thread
  readonly onChange: () => void
}

/** Buys the labels of a batch's orders, some at a time, and puts them into one file. */
export function createLabelsJob(deps: LabelsJobDeps): JobKind {
  return {
    async run(job) {
      const work: LabelWork = { job, ...(job.payload as BatchOrderPayload) }
      const { provider } = deps
      const batch = await readBatch(deps.db, keyOf(work))
      if (batch === undefined || batch.isFinished)
        return deps.db.system((statements) => job.finish(statements))
      if (provider === undefined) throw new Error('No shipping provider is set up.')
      await takeOver(deps, work)
      while (await buyNext({ ...deps, provider }, work)) deps.onChange()
      const files = await putTogether(deps, work)
      await deps.batches.finish(job, { batchId: work.batchId, files })
    },
    async giveUp(job) {
      const work: LabelWork = { job, ...(job.payload as BatchOrderPayload) }
      await deps.db.write(job.merchantId, async (statements) => {
        await job.hold(statements)
        await failOrders(statements, keyOf(work), notMade)
      })
      await deps.batches.finish(job, { batchId: work.batchId, files: {} })
    },
  }
}

function keyOf({ job, batchId }: LabelWork) {
  return { merchantId: job.merchantId, batchId }
}

/** What a dead process left running is settled first: what it may have bought is asked for, never bought again. */
async function takeOver({ db, onUnsettled }: LabelsJobDeps, work: LabelWork): Promise<void> {
  const { job } = work
  const key = [job.merchantId, purchaseKeyOf(work)]
  const ofBatch = `merchant_id = $1 and idempotency_key = $2 and state = 'running'`
  const until = Date.now() + takeOverMs
  const left = await held(work, db, ({ query }) =>
    query(`update label_purchases set lease_until = now() where ${ofBatch} returning 1`, key),
  )
  for (let count = left.length; count > 0 && Date.now() < until;) {
    onUnsettled()
    await sleep(pauseMs, undefined, { signal: job.signal })
    const rest = await db.read(job.merchantId, ({ query }) =>
      query(`select 1 from label_purchases where ${ofBatch}`, key),
    )
    count = rest.length
  }
}

/** False when none is waiting. */
async function buyNext(deps: ManyDeps, work: LabelWork): Promise<boolean> {
  const waiting = await held(work, deps.db, (statements) => listWaiting(statements, keyOf(work), stepSize))
  if (waiting.length === 0) return false
  const ended = await buyManyLabels(deps, work, waiting)
  await held(work, deps.db, (statements) => endOrders(statements, keyOf(work), ended))
  return true
}

function held<T>({ job }: LabelWork, db: ManyDeps['db'], write: (statements: Statements) => Promise<T>) {
  return db.write(job.merchantId, async (statements) => {
    await job.hold(statements)
    return write(statements)
  })
}

type BatchLabel = LabelFile & { readonly position: number }

async function putTogether({ db, batches, thread }: LabelsJobDeps, work: LabelWork) {
  const { job, batchId } = work
  const all = await db.read(job.merchantId, ({ query }) =>
    query<BatchLabel>(
      `select o.position, f.media_type as "mediaType", f.bytes
       from batch_orders o
         join label_purchases p on p.merchant_id = o.merchant_id and p.order_id = o.order_id and p.idempotency_key = $3
         join label_files f on f.merchant_id = p.merchant_id and f.purchase_id = p.purchase_id
       where o.merchant_id = $1 and o.batch_id = $2 and o.state = 'done' and p.state = 'bought'
       order by o.position, f.box`,
      [job.merchantId, batchId, purchaseKeyOf(work)],
    ),
  )
  const [first] = all
  if (first === undefined) return {}
  // Only where the shop changed its label format in the middle of it.
  const fits = ({ mediaType }: BatchLabel) => (mediaType === zplType) === (first.mediaType === zplType)
  const others = all.filter((label) => !fits(label))
  if (others.length > 0) {
    const ended = others.map(({ position }) => ({ position, error: otherKind }))
    await held(work, db, (statements) => endOrders(statements, keyOf(work), ended))
  }
  job.signal.throwIfAborted()
  const merged = await thread.ask<LabelFile>(all.filter(fits))
  const labels = `${batchId}-${job.takenTimes}-labels.${labelEndings[merged.mediaType] ?? 'bin'}`
  await batches.files.put(labels, merged.bytes)
  return { labels }
}
