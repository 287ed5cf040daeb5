import type { Database } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { HeldJob, JobKind } from '#platform/jobs/queue.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import type { Press } from '#documents/public.ts'
import type { SalesSource } from './sales-source.ts'
import { writeInspectorFile, type Progress } from './write-inspector-file.ts'

export const inspectorJob = 'inspector_file'

interface Payload {
  readonly fileId: string
  readonly from: string
  readonly to: string
}

interface JobDeps {
  readonly db: Database
  readonly files: FileStore
  readonly press: Press
  readonly source: Pick<SalesSource, 'pages'>
  readonly checkFields: Pick<Sealer, 'open'>
}

/** A part of the archive in the file store: no more of it is in memory, here or at the download. */
const partBytes = 4_000_000
/** A page is some hundred sales. */
const pagesPerNote = 10
const notMade = 'The file could not be made. Please try again.'

export const partName = (name: string, index: number) => `${name}-${index}.part`

export function createInspectorJob({ db, files, press, source, checkFields }: JobDeps): JobKind {
  return {
    async run(job) {
      const { fileId, ...days } = job.payload as Payload
      // No file names the parts of a worker that lost the job, so they go by their age.
      const parts = createParts(files, `${fileId}-${job.takenTimes}`)
      const { sales } = await writeInspectorFile(
        { db, press, source, checkFields, sink: parts.take, onProgress: progressOf(db, job, fileId) },
        { merchantId: job.merchantId, ...days },
      )
      await parts.end()
      await db.system(async (statements) => {
        await job.finish(statements)
        await statements.query(
          `update inspector_files set finished_at = now(), sales = $3, parts_name = $4, parts = $5
           where merchant_id = $1 and file_id = $2`,
          [job.merchantId, fileId, sales, parts.name, parts.count()],
        )
      })
    },
    async giveUp(job) {
      const { fileId } = job.payload as Payload
      await db.system(async (statements) => {
        await job.finish(statements)
        await statements.query(
          'update inspector_files set finished_at = now(), problem = $3 where merchant_id = $1 and file_id = $2',
          [job.merchantId, fileId, notMade],
        )
      })
    },
  }
}

/** Stops the work when the job is lost or the server stops, and tells the page now and then how far it is. */
function progressOf(db: Database, job: HeldJob, fileId: string): ({ sales }: Progress) => Promise<void> {
  let pages = 0
  return async ({ sales }) => {
    job.signal.throwIfAborted()
    pages += 1
    if (pages % pagesPerNote !== 0) return
    await db.write(job.merchantId, async (statements) => {
      await job.advance(statements)
      await statements.query(
        'update inspector_files set sales = $3 where merchant_id = $1 and file_id = $2',
        [job.merchantId, fileId, sales],
      )
    })
  }
}

function createParts(files: FileStore, name: string) {
  let open: Uint8Array[] = []
  let length = 0
  let count = 0
  const put = async () => {
    await files.put(partName(name, count), Buffer.concat(open))
    count += 1
    open = []
    length = 0
  }
  return {
    name,
    count: () => count,
    async take(bytes: Uint8Array) {
      open.push(bytes)
      length += bytes.length
      if (length >= partBytes) await put()
    },
    async end() {
      if (length > 0) await put()
    },
  }
}
