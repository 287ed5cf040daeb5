import {
  cancelCourier as cancelCall,
  refreshCourier as refreshCall,
  requestCourier as requestCall,
  takeCourierCallback,
  trackSandboxCourier,
} from '@cellarhand/contract/delivery'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import { actorOf } from '#orders/public.ts'
import { cancelCourier } from './cancel-courier.ts'
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

export function serveCouriers({ serve }: Http, deps: CourierDeps): void {
  const { db, couriers: services, courierWorker, onChange } = deps
  serve(requestCall, async ({ caller, params, body, idempotent }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const reply = await requestCourier({ db, services }, step, { wish: body.courier_info, idempotent })
    onChange()
    courierWorker.wake()
    return new JsonText(reply.text, reply.status)
  })
  serve(refreshCall, async ({ caller, params }) => {
    const courier_info = await refreshCourier(
      { db, services },
      { merchantId: caller.merchantId, orderId: params.id },
    )
    onChange()
    return { courier_info }
  })
  serve(cancelCall, async ({ caller, params }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const text = await cancelCourier({ db, services }, step)
    onChange()
    return new JsonText(text)
  })
  serve(takeCourierCallback, async ({ params, body, request }) => {
    const service = services.all.find(({ slug }) => slug === params.service)
    if (service === undefined) return refuse('not_found')
    const names = service.readCallback({ headers: request.headers, rawBody: request.rawBody, body })
    if (names === undefined) return refuse('bad_callback')
    await db.systemQuery(
      `update courier_deliveries set due_at = now() where delivery_id = any ($1) and service = $2 and state in ('unknown', 'live')`,
      [names, service.name],
    )
    courierWorker.wake()
    return {}
  })
  if (deps.isDemo) {
    serve(trackSandboxCourier, async ({ params, reply }) => {
      const page = await sandboxTrackingPage(db, params.id)
      return page === undefined ? refuse('not_found') : reply.type('text/html; charset=utf-8').send(page)
    })
  }
}
