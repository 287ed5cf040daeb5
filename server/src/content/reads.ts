import { documentNames } from '@cellarhand/contract/content'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { BannerData, ContentService } from './prismic-documents.ts'

interface Sources {
  readonly db: Database
  readonly service: ContentService | undefined
  /** Whether the page asks another host for the documents. */
  readonly isElsewhere: boolean
}

/** For the page, so that it asks for no document in vain. Where only the asking tells, every name is published. */
export async function publishedNames({ db, service, isElsewhere }: Sources): Promise<string> {
  const every = documentNames.join(' ')
  if (service !== undefined || isElsewhere) return every
  // The page comes without the database too.
  const rows = await db.systemQuery<{ name: string }>('select name from documents').catch(() => undefined)
  return rows?.map(({ name }) => name).join(' ') ?? every
}

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
