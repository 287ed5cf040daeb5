import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import { openFileStore } from '#platform/files/open-file-store.ts'
import { createFileLinks } from '#platform/files/signed-links.ts'
import type { Http } from '#platform/http/server.ts'
import { startWorkers, type HeldJob } from '#platform/jobs/queue.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import { createSideProcess } from '#platform/side-process/side-process.ts'
import type { Clock } from '#platform/clock/clock.ts'
import { finishBatch, publishFiles, sweepBatches } from './batches/batch-finish.ts'
import { createBatchJob } from './batches/batch-job.ts'
import type { BatchFiles } from './batches/batch-reads.ts'
import { serveBatches } from './batches/batch-routes.ts'
import { batchJob } from './batches/start-batch.ts'
import { createPress, type Press } from './papers/paper-tasks.ts'
import { serveDocuments } from './routes.ts'

export interface BatchDesk {
  readonly files: FileStore
  /** Publishes the files made so far. */
  publish(job: HeldJob, soFar: { batchId: string; files: BatchFiles }): Promise<void>
  /** Ends a job and its batch, and sends the mail if somebody waited too long. */
  finish(job: HeldJob, ended: { batchId: string; files: BatchFiles }): Promise<void>
}

const program = new URL('./papers/paper-program.ts', import.meta.url)
const drawingMs = 120_000
/** Together less than a browser waits for its answer. */
const counterDrawingMs = 30_000
const counterWaitMs = 20_000

interface StartDeps {
  readonly http: Http
  readonly config: Config
  readonly db: Database
  readonly health: HealthRecord
  readonly stationery: Stationery
  readonly publicUrl: (request: FastifyRequest) => string
  readonly mailBase: () => string | undefined
  readonly onChange: () => void
  readonly onMail: () => void
  readonly onError: (error: unknown) => void
}

/** A press of its own, for a command. */
export function openPress(clock: Clock): { readonly press: Press; stop(): Promise<void> } {
  const printer = createSideProcess(program, { waitMs: drawingMs, clock, isAwaited: true })
  return { press: createPress(printer, clock), stop: () => printer.stop() }
}

/** The slice's calls, and its background work. */
export function startDocuments(deps: StartDeps) {
  const { http, config, db, health, publicUrl, mailBase, onChange, onError } = deps
  const { clock } = db
  const files = openFileStore(config, health)
  const links = createFileLinks(config.sealingKeys[0], clock)
  const printer = createSideProcess(program, { waitMs: drawingMs, clock, lulls: http.lulls })
  // A clerk at the printer, with one slip to print, waits for no batch and for no request.
  const counter = createSideProcess(program, { waitMs: counterDrawingMs, clock })
  const press = createPress(printer, clock)
  const workers = startWorkers({
    db,
    kinds: { [batchJob]: createBatchJob({ ...deps, files, links, press }) },
    onError,
  })
  const desk: BatchDesk = {
    files,
    publish: (job, soFar) => publishFiles(db, job, soFar),
    finish: (job, ended) => finishBatch({ ...deps, links }, job, ended),
  }
  serveDocuments(http, { db, press: createPress(counter, clock, { waitMs: counterWaitMs }), onChange })
  serveBatches(http, { db, files, links, publicUrl, mailBase, onBatch: () => workers.wake() })
  return {
    /** For the batches of other slices. */
    batches: desk,
    /** For the files and papers of other slices. */
    files,
    links,
    press,
    sweep: (isStopping: () => boolean) => sweepBatches(db, files, isStopping),
    async stop(): Promise<void> {
      const stopped = workers.stop()
      await printer.stop()
      await stopped
    },
    /** Stops once every request has its paper. */
    counter,
  }
}
