import { randomUUID } from 'node:crypto'
import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import type { ReportType } from '@cellarhand/contract/report-files'
import { refusals } from '@cellarhand/contract/refusals'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Statements } from '#platform/db/database.ts'
import { enqueueJob } from '#platform/jobs/queue.ts'
import { actorOf, type Actor } from '#orders/public.ts'

export const batchJob = 'batch'

/** Of one merchant: of those that start at the same time a few more may get in. */
const batchesAtMost = 20

/** What a batch's job has to know beside its rows. */
export interface BatchOrderPayload {
  readonly batchId: string
  readonly actor: Actor
  /** Letter, if none is named. */
  readonly paper?: PaperFormat | undefined
}

interface BatchWish {
  /** Where the links of its mail lead; undefined when there can be no mail. */
  readonly mailBase: string | undefined
  /** None for the export of details. */
  readonly types: readonly (ReportType | 'labels')[]
  /** The kind of the job that makes the files. */
  readonly job: string
  /** Orders by reference for reports, otherwise by number. */
  readonly asked: readonly string[]
  readonly paper?: PaperFormat | undefined
}

/** Stores the batch: the order that is due first comes first, and an order that does not exist has failed already. */
export async function startBatch(
  statements: Statements,
  caller: Staff,
  wish: BatchWish,
): Promise<{ batch_id: string }> {
  const { merchantId } = caller
  const { types } = wish
  const batchId = randomUUID()
  const key = types.some((type) => type !== 'labels') ? 'order_key' : 'order_id'
  const asked = [...new Set(wish.asked)]
  const [open] = await statements.query<{ batches: number }>(
    'select count(*)::int as batches from batches where merchant_id = $1 and finished_at is null',
    [merchantId],
  )
  if ((open?.batches ?? 0) >= batchesAtMost)
    refuse('too_much_at_once', {
      message: `${batchesAtMost} downloads are being made already. Please start another when some of them are done.`,
    })
  await statements.query(
    `insert into batches (merchant_id, batch_id, report_types, requested_by, base_url, total_count)
     values ($1, $2, $3, $4, $5, $6)`,
    [merchantId, batchId, [...new Set(types)], caller.userId, wish.mailBase ?? '', asked.length],
  )
  await statements.query(
    `insert into batch_orders (merchant_id, batch_id, position, asked, order_id, state, error)
     select $1, $2, row_number() over (order by o.deadline_at nulls last, o.order_id, a.place), a.asked, o.order_id,
       case when o.order_id is null then 'failed' else 'waiting' end,
       case when o.order_id is null then $4 end
     from unnest($3::text[]) with ordinality a (asked, place)
     left join orders o on o.merchant_id = $1 and o.${key} = a.asked`,
    [merchantId, batchId, asked, refusals.not_found.message],
  )
  const payload: BatchOrderPayload = { batchId, actor: actorOf(caller), paper: wish.paper }
  await enqueueJob(statements, { merchantId, kind: wish.job, payload })
  return { batch_id: batchId }
}
