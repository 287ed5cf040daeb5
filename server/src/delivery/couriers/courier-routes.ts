import * as checkLines from '@cellarhand/contract/courier-checks'
import * as lines from '@cellarhand/contract/delivery'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { createCommands } from '#platform/http/command.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import { stepOf } from '#orders/public.ts'
import { cancelCourier } from './cancel-courier.ts'
import { decideCourierCheck, listCourierChecks, silentService } from './courier-checks.ts'
import { readSignature } from './courier-proofs.ts'
import { lookSoon } from './courier-worker.ts'
import { refreshCourier } from './refresh-courier.ts'
import { requestCourier } from './request-courier.ts'
import type { CourierServices } from './courier.ts'
import { sandboxTrackingPage } from './sandbox-courier.ts'

export interface CourierDeps {
  readonly db: Database
  readonly couriers: CourierServices
  readonly courierWorker: Worker
  readonly isDemo: boolean
  readonly onChange: () => void
}

export function serveCouriers(http: Http, deps: CourierDeps): void {
  const { serve } = http
  const { db, couriers: services, courierWorker, onChange } = deps
  serveCourierChecks(http, deps)
  serve(lines.requestCourier, async (call) => {
    const { body, idempotent } = call
    const asked = { wish: body.courier_info, idempotent }
    const reply = await requestCourier({ db, services }, stepOf(call), asked)
    onChange()
    courierWorker.wake()
    return new JsonText(reply.text, reply.status)
  })
  serve(lines.refreshCourier, async (call) => {
    const courier_info = await refreshCourier({ db, services }, stepOf(call))
    onChange()
    return { courier_info }
  })
  serve(lines.cancelCourier, async (call) => {
    const text = await cancelCourier({ db, services }, stepOf(call))
    onChange()
    return new JsonText(text)
  })
  serve(lines.getCourierSignature, async ({ caller, params, reply }) => {
    const key = { merchantId: caller.merchantId, orderId: params.id }
    const { mediaType, bytes } = await readSignature(db, key)
    return reply.type(mediaType).header('cache-control', 'private, no-store').send(bytes)
  })
  serve(lines.takeCourierCallback, async ({ params, body, request }) => {
    const service = services.all.find(({ slug }) => slug === params.service)
    if (service === undefined) return refuse('not_found')
    const names = service.readCallback({ headers: request.headers, rawBody: request.rawBody, body })
    if (names === undefined) return refuse('bad_callback')
    await lookSoon(db, service.name, names)
    courierWorker.wake()
    return {}
  })
  if (deps.isDemo) {
    serve(lines.trackSandboxCourier, async ({ params, reply }) => {
      const page = await sandboxTrackingPage(db, params.id)
      return page === undefined ? refuse('not_found') : reply.type('text/html; charset=utf-8').send(page)
    })
  }
}

function serveCourierChecks(http: Http, { db, couriers: services }: CourierDeps): void {
  http.serve(checkLines.listCourierChecks, async ({ caller: { merchantId } }) =>
    db.view(merchantId, (statements) => listCourierChecks(statements, merchantId, services)),
  )
  const { command } = createCommands(http, { db })
  command(checkLines.decideCourierCheck, async (statements, { caller, merchantId, params, body }) => {
    const service = silentService(services, params.service)
    await decideCourierCheck(statements, { ...caller, service }, body)
    return listCourierChecks(statements, merchantId, services)
  })
}
