import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { BannerData, ContentService } from './prismic-documents.ts'

/** A document published by the admin command goes before one of the content service. */
export async function getPublishedDocument(
  { db, service }: { db: Database; service: ContentService | undefined },
  name: string,
) {
  const [row] = await db.systemQuery<BannerData>(
    'select notification_text, message, modal_title, notification_color from documents where name = $1',
    [name],
  )
  const data = row ?? (await service?.find(name))
  return data === undefined ? refuse('not_found') : { name, data }
}
