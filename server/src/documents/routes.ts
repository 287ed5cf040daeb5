import { printPackingSlip, printReceipt } from '@cellarhand/contract/documents'
import { reportFileName } from '@cellarhand/contract/report-files'
import type { FastifyReply } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { actorOf } from '#orders/public.ts'
import { markPrinted } from './papers/mark-printed.ts'
import type { Drawn, PaperToDraw, Press } from './papers/paper-tasks.ts'
import { getPrintedOrder } from './papers/reads.ts'

export interface DocumentDeps {
  readonly db: Database
  /** For single papers, which somebody stands and waits for. */
  readonly press: Press
  readonly onChange: () => void
}

export function serveDocuments({ serve }: Http, { db, press, onChange }: DocumentDeps): void {
  const readOne = async (merchantId: string, orderId: string) =>
    db.view(merchantId, (statements) => getPrintedOrder(statements, merchantId, orderId))
  serve(printPackingSlip, async ({ caller, params, query, request, reply }) => {
    const { merchantId } = caller
    const { paper = 'letter' } = query
    const madeAt = new Date(db.clock.nowMs())
    const printed = await readOne(merchantId, params.id)
    const draw = (firstPrintedAt: string | null) =>
      drawOne(press, merchantId, { type: 'packingslip', paper, printed, firstPrintedAt, madeAt })
    const expected = printed.order.printed_timestamp
    const bytes = await draw(expected)
    // A caller who has hung up, or only asks for the headers, has no paper in hand.
    if (reply.raw.destroyed) return reply
    if (request.method === 'HEAD') return sendPdf(reply, bytes, reportFileName(printed.order, 'packingslip'))
    const send = (slip: Buffer) => sendPdf(reply, slip, reportFileName(printed.order, 'packingslip'))
    // Only the first slip marks the order, so a further one waits for no lock on it.
    if (expected !== null) return send(bytes)
    const printing = { merchantId, actor: actorOf(caller), madeAt }
    const before = await db.write(merchantId, (statements) => markPrinted(statements, printing, [params.id]))
    onChange()
    // Somebody else was first while it was drawn, so this one has to say that it is not.
    const first = before.get(params.id) ?? null
    return send(first === null ? bytes : await draw(first))
  })
  serve(printReceipt, async ({ caller, params, query, reply }) => {
    const { merchantId } = caller
    const printed = await readOne(merchantId, params.id)
    if (printed.order.status === 'SUBMITTED') return refuse('receipt_not_available')
    const receipt = {
      type: 'receipt',
      paper: query.paper ?? 'letter',
      printed,
      firstPrintedAt: null,
      madeAt: new Date(db.clock.nowMs()),
    } as const
    const bytes = await drawOne(press, merchantId, receipt)
    return sendPdf(reply, bytes, reportFileName(printed.order, 'receipt'))
  })
}

type OnePaper = Omit<PaperToDraw, 'position'> & { readonly madeAt: Date }

/** In the press, since a long order takes a while, and outside any transaction, since others would wait for it. */
async function drawOne(press: Press, merchantId: string, { madeAt, ...asked }: OnePaper): Promise<Buffer> {
  const papers = [{ ...asked, position: 1 }]
  const [drawn] = await press.ask<Drawn[]>(merchantId, { kind: 'draw', papers, madeAt })
  if (drawn?.bytes === undefined) throw new Error(`The paper could not be drawn: ${drawn?.error}`)
  return Buffer.from(drawn.bytes)
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
