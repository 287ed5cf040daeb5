import { readOpenApi } from '@cellarhand/contract/content'
import { isAlive, isReady } from '@cellarhand/contract/insights'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { describeApi } from '#platform/http/openapi.ts'
import type { Http } from '#platform/http/server.ts'

export function serveInsights(
  { serve }: Http,
  { db, publicUrl }: { db: Database; publicUrl: (request: FastifyRequest) => string },
): void {
  serve(isAlive, async () => ({ status: 'ok' as const }))
  serve(isReady, async () => {
    await db.systemQuery('select 1')
    return { status: 'ok' as const }
  })
  serve(readOpenApi, async ({ request }) => describeApi(publicUrl(request)))
}
