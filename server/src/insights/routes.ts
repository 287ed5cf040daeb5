import { isAlive, isReady } from '@cellarhand/contract/insights'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'

export interface InsightDeps {
  readonly db: Database
  /** Whether the process was told to stop, and only finishes what it has. */
  readonly isLeaving: () => boolean
}

export function serveInsights({ serve }: Http, { db, isLeaving }: InsightDeps): void {
  serve(isAlive, async () => ({ status: 'ok' as const }))
  serve(isReady, async () => {
    if (isLeaving()) refuse('leaving')
    await db.systemQuery('select 1')
    return { status: 'ok' as const }
  })
}
