import type { Statements } from '#platform/db/database.ts'
import type { JobKind } from '#platform/jobs/queue.ts'
import type { SideProcess } from '#platform/side-process/side-process.ts'
import {
  endOrders,
  failOrders,
  listDoubtful,
  listWaiting,
  markDoubtful,
  putBack,
  readBatch,
  type BatchDesk,
  type BatchOrderPayload,
} from '#documents/public.ts'
import { buyManyLabels, purchaseKeyOf, type LabelWork, type ManyDeps } from './buy-many-labels.ts'
import { hasUnsettled, listUnsettled } from './label-purchases.ts'
import { labelEndings, zplType, type LabelFile } from '../port/label-files.ts'
import type { LabelTask } from '../port/label-tasks.ts'
import { settleLeft } from './settle-labels.ts'

export const labelsJob = 'labels'

/** How many are quoted before the first of them is bought. */
const stepSize = 25
/** The pause before a batch looks again at its orders in doubt. */
const restSeconds = 2
/** The same before it tries again to put its file where there was no room, or no object store. */
const noRoomSeconds = 30
const notMade = 'The file could not be made. Please look at the order: a bought label is printed there.'
const otherKind = 'Its label is bought, in another format than the others. Please print it from the order.'

export interface LabelsJobDeps extends Omit<ManyDeps, 'provider'> {
  readonly provider: ManyDeps['provider'] | undefined
  readonly batches: BatchDesk
  readonly merger: SideProcess
  readonly onChange: () => void
}

/**
 * Buys the labels of a batch's orders, some at a time, and puts them into one file. Orders in doubt wait for the
 * settler; meanwhile the file holds the others.
 */
export function createLabelsJob(deps: LabelsJobDeps): JobKind {
  return {
    async run(job) {
      const work: LabelWork = { job, ...(job.payload as BatchOrderPayload) }
      const { provider } = deps
      const batch = await readBatch(deps.db, keyOf(work))
      if (batch === undefined || batch.isFinished)
        return deps.db.system((statements) => job.finish(statements))
      if (provider === undefined) throw new Error('No shipping provider is set up.')
      await settleLeft(deps, purchasesOf(work))
      let isFurther = batch.files.labels === undefined
      let doubtful = await endDoubts(deps, work)
      while (await buyNext({ ...deps, provider }, work)) {
        isFurther = true
        doubtful = await endDoubts(deps, work)
        if (await job.isAwaited()) return job.rest(0)
      }
      if (doubtful > 0 && !isFurther) return job.rest(restSeconds)
      const ready = { batchId: work.batchId, files: await putTogether(deps, work) }
      // The file before stays until its age has it removed: links lead there, and so does a backup of this moment.
      await (doubtful > 0 ? deps.batches.publish(job, ready) : deps.batches.finish(job, ready))
      if (doubtful > 0) await job.rest(restSeconds)
    },
    async giveUp(job) {
      const work: LabelWork = { job, ...(job.payload as BatchOrderPayload) }
      const batch = await readBatch(deps.db, keyOf(work))
      // While somebody can still find out, a purchase that may have bought does not count as failed.
      await settleLeft(deps, purchasesOf(work))
      const isInDoubt = await held(work, deps.db, (statements) => hasUnsettled(statements, purchasesOf(work)))
      if (batch !== undefined && deps.provider !== undefined && isInDoubt) return job.rest(restSeconds)
      await held(work, deps.db, (statements) => failOrders(statements, keyOf(work), notMade))
      await deps.batches.finish(job, { batchId: work.batchId, files: {} })
    },
  }
}

function keyOf({ job, batchId }: LabelWork) {
  return { merchantId: job.merchantId, batchId }
}

function purchasesOf(work: LabelWork) {
  return { merchantId: work.job.merchantId, idempotencyKey: purchaseKeyOf(work) }
}

/**
 * Puts back the orders whose results are known by now. Their next turn takes the labels bought for them, and buys only
 * after a failed purchase. Returns how many are still in doubt. */
async function endDoubts({ db }: Pick<LabelsJobDeps, 'db'>, work: LabelWork): Promise<number> {
  return held(work, db, async (statements) => {
    const doubtful = await listDoubtful(statements, keyOf(work))
    if (doubtful.length === 0) return 0
    const unsettled = await listUnsettled(statements, {
      merchantId: work.job.merchantId,
      orderIds: doubtful.map(({ order_id }) => order_id),
    })
    const known = doubtful.filter(({ order_id }) => !unsettled.has(order_id))
    await putBack(
      statements,
      keyOf(work),
      known.map(({ position }) => position),
    )
    return doubtful.length - known.length
  })
}

/** False when none waits. */
async function buyNext(deps: ManyDeps & Pick<LabelsJobDeps, 'onChange'>, work: LabelWork): Promise<boolean> {
  const wanted = await held(work, deps.db, (statements) => listWaiting(statements, keyOf(work), stepSize))
  await buyManyLabels(deps, work, {
    wanted,
    onOutcome: async (outcome) => {
      await deps.db.write(work.job.merchantId, async (statements) => {
        await work.job.advance(statements)
        if ('isInDoubt' in outcome) await markDoubtful(statements, keyOf(work), outcome.position)
        else await endOrders(statements, keyOf(work), [outcome])
      })
      deps.onChange()
    },
  })
  return wanted.length > 0
}

function held<T>({ job }: LabelWork, db: ManyDeps['db'], write: (statements: Statements) => Promise<T>) {
  return db.write(job.merchantId, async (statements) => {
    await job.hold(statements)
    return write(statements)
  })
}

type BatchLabel = LabelFile & { readonly position: number }

async function putTogether({ db, batches, merger }: LabelsJobDeps, work: LabelWork) {
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
  // Differs only if the shop changed its label format in the middle of the batch.
  const fits = ({ mediaType }: BatchLabel) => (mediaType === zplType) === (first.mediaType === zplType)
  const others = all.filter((label) => !fits(label))
  if (others.length > 0) {
    const ended = others.map(({ position }) => ({ position, error: otherKind }))
    await held(work, db, (statements) => endOrders(statements, keyOf(work), ended))
  }
  job.signal.throwIfAborted()
  const task: LabelTask = { kind: 'merge', files: all.filter(fits) }
  const merged = await merger.ask<LabelFile>(task)
  const labels = `${batchId}-${job.takenTimes}-labels.${labelEndings[merged.mediaType] ?? 'bin'}`
  await batches.files.put(labels, merged.bytes).catch(async (error: unknown) => {
    // No try is used up: the labels are paid, and a full disk is none of the batch's fault. The sweep of old batches
    // ends the waiting.
    await job.rest(noRoomSeconds)
    throw error
  })
  return { labels }
}
