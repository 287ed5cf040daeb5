import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import { createOutside } from '#platform/outside/outside.ts'
import { createReadiness, type ReadinessDeps } from '#platform/readiness.ts'
import { createMetrics } from './metrics.ts'
import { serveInsights } from './routes.ts'
import { createSegmentSink, segmentName } from './segment.ts'
import type { ErrorReports } from './sentry.ts'
import { insightSettings } from './settings.ts'

export { segmentName } from './segment.ts'
export { openErrorReports, sentryName } from './sentry.ts'

interface InsightsStart extends ReadinessDeps {
  readonly http: Http
  readonly db: Database
  readonly config: Config
  readonly health: HealthRecord
  readonly errorReports: ErrorReports
  readonly isLeaving: () => boolean
}

/** Health, metrics, error reports and events. Closing sends the events that still wait. */
export function startInsights(start: InsightsStart): {
  close(): Promise<void>
} {
  const { http, db, config, health, errorReports, isLeaving } = start
  const readiness = createReadiness(start)
  const metrics = createMetrics(http.app, db, config.dataDir)
  const { segment, errorReportUrl } = insightSettings.read(config.env)
  const events = segment && createSegmentSink(createOutside({ provider: segmentName, health }), segment)
  serveInsights(http, {
    db,
    isLeaving,
    readiness,
    metrics,
    metricsCredential: config.metricsCredential,
    errorReports,
    events,
    reportUrl: errorReportUrl,
  })
  return {
    async close() {
      await events?.close()
      await errorReports.close()
      await readiness.close()
    },
  }
}
