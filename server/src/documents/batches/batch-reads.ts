import type { Api, Whole } from '@cellarhand/contract/api'
import type { Database } from '#platform/db/database.ts'
import type { FileLinks } from '#platform/files/signed-links.ts'
import { refuse } from '#platform/http/refuse.ts'

type Batch = Whole<Api['GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}']['reply']>

/** The names of a batch's files, by contents. */
export type BatchFiles = Partial<Record<'download' | 'packingslip' | 'receipt' | 'labels', string>>

interface BatchRow {
  readonly total_count: number
  readonly done: number
  readonly failed: string
  readonly in_doubt: string
  readonly is_finished: boolean
  readonly files: string
}

export async function getBatch(
  db: Database,
  { merchantId, batchId }: { merchantId: string; batchId: string },
  links: { readonly of: FileLinks; readonly baseUrl: string },
): Promise<Batch> {
  const [row] = await db.view(merchantId, ({ query }) =>
    query<BatchRow>(
      `select b.total_count, b.finished_at is not null as is_finished, b.files,
         count(*) filter (where o.state = 'done')::int as done,
         coalesce(json_agg(json_build_object('id', coalesce(o.order_id, o.asked), 'message', o.error) order by o.position)
           filter (where o.state = 'failed'), '[]') as failed,
         coalesce(json_agg(coalesce(o.order_id, o.asked) order by o.position)
           filter (where o.state = 'waiting' and o.is_in_doubt), '[]') as in_doubt
       from batches b join batch_orders o using (merchant_id, batch_id)
       where b.merchant_id = $1 and b.batch_id = $2 and b.created_at > now() - interval '24 hours'
       group by b.merchant_id, b.batch_id`,
      [merchantId, batchId],
    ),
  )
  if (row === undefined) return refuse('not_found')
  const failed = JSON.parse(row.failed) as Batch['failed']
  const files = JSON.parse(row.files) as BatchFiles
  const linkOf = (name: string | undefined) =>
    name === undefined ? null : links.of.create(links.baseUrl, name)
  // Clients stop asking when every order is counted, so the last order counts only when the files exist.
  const isAllButFinished = !row.is_finished && row.done + failed.length === row.total_count
  const counted = isAllButFinished ? Math.max(0, row.done - 1) : row.done
  return {
    batch_id: batchId,
    total_count: row.total_count,
    completed_count: counted,
    error_count: isAllButFinished && row.done === 0 ? failed.length - 1 : failed.length,
    batch_pdf_urls: {
      download: linkOf(files.download),
      packingslip: linkOf(files.packingslip),
      receipt: linkOf(files.receipt),
      labels: linkOf(files.labels),
    },
    failed,
    in_doubt: JSON.parse(row.in_doubt) as string[],
  }
}
