import { printPackingSlip, printReceipt } from '@cellarhand/contract/documents'
import { reportFileName } from '@cellarhand/contract/report-files'
import type { FastifyReply } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { actorOf } from '#orders/public.ts'
import { markPrinted } from './papers/mark-printed.ts'
import { drawPackingSlip } from './papers/packing-slip.ts'
import { getPrintedOrder } from './papers/reads.ts'
import { drawReceipt } from './papers/receipt.ts'

export interface DocumentDeps {
  readonly db: Database
  readonly onChange: () => void
}

export function serveDocuments({ serve }: Http, { db, onChange }: DocumentDeps): void {
  serve(printPackingSlip, async ({ caller, params, request, reply }) => {
    const { merchantId } = caller
    const madeAt = new Date()
    const printing = { merchantId, actor: actorOf(caller), madeAt }
    // A HEAD request prints nothing.
    const isLook = request.method === 'HEAD'
    const { printed, bytes } = await db.write(merchantId, async (statements) => {
      const before = isLook ? undefined : await markPrinted(statements, printing, [params.id])
      const firstPrintedAt = before?.get(params.id) ?? null
      const order = await getPrintedOrder(statements, merchantId, params.id)
      return { printed: order, bytes: await drawPackingSlip(order, { madeAt, firstPrintedAt }) }
    })
    onChange()
    return sendPdf(reply, bytes, reportFileName(printed.order, 'packingslip'))
  })
  serve(printReceipt, async ({ caller, params, reply }) => {
    const printed = await db.read(caller.merchantId, (statements) =>
      getPrintedOrder(statements, caller.merchantId, params.id),
    )
    if (printed.order.status === 'SUBMITTED') return refuse('receipt_not_available')
    const bytes = await drawReceipt(printed, { madeAt: new Date() })
    return sendPdf(reply, bytes, reportFileName(printed.order, 'receipt'))
  })
}

function sendPdf(reply: FastifyReply, bytes: Buffer, fileName: string): FastifyReply {
  const plain = fileName.replaceAll(/[^ -~]|["\\%]/g, '_')
  return reply
    .type('application/pdf')
    .header(
      'content-disposition',
      `inline; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll("'", '%27')}`,
    )
    .send(bytes)
}
