import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { Refused } from '#platform/http/refuse.ts'
import { claim, fewestUnderWay } from '#platform/jobs/claim.ts'
import { startDueWork } from '#platform/jobs/due-work.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import {
  adoptCourier,
  askedAgainIn,
  deliveries,
  deliveryColumns,
  keyOf,
  takeNews,
  writeDownUnwanted,
  type CourierDelivery,
} from './courier-news.ts'
import { CourierRefused, serviceOf, type CourierService, type CourierServices } from './courier.ts'

const atOnce = 8
const doubtSeconds = 30
/** Longer than a service takes to show what it was asked for, and far longer than a request is on its way. */
const certainAfterSeconds = 120
const againAfterErrorSeconds = 60
/** A courier that was called by a lost request has come or gone by then. */
const noCourierAfterHours = 24

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
  const { db, services, onError } = deps
  return startDueWork({
    db,
    table: deliveries,
    async take(limit) {
      await markForCancelling(db)
      await endUnanswerable(db, services)
      return claim<CourierDelivery>({ query: db.systemQuery }, deliveries, {
        which: `due_at <= now() and state in ('asking', 'unknown', 'live') and service = any ($1)`,
        values: [services.all.map(({ name }) => name)],
        first: fewestUnderWay(deliveries, "state in ('asking', 'unknown', 'live')"),
        limit,
        returning: deliveryColumns,
      })
    },
    run: (delivery) =>
      attend(deps, delivery).catch(async (error: unknown) => {
        await postpone(db, delivery)
        throw error
      }),
    atOnce,
    onError,
  })
}

/** The order was rejected, cancelled, held or brought back, or has another courier: nobody needs this one any more. */
async function markForCancelling(db: Database): Promise<void> {
  await db.systemQuery(
    `update courier_deliveries d set cancel_asked_at = now(), due_at = now()
     from orders o
     where o.merchant_id = d.merchant_id and o.order_id = d.order_id and d.state = 'live' and d.cancel_asked_at is null
       and ${isOpen('d.merchant_id')}
       and (o.status in ('CLOSED', 'MERCHANT_REJECTED', 'PAYMENT_DECLINED', 'CANCELLED', 'DISPUTED', 'REFUNDED')
         or o.document -> 'courier_info' ->> 'order_status' in ('ORDER_CANCELLED', 'ORDER_FAILED')
         or exists (
           select from courier_deliveries later
           where later.merchant_id = d.merchant_id and later.order_id = d.order_id and later.attempt > d.attempt))`,
  )
}

/** Nobody can ask the service any more, and the doubt would keep the order from every other courier. */
async function endUnanswerable(db: Database, { all }: CourierServices): Promise<void> {
  await db.systemQuery(
    `update courier_deliveries set state = 'refused'
     where state in ('asking', 'unknown') and service <> all ($1) and ${isOpen('merchant_id')}
       and coalesce(tried_at, asked_at) < now() - make_interval(hours => ${noCourierAfterHours})`,
    [all.map(({ name }) => name)],
  )
}

async function attend(deps: CourierWorkerDeps, delivery: CourierDelivery): Promise<void> {
  const { db, onChange } = deps
  const service = serviceOf(deps.services, delivery)
  const { merchant_id: merchantId } = delivery
  if (delivery.state === 'live' && delivery.cancel_asked_at !== null) {
    await cancelForGood(service, delivery)
  }
  const news = await service.look(keyOf(delivery))
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
      await writeDownUnwanted(statements, delivery, { news, refused: error })
    }
  })
  onChange()
}

async function cancelForGood(service: CourierService, delivery: CourierDelivery): Promise<void> {
  try {
    await service.cancel(keyOf(delivery))
  } catch (error) {
    if (!(error instanceof CourierRefused)) throw error
    // Too late, and the further way of the bottles is news like any other; or too early, and the next round asks again.
  }
}

/**
 * The service does not know it. A lost request is over once it cannot arrive any more: until then another try of the
 * clerk goes out under the same name, so that no two couriers come. A delivery that the service once knew is asked for
 * later.
 */
async function settleUnfound(db: Database, delivery: CourierDelivery): Promise<void> {
  await db.systemQuery(
    `update courier_deliveries set
       state = case when state = 'live' then state
         when coalesce(tried_at, asked_at) > now() - make_interval(secs => ${certainAfterSeconds}) then 'unknown'
         else 'refused' end,
       due_at = ${askedAgainIn(doubtSeconds)}
     where merchant_id = $1 and order_id = $2 and attempt = $3 and state = $4`,
    [delivery.merchant_id, delivery.order_id, delivery.attempt, delivery.state],
  )
}

async function postpone(db: Database, delivery: CourierDelivery): Promise<void> {
  await db.systemQuery(
    `update courier_deliveries set due_at = ${askedAgainIn(againAfterErrorSeconds)}
     where merchant_id = $1 and order_id = $2 and attempt = $3`,
    [...deliveries.idOf(delivery)],
  )
}

/** A callback names deliveries that have news. The worker then asks the service itself. */
export async function lookSoon(db: Database, service: string, deliveryIds: readonly string[]): Promise<void> {
  await db.systemQuery(
    `update courier_deliveries set due_at = now() where delivery_id = any ($1) and service = $2 and state in ('unknown', 'live')`,
    [deliveryIds, service],
  )
}
