import {
  downloadFile,
  exportDetails,
  getBatch as getBatchCall,
  printReports,
} from '@cellarhand/contract/documents'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { handingOut, type FileStore } from '#platform/files/file-store.ts'
import type { FileLinks } from '#platform/files/signed-links.ts'
import type { Staff } from '#platform/http/caller.ts'
import { runCommand, type IdempotentRequest } from '#platform/http/idempotency.ts'
import { refuse } from '#platform/http/refuse.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import { actorOf } from '#orders/public.ts'
import { getBatch } from './batch-reads.ts'
import { batchJob, startBatch, type BatchRequest } from './start-batch.ts'

export interface BatchDeps {
  readonly db: Database
  readonly files: FileStore
  readonly links: FileLinks
  readonly publicUrl: (request: FastifyRequest) => string
  /** Where the links of mails lead, whatever a request says; undefined when nobody has told the server. */
  readonly mailBase: () => string | undefined
  readonly onBatch: () => void
}

interface Asking {
  readonly caller: Staff
  readonly idempotent: IdempotentRequest | undefined
}

export function serveBatches({ serve }: Http, deps: BatchDeps): void {
  const { db, files, links, publicUrl, mailBase } = deps
  async function start(
    { caller, idempotent }: Asking,
    wanted: Pick<BatchRequest, 'asked' | 'types'>,
  ): Promise<JsonText> {
    const { merchantId, userId } = caller
    const batch = {
      ...wanted,
      merchantId,
      userId,
      actor: actorOf(caller),
      mailBase: mailBase(),
      job: batchJob,
    }
    const reply = await runCommand(db, { merchantId, idempotent }, async (statements) => ({
      status: 202,
      text: JSON.stringify({ batch_id: await startBatch(statements, batch) }),
    }))
    deps.onBatch()
    return new JsonText(reply.text, reply.status)
  }
  serve(exportDetails, ({ body, ...asking }) => start(asking, { asked: body.items, types: [] }))
  serve(printReports, ({ body, ...asking }) =>
    start(asking, { asked: body.order_keys, types: body.report_types }),
  )
  serve(getBatchCall, ({ caller, params, request }) =>
    getBatch(
      db,
      { merchantId: caller.merchantId, batchId: params.batch_id },
      { of: links, baseUrl: publicUrl(request) },
    ),
  )
  serve(downloadFile, async ({ params, query, request, reply }) => {
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
