import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Press } from '#documents/public.ts'
import type { Database } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { FileLinks } from '#platform/files/signed-links.ts'
import type { Http } from '#platform/http/server.ts'
import { startWorkers } from '#platform/jobs/queue.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { createInspectorJob, inspectorJob } from './inspector-job.ts'
import { createSalesFinder } from './sales-source.ts'
import { purgeByRule } from './purge-by-rule.ts'
import { serveRecords } from './routes.ts'
import { sweepInspectorFiles } from './sweep-files.ts'

interface StartDeps {
  readonly http: Http
  readonly db: Database
  readonly documents: { readonly files: FileStore; readonly links: FileLinks; readonly press: Press }
  readonly log: Logger
  readonly publicUrl: (request: FastifyRequest) => string
  readonly upkeep: readonly Upkeep[]
  readonly checkFields: Pick<Sealer, 'open'>
  readonly onError: (error: unknown) => void
}

/** The slice's calls, and its background work. */
export function startRecords({
  http,
  db,
  documents,
  log,
  publicUrl,
  upkeep,
  checkFields,
  onError,
}: StartDeps) {
  const { files, links, press } = documents
  const source = createSalesFinder(db, { clock: db.clock, lulls: http.lulls })
  const kinds = { [inspectorJob]: createInspectorJob({ db, files, press, source, checkFields }) }
  const workers = startWorkers({ db, kinds, onError })
  serveRecords(http, { db, files, links, publicUrl, onFile: () => workers.wake() })
  return {
    sweepFiles: (isStopping: () => boolean) => sweepInspectorFiles(db, files, isStopping),
    async purge(isStopping: () => boolean) {
      await purgeByRule(db, upkeep, {
        isStopping,
        onPurge: (purge) => log.info({ purge }, 'purged by a rule'),
      })
    },
    async stop() {
      await workers.stop()
      await source.stop()
    },
  }
}
