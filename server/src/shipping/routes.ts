import * as lines from '@cellarhand/contract/shipping'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import { runCommand } from '#platform/http/idempotency.ts'
import { refuse } from '#platform/http/refuse.ts'
import { JsonText, type Call, type Http } from '#platform/http/server.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import { startBatch } from '#documents/public.ts'
import { stepOf } from '#orders/public.ts'
import { buyLabels } from './labels/buy-labels.ts'
import { quoteLabels } from './labels/quote-labels.ts'
import { correctTracking } from './tracking/correct-tracking.ts'
import { disconnectCarrierAccount, saveCarrierAccount } from './account/save-carrier-account.ts'
import { takeTrackerEvent } from './tracking/take-tracker-event.ts'
import { voidLabels } from './labels/void-labels.ts'
import type { LabelLinks } from './labels/label-links.ts'
import { labelRefusal } from './port/label-refusal.ts'
import { labelsJob } from './labels/labels-job.ts'
import { labelEndings, zplType } from './port/label-files.ts'
import type { LabelPress } from './port/label-tasks.ts'
import { getCarrierAccount, listLabels, readLabelFile } from './reads.ts'
import type { ShippingProvider } from './port/shipping-port.ts'

export interface ShippingDeps {
  readonly db: Database
  /** Undefined outside the demo, unless one is configured. */
  readonly provider: ShippingProvider | undefined
  /** For the file of one purchase, which somebody stands and waits for. */
  readonly press: LabelPress
  readonly sealer: Sealer
  readonly links: LabelLinks
  readonly publicUrl: (request: FastifyRequest) => string
  /** Where the links of mails lead; no request can change it. Undefined when nobody has told the server. */
  readonly mailBase: () => string | undefined
  readonly onChange: () => void
  readonly onUnsettled: () => void
  readonly onError: (error: unknown) => void
  readonly onBatch: () => void
}

export function serveShipping(http: Http, deps: ShippingDeps): void {
  const { serve } = http
  const { db, provider, links, publicUrl, onChange } = deps
  const linkOf = (request: FastifyRequest) => (file: Parameters<LabelLinks['create']>[1]) =>
    links.create(publicUrl(request), file)

  serve(lines.listLabels, ({ caller, params, request }) =>
    listLabels(db, { merchantId: caller.merchantId, orderId: params.id }, linkOf(request)),
  )
  serve(lines.quoteLabels, (call) => quoteLabels(deps, stepOf(call), call.body.boxes))
  serve(lines.buyLabels, async (call) => {
    const { params, body, idempotent, request } = call
    if (body.order_id !== params.id)
      refuse('validation_failed', { errors: { order_id: 'Must be the id in the address' } })
    const step = stepOf(call)
    const order = await buyLabels(deps, step, { boxes: body.boxes, idempotent }).finally(onChange)
    const data = await listLabels(db, step, linkOf(request))
    const text = `{"status":200,"data":${JSON.stringify(data)},"order":${order}}`
    // Links and orders change with time, and the same request gets its first reply again.
    const command = { merchantId: step.merchantId, idempotent }
    const reply = await runCommand(db, command, () => Promise.resolve({ status: 200, text }))
    return new JsonText(reply.text, reply.status)
  })
  const batches = createCommands(http, { db, onChange: deps.onBatch })
  batches.command(lines.buyManyLabels, (statements, { caller, body }) => {
    if (provider === undefined) throw labelRefusal('general')
    const wish = { asked: body.items, types: ['labels'] as const, job: labelsJob, mailBase: deps.mailBase() }
    return startBatch(statements, caller, wish)
  })
  serve(lines.voidLabels, async (call) => {
    const text = await voidLabels({ db, provider }, stepOf(call)).finally(onChange)
    return new JsonText(text)
  })
  const { command } = createCommands(http, deps)
  command(lines.correctTracking, (statements, call) => {
    const { version, ...typed } = call.body
    return correctTracking(statements, { ...stepOf(call), seenVersion: version }, typed)
  })
  const openLabel = async ({ params, query, reply }: Call<typeof lines.openLabel>) => {
    const cut = params.label.lastIndexOf('-')
    const file = {
      merchantId: params.tmk,
      purchaseId: params.label.slice(0, cut),
      box: Number(params.label.slice(cut + 1)),
    }
    if (!links.isGood(file, query)) refuse('bad_signature')
    const { mediaType, bytes } = await readLabelFile(deps, file)
    const ending = labelEndings[mediaType] ?? 'bin'
    const isForPrinter = mediaType === zplType
    return (
      reply
        .type(mediaType)
        .header(
          'content-disposition',
          `${isForPrinter ? 'attachment' : 'inline'}; filename="label-${file.box}.${ending}"`,
        )
        .header('cache-control', 'private, max-age=3600')
        // The dashboard prints it from a frame.
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'self'")
        .send(bytes)
    )
  }
  // The press of merged labels has a line of its own, by shop.
  serve(lines.openLabel, openLabel, { hasOwnDoorway: true })
  serve(lines.receiveTrackerEvent, async ({ body, request }) => {
    const signature = request.headers['x-hmac-signature']
    const events = provider?.readEvents(typeof signature === 'string' ? signature : undefined, {
      rawBody: request.rawBody,
      body,
    })
    if (provider === undefined || events === undefined)
      return refuse('bad_signature', { message: 'The signature does not match the body.' })
    for (const event of events) await takeTrackerEvent(db, provider.name, event)
    onChange()
    return { taken: events.length > 0 }
  })
  serveCarrierAccount(http, deps)
}

function serveCarrierAccount({ serve }: Http, deps: ShippingDeps): void {
  serve(lines.getCarrierAccount, ({ caller }) => getCarrierAccount(deps.db, caller.merchantId))
  serve(lines.saveCarrierAccount, ({ caller, body }) => saveCarrierAccount(deps, caller.merchantId, body))
  serve(lines.disconnectCarrierAccount, async ({ caller }) => {
    await disconnectCarrierAccount(deps, caller.merchantId)
    return {}
  })
}
