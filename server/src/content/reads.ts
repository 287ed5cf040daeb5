import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'

interface DocumentRow {
  readonly notification_text: string
  readonly message: string | null
  readonly modal_title: string | null
  readonly notification_color: string | null
}

export async function getPublishedDocument(db: Database, name: string) {
  const [row] = await db.systemQuery<DocumentRow>(
    'select notification_text, message, modal_title, notification_color from documents where name = $1',
    [name],
  )
  return row === undefined ? refuse('not_found') : { name, data: row }
}
