import { isAlive, isReady } from '@cellarhand/contract/insights'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'

export function serveInsights({ serve }: Http, { db }: { db: Database }): void {
  serve(isAlive, async () => ({ status: 'ok' as const }))
  serve(isReady, async () => {
    await db.systemQuery('select 1')
    return { status: 'ok' as const }
  })
}
