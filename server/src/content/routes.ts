import { drawBottle, getDocument } from '@cellarhand/contract/content'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { drawBottleSvg, parseBottleName } from './bottle-picture.ts'
import type { ContentService } from './prismic-documents.ts'
import { getPublishedDocument } from './reads.ts'

const oneDaySeconds = 86_400

export interface ContentDeps {
  readonly db: Database
  /** The source of documents that were not published here. */
  readonly service: ContentService | undefined
}

export function serveContent({ serve }: Http, { db, service }: ContentDeps): void {
  serve(getDocument, async ({ params }) => getPublishedDocument({ db, service }, params.name))
  serve(drawBottle, async ({ params, reply }) => {
    const bottle = parseBottleName(params.name)
    if (bottle === undefined) return refuse('not_found')
    return reply
      .type('image/svg+xml')
      .header('cache-control', `public, max-age=${oneDaySeconds}`)
      .send(drawBottleSvg(bottle))
  })
}
