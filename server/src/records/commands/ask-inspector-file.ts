import { randomUUID } from 'node:crypto'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { enqueueJob } from '#platform/jobs/queue.ts'
import { inspectorJob } from '../inspector-job.ts'
import { periodProblems } from '../sales/period.ts'

/** Each reads all sales of its days. */
const filesAtMost = 3

/** An owner asks for the file; a job makes it. */
export async function askInspectorFile(
  statements: Statements,
  { merchantId, userId, name }: Pick<Staff, 'merchantId' | 'userId' | 'name'>,
  days: { from: string; to: string },
): Promise<void> {
  refuseInvalid({ from: undefined, to: undefined, ...periodProblems(days) })
  const [open] = await statements.query<{ files: number }>(
    'select count(*)::int as files from inspector_files where merchant_id = $1 and finished_at is null',
    [merchantId],
  )
  if ((open?.files ?? 0) >= filesAtMost)
    refuse('too_much_at_once', {
      message: `${filesAtMost} files are being made already. Please start another when one of them is done.`,
    })
  const fileId = randomUUID()
  await statements.query(
    `insert into inspector_files (merchant_id, file_id, from_day, to_day, requested_by_id, requested_by)
     values ($1, $2, $3, $4, $5, $6)`,
    [merchantId, fileId, days.from, days.to, userId, name],
  )
  await enqueueJob(statements, { merchantId, kind: inspectorJob, payload: { fileId, ...days } })
}
