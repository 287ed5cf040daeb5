import { drawBottle, getDocument } from '@cellarhand/contract/content'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import { drawBottleSvg, parseBottleName } from './bottle-picture.ts'
import { chooseContent } from './choose-content.ts'
import { getPublishedDocument, publishedNames } from './reads.ts'
import { newsSettings } from './settings.ts'

const oneDaySeconds = 86_400

interface ContentStart {
  readonly http: Http
  readonly db: Database
  readonly config: Config
  readonly health: HealthRecord
}

/** The banner's documents and the drawn bottles. Returns how to find the names of the documents for the page. */
export function startContent({ http: { serve }, db, config, health }: ContentStart): () => Promise<string> {
  const service = chooseContent(health, newsSettings.read(config.env))
  serve(getDocument, async ({ params }) => getPublishedDocument({ db, service }, params.name))
  serve(drawBottle, async ({ params, reply }) => {
    const bottle = parseBottleName(params.name)
    if (bottle === undefined) return refuse('not_found')
    return reply
      .type('image/svg+xml')
      .header('cache-control', `public, max-age=${oneDaySeconds}`)
      .send(drawBottleSvg(bottle))
  })
  return () => publishedNames({ db, service, isElsewhere: config.elsewhere.content !== undefined })
}
