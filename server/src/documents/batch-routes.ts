import {
  downloadFile,
  exportDetails,
  getBatch as getBatchCall,
  printReports,
} from '@cellarhand/contract/documents'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import type { FileStore } from '#platform/files/file-store.ts'
import type { FileLinks } from '#platform/files/signed-links.ts'
import type { Staff } from '#platform/http/caller.ts'
import { runCommand, type IdempotentRequest } from '#platform/http/idempotency.ts'
import { refuse } from '#platform/http/refuse.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import { actorOf } from '#orders/public.ts'
import { getBatch } from './batch-reads.ts'
import { startBatch, type BatchRequest } from './commands/start-batch.ts'

export interface BatchDeps {
  readonly db: Database
  readonly files: FileStore
  readonly links: FileLinks
  readonly publicUrl: (request: FastifyRequest) => string
  readonly onBatch: () => void
}

interface Asking {
  readonly caller: Staff
  readonly request: FastifyRequest
  readonly idempotent: IdempotentRequest | undefined
}

export function serveBatches({ serve }: Http, deps: BatchDeps): void {
  const { db, files, links, publicUrl } = deps
  async function start(
    { caller, request, idempotent }: Asking,
    wanted: Pick<BatchRequest, 'asked' | 'reportTypes'>,
  ): Promise<JsonText> {
    const { merchantId, userId } = caller
    const batch = { ...wanted, merchantId, userId, actor: actorOf(caller), baseUrl: publicUrl(request) }
    const reply = await runCommand(db, { merchantId, idempotent }, async (statements) => ({
      status: 202,
      text: JSON.stringify({ batch_id: await startBatch(statements, batch) }),
    }))
    deps.onBatch()
    return new JsonText(reply.text, reply.status)
  }
  serve(exportDetails, ({ body, ...asking }) => start(asking, { asked: body.items, reportTypes: [] }))
  serve(printReports, ({ body, ...asking }) =>
    start(asking, { asked: body.order_keys, reportTypes: body.report_types }),
  )
  serve(getBatchCall, ({ caller, params, request }) =>
    getBatch(
      db,
      { merchantId: caller.merchantId, batchId: params.batch_id },
      { of: links, baseUrl: publicUrl(request) },
    ),
  )
  serve(downloadFile, async ({ params, query, reply }) => {
    if (!links.isGood(params.name, query)) return refuse('bad_signature')
    const bytes = await files.get(params.name)
    return bytes === undefined ? refuse('not_found') : sendFile(reply, params.name, bytes)
  })
}

const mediaTypes: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
}

function sendFile(reply: FastifyReply, name: string, bytes: Buffer): FastifyReply {
  return reply
    .type(mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(bytes)
}
