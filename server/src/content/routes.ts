import { drawBottle, getDocument } from '@cellarhand/contract/content'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { drawBottleSvg, parseBottleName } from './bottle-picture.ts'
import { getPublishedDocument } from './reads.ts'

const oneDaySeconds = 86_400

export function serveContent({ serve }: Http, { db }: { db: Database }): void {
  serve(getDocument, async ({ params }) => getPublishedDocument(db, params.name))
  serve(drawBottle, async ({ params, reply }) => {
    const bottle = parseBottleName(params.name)
    if (bottle === undefined) return refuse('not_found')
    return reply
      .type('image/svg+xml')
      .header('cache-control', `public, max-age=${oneDaySeconds}`)
      .send(drawBottleSvg(bottle))
  })
}
