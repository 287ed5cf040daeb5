import type { InspectorFiles } from '@cellarhand/contract/records'
import type { Statements } from '#platform/db/database.ts'

/** While a list hands out links to a file, each for an hour. The clean-up removes it after that hour. */
const linkHours = 24
export const fileHours = linkHours + 1

interface FileRow {
  readonly file_id: string
  readonly from_day: string
  readonly to_day: string
  readonly requested_by: string
  readonly requested_at: Date
  readonly sales: number
  readonly is_finished: boolean
  readonly problem: string | null
  readonly has_file: boolean
}

/** The newest first. */
export async function listInspectorFiles(
  { query }: Statements,
  merchantId: string,
  linkOf: (id: string) => string,
): Promise<InspectorFiles> {
  const rows = await query<FileRow>(
    `select file_id, from_day::text, to_day::text, requested_by, requested_at, sales, finished_at is not null as is_finished,
       problem, parts_name is not null and requested_at > now() - interval '${linkHours} hours' as has_file
     from inspector_files where merchant_id = $1 order by requested_at desc, file_id limit 10`,
    [merchantId],
  )
  return {
    files: rows.map((row) => ({
      id: row.file_id,
      from: row.from_day,
      to: row.to_day,
      requested_by: row.requested_by,
      requested_at: row.requested_at.toISOString(),
      sales: row.sales,
      is_finished: row.is_finished,
      problem: row.problem,
      url: row.has_file ? linkOf(row.file_id) : null,
    })),
  }
}

export interface StoredFile {
  readonly name: string
  readonly parts: number
  readonly from: string
  readonly to: string
}

/** By its age, not by its row: after a restore, a row may name a file that the clean-up has removed meanwhile. */
export async function findInspectorFile(
  { query }: Statements,
  merchantId: string,
  fileId: string,
): Promise<StoredFile | undefined> {
  const [file] = await query<StoredFile>(
    `select parts_name as name, parts, from_day::text as "from", to_day::text as "to"
     from inspector_files where merchant_id = $1 and file_id = $2 and parts_name is not null
       and requested_at > now() - interval '${fileHours} hours'`,
    [merchantId, fileId],
  )
  return file
}
