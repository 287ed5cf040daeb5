import { Readable } from 'node:stream'
import * as lines from '@cellarhand/contract/records'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { FileLinks } from '#platform/files/signed-links.ts'
import { createCommands } from '#platform/http/command.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { askInspectorFile } from './commands/ask-inspector-file.ts'
import { partName } from './inspector-job.ts'
import { findInspectorFile, listInspectorFiles, type StoredFile } from './reads.ts'

interface RecordsDeps {
  readonly db: Database
  readonly files: FileStore
  readonly links: FileLinks
  readonly publicUrl: (request: FastifyRequest) => string
  readonly onFile: () => void
}

export function serveRecords(http: Http, { db, files, links, publicUrl, onFile }: RecordsDeps): void {
  const linksFor = (request: FastifyRequest, merchantId: string) => (id: string) =>
    links.create(publicUrl(request), id, `merchant/${merchantId}/inspector_files`)
  http.serve(lines.listInspectorFiles, ({ caller: { merchantId }, request }) =>
    db.view(merchantId, (statements) =>
      listInspectorFiles(statements, merchantId, linksFor(request, merchantId)),
    ),
  )
  const { command } = createCommands(http, { db, onChange: onFile })
  command(lines.makeInspectorFile, async (statements, { caller, merchantId, body, request }) => {
    await askInspectorFile(statements, caller, body)
    return listInspectorFiles(statements, merchantId, linksFor(request, merchantId))
  })
  http.serve(lines.downloadInspectorFile, async ({ params, query, reply }) => {
    if (!links.isGood(params.id, query)) return refuse('bad_signature')
    const file = await db.view(params.tmk, (statements) =>
      findInspectorFile(statements, params.tmk, params.id),
    )
    const first = file && (await files.get(partName(file.name, 0)))
    if (file === undefined || first === undefined) return refuse('not_found')
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="inspection-${file.from}-to-${file.to}.zip"`)
      .send(Readable.from(partsOf(files, file, first)))
  })
}

/** One part after the other; a part that is gone breaks the download off, since half an archive is none. */
async function* partsOf(
  files: FileStore,
  { name, parts }: StoredFile,
  first: Buffer,
): AsyncGenerator<Buffer> {
  yield first
  for (let index = 1; index < parts; index++) {
    const part = await files.get(partName(name, index))
    if (part === undefined) throw new Error(`Part ${index} of ${name} is gone.`)
    yield part
  }
}
