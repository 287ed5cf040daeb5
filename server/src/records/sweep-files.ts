import type { Database } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import { partName } from './inspector-job.ts'
import { fileHours } from './reads.ts'

const sweepSize = 50

interface OldFile {
  readonly merchant_id: string
  readonly file_id: string
  readonly parts_name: string
  readonly parts: number
}

/** A file holds names and addresses, so it goes after a day. Its row stays, and says who had it made. */
export async function sweepInspectorFiles(
  db: Database,
  files: FileStore,
  isStopping: () => boolean,
): Promise<void> {
  for (let count = sweepSize; count === sweepSize && !isStopping();) {
    const rows = await db.systemQuery<OldFile>(
      `select merchant_id, file_id, parts_name, parts from inspector_files
       where parts_name is not null and requested_at < now() - interval '${fileHours} hours' limit ${sweepSize}`,
    )
    count = rows.length
    for (const row of rows) {
      for (let index = 0; index < row.parts; index++) await files.remove(partName(row.parts_name, index))
      await db.systemQuery(
        'update inspector_files set parts_name = null where merchant_id = $1 and file_id = $2',
        [row.merchant_id, row.file_id],
      )
    }
  }
}
