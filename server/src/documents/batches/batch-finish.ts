import type { Database, Statements } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { FileLinks } from '#platform/files/signed-links.ts'
import type { HeldJob } from '#platform/jobs/queue.ts'
import type { Letter } from '#platform/mail/letter.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import type { BatchFiles } from './batch-reads.ts'

/** A screen asks for this long; after a longer wait, the clerk gets a mail (GAP-144). */
const pollingSeconds = 20

export interface FinishDeps {
  readonly db: Database
  readonly links: FileLinks
  readonly stationery: Stationery
  readonly mailBase: () => string | undefined
  readonly onMail: () => void
}

interface Ended {
  readonly base_url: string
  readonly requested_by: string
  readonly is_late: boolean
  readonly failed: number
  readonly total_count: number
}

/** The files of the finished orders, while the rest of the batch waits for something outside. */
export async function publishFiles(
  db: Database,
  job: HeldJob,
  { batchId, files }: { batchId: string; files: BatchFiles },
): Promise<void> {
  await db.system(async (statements) => {
    await job.hold(statements)
    await statements.query('update batches set files = $3 where merchant_id = $1 and batch_id = $2', [
      job.merchantId,
      batchId,
      JSON.stringify(files),
    ])
  })
}

/** Stores the files, ends the job and promises a mail, all or none. */
export async function finishBatch(
  deps: FinishDeps,
  job: HeldJob,
  { batchId, files }: { batchId: string; files: BatchFiles },
): Promise<void> {
  await deps.db.system(async (statements) => {
    await job.finish(statements)
    const key = [job.merchantId, batchId]
    // The server that signs the links opens them. The address of the beginning may be that of another cell.
    const [ended] = await statements.query<Ended>(
      `update batches b set finished_at = now(), files = $3, base_url = coalesce($4, base_url),
         mailed_at = case when coalesce($4, b.base_url) <> '' and b.created_at < now() - interval '${pollingSeconds} seconds' then now() end
       where merchant_id = $1 and batch_id = $2
       returning base_url, requested_by, mailed_at is not null as is_late, total_count,
         (select count(*)::int from batch_orders o
          where o.merchant_id = b.merchant_id and o.batch_id = b.batch_id and o.state = 'failed') as failed`,
      [...key, JSON.stringify(files), deps.mailBase() ?? null],
    )
    await statements.query('delete from batch_papers where merchant_id = $1 and batch_id = $2', key)
    if (ended?.is_late === true) await promiseLinks(statements, deps, { job, ended, files })
  })
  deps.onMail()
}

async function promiseLinks(
  statements: Statements,
  { links, stationery }: FinishDeps,
  { job, ended, files }: { job: HeldJob; ended: Ended; files: BatchFiles },
): Promise<void> {
  const [person] = await statements.query<{ email: string; first_name: string }>(
    'select email, first_name from users where user_id = $1 and merchant_id = $2',
    [ended.requested_by, job.merchantId],
  )
  if (person === undefined) return
  const addressed = { recipient: person.email, merchantId: job.merchantId, stationery }
  await promiseMail(statements, addressed, letterOf(person.first_name, ended, { links, files }))
}

const labels = {
  download: 'Download the order details',
  packingslip: 'Download the packing slips',
  receipt: 'Download the receipts',
  labels: 'Download the shipping labels',
} as const

function letterOf(
  firstName: string,
  ended: Ended,
  { links, files }: { links: FileLinks; files: BatchFiles },
): Letter {
  const buttons = (['packingslip', 'receipt', 'labels', 'download'] as const).flatMap((kind) => {
    const name = files[kind]
    return name === undefined ? [] : [{ label: labels[kind], url: links.create(ended.base_url, name) }]
  })
  const [button, ...more] = buttons
  const good = ended.total_count - ended.failed
  return {
    subject: button === undefined ? 'Your download could not be made' : 'Your download is ready',
    greeting: `Hello ${firstName},`,
    paragraphs: [
      button === undefined
        ? 'None of the orders that you asked for could be put into a file. Please try again from the order list.'
        : `What you asked for is ready: ${good} of ${ended.total_count} orders.`,
      ...(ended.failed > 0 && button !== undefined
        ? [`${ended.failed} could not be included. Please look at them in the order list.`]
        : []),
      ...(button === undefined ? [] : ['The links work for one hour.']),
    ],
    ...(button === undefined ? {} : { button, more }),
    footnote: 'You get this mail because the download took longer than the page waits for it.',
  }
}

const sweepSize = 100
const batchHours = 25
/** One day more than any batch lives. */
const fileHours = batchHours + 24

/**
 * Batches live for a day (GAP-141), and their files with them. No batch names the files of a worker that died or lost
 * its job, nor those that a newer file has replaced, so they are deleted by age.
 */
export async function sweepBatches(db: Database, files: FileStore, isStopping: () => boolean): Promise<void> {
  for (let count = sweepSize; count === sweepSize && !isStopping();) {
    const rows = await db.systemQuery<{ merchant_id: string; batch_id: string; files: string }>(
      `select merchant_id, batch_id, files from batches
       where created_at < now() - interval '${batchHours} hours' limit ${sweepSize}`,
    )
    count = rows.length
    for (const row of rows) {
      for (const name of Object.values(JSON.parse(row.files) as BatchFiles)) await files.remove(name)
      await db.systemQuery('delete from batches where merchant_id = $1 and batch_id = $2', [
        row.merchant_id,
        row.batch_id,
      ])
    }
  }
  await files.removeOlderThan?.(new Date(db.clock.nowMs() - fileHours * 3_600_000))
}
