import type { Database } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import {
  adoptCourier,
  askedAgainIn,
  deliveryColumns,
  takeNews,
  writeDown,
  type CourierDelivery,
} from './courier-news.ts'
import { CourierRefused, serviceOf, type CourierService, type CourierServices } from './courier.ts'

const pollMs = 2_000
const batchSize = 8
/** Longer than two calls to a service. */
const leaseSeconds = 60
const doubtSeconds = 30

export interface CourierWorkerDeps {
  readonly db: Database
  readonly services: CourierServices
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Work that nobody waits for: finding the result of an unanswered request, asking about a delivery after a callback or
 * a silence, and cancelling for orders that have ended.
 */
export function startCourierWorker(deps: CourierWorkerDeps): Worker {
  return startWorker({
    work: (isStopping) => workOff(deps, isStopping),
    everyMs: pollMs,
    onError: deps.onError,
  })
}

async function workOff(deps: CourierWorkerDeps, isStopped: () => boolean): Promise<void> {
  await markForCancelling(deps.db)
  while (!isStopped()) {
    const due = await claimDue(deps)
    await Promise.all(due.map((delivery) => attend(deps, delivery).catch(deps.onError)))
    if (due.length < batchSize) return
  }
}

/** The order was rejected, cancelled, held or brought back, or has another courier: nobody needs this one any more. */
async function markForCancelling(db: Database): Promise<void> {
  await db.systemQuery(
    `update courier_deliveries d set cancel_asked_at = now(), due_at = now()
     from orders o
     where o.merchant_id = d.merchant_id and o.order_id = d.order_id and d.state = 'live' and d.cancel_asked_at is null
       and (o.status in ('CLOSED', 'MERCHANT_REJECTED', 'PAYMENT_DECLINED', 'CANCELLED', 'DISPUTED', 'REFUNDED')
         or o.document -> 'courier_info' ->> 'order_status' in ('ORDER_CANCELLED', 'ORDER_FAILED')
         or exists (
           select from courier_deliveries later
           where later.merchant_id = d.merchant_id and later.order_id = d.order_id and later.attempt > d.attempt))`,
  )
}

async function claimDue({ db, services }: CourierWorkerDeps): Promise<CourierDelivery[]> {
  return db.systemQuery<CourierDelivery>(
    `update courier_deliveries set due_at = now() + make_interval(secs => ${leaseSeconds})
     where (merchant_id, order_id, attempt) in (
       select merchant_id, order_id, attempt from courier_deliveries
       where state in ('asking', 'unknown', 'live') and service = any ($1) and due_at <= now()
       order by due_at limit ${batchSize} for update skip locked
     ) returning ${deliveryColumns}`,
    [services.all.map(({ name }) => name)],
  )
}

async function attend(deps: CourierWorkerDeps, delivery: CourierDelivery): Promise<void> {
  const { db, onChange } = deps
  const service = serviceOf(deps.services, delivery)
  const { merchant_id: merchantId } = delivery
  const key = { deliveryId: delivery.delivery_id, serviceId: delivery.service_id }
  if (delivery.state === 'live' && delivery.cancel_asked_at !== null) {
    await cancelForGood(service, delivery)
  }
  const news = await service.look(key)
  if (news === undefined) {
    await settleUnfound(db, delivery)
    return
  }
  await db.write(merchantId, async (statements) => {
    if (delivery.state === 'live') return takeNews(statements, delivery, { news })
    try {
      await adoptCourier(statements, delivery, news)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // The order no longer wants it. Once stored, the next round finds and cancels it.
      await writeDown(statements, delivery, news)
    }
  })
  onChange()
}

async function cancelForGood(service: CourierService, delivery: CourierDelivery): Promise<void> {
  try {
    await service.cancel({ deliveryId: delivery.delivery_id, serviceId: delivery.service_id })
  } catch (error) {
    if (!(error instanceof CourierRefused)) throw error
    // Too late: the courier has the bottles, and their further way is news like any other.
  }
}

/** The service does not know it. A lost request is over; a delivery that the service once knew is asked for later. */
async function settleUnfound(db: Database, delivery: CourierDelivery): Promise<void> {
  await db.systemQuery(
    `update courier_deliveries set
       state = case when state = 'live' then state else 'refused' end,
       error = 'The service knows nothing of it',
       due_at = ${askedAgainIn(doubtSeconds)}
     where merchant_id = $1 and order_id = $2 and attempt = $3 and state = $4`,
    [delivery.merchant_id, delivery.order_id, delivery.attempt, delivery.state],
  )
}
