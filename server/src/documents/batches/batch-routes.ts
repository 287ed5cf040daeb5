import * as lines from '@cellarhand/contract/documents'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { handingOut, type FileStore } from '#platform/files/file-store.ts'
import type { FileLinks } from '#platform/files/signed-links.ts'
import { createCommands } from '#platform/http/command.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { getBatch } from './batch-reads.ts'
import { batchJob, startBatch } from './start-batch.ts'

export interface BatchDeps {
  readonly db: Database
  readonly files: FileStore
  readonly links: FileLinks
  readonly publicUrl: (request: FastifyRequest) => string
  /** Where the links of mails lead; no request can change it. Undefined when nobody has told the server. */
  readonly mailBase: () => string | undefined
  readonly onBatch: () => void
}

export function serveBatches(http: Http, deps: BatchDeps): void {
  const { serve } = http
  const { db, files, links, publicUrl, mailBase, onBatch } = deps
  const { command } = createCommands(http, { db, onChange: onBatch })
  const own = () => ({ job: batchJob, mailBase: mailBase() })
  command(lines.exportDetails, (statements, { caller, body }) =>
    startBatch(statements, caller, { ...own(), asked: body.items, types: [] }),
  )
  command(lines.printReports, (statements, { caller, body }) =>
    startBatch(statements, caller, {
      ...own(),
      asked: body.order_keys,
      types: body.report_types,
      paper: body.paper,
    }),
  )
  serve(lines.getBatch, ({ caller, params, request }) =>
    getBatch(
      db,
      { merchantId: caller.merchantId, batchId: params.batch_id },
      { of: links, baseUrl: publicUrl(request) },
    ),
  )
  serve(lines.downloadFile, async ({ params, query, request, reply }) => {
    if (!links.isGood(params.name, query)) return refuse('bad_signature')
    if (files.linkTo !== undefined && mayLeave(request)) {
      const address = await files.linkTo(params.name)
      return address === undefined ? refuse('not_found') : reply.redirect(address, 302)
    }
    const bytes = await files.get(params.name)
    return bytes === undefined ? refuse('not_found') : sendFile(reply, params.name, bytes)
  })
}

/** A person's browser may be sent on to the store. The dashboard's fetches and frames may reach this server alone. */
function mayLeave({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest']
  // Over plain HTTP browsers send no such header, but the dashboard sends its credential.
  return headers.authorization === undefined && (destination === undefined || destination === 'document')
}

function sendFile(reply: FastifyReply, name: string, bytes: Buffer): FastifyReply {
  const { type, disposition } = handingOut(name)
  return reply.type(type).header('content-disposition', disposition).send(bytes)
}
