import type { CourierState } from '@cellarhand/contract/courier-states'
import { hasLiveCourier } from '@cellarhand/contract/order-guards'
import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import type { RefusalCode } from '@cellarhand/contract/refusals'
import type { Statements } from '#platform/db/database.ts'
import { refuse, Refused } from '#platform/http/refuse.ts'
import type { DueTable } from '#platform/jobs/claim.ts'
import {
  lockOrder,
  reportCourierEvent,
  requireTransition,
  writeChange,
  type OrderKey,
} from '#orders/public.ts'
import { doorText } from './courier-job.ts'
import { expectProof } from './courier-proofs.ts'
import { courierStages, wireStage, type CourierKey, type CourierNews, type CourierStage } from './courier.ts'

/** One request for a courier, as it is stored. */
export interface CourierDelivery {
  readonly merchant_id: string
  readonly order_id: string
  readonly attempt: number
  readonly delivery_id: string
  readonly service: string
  readonly service_id: string | null
  readonly state: 'asking' | 'unknown' | 'live' | 'over' | 'refused'
  readonly stage: CourierStage | null
  readonly packages: number
  readonly instructions: string | null
  readonly asked_by_id: string | null
  readonly asked_by_name: string
  readonly asked_at: Date
  readonly cancel_asked_at: Date | null
  /** The door as `doorText` writes it; null in requests of earlier releases. */
  readonly sent_to: string | null
  readonly is_leased: boolean
}

export const deliveryColumns = `merchant_id, order_id, attempt, delivery_id, service, service_id, state, stage, packages, instructions,
  asked_by_id, asked_by_name, asked_at, cancel_asked_at, sent_to, due_at > now() as is_leased`

export function keyOf({ delivery_id, service_id, asked_at }: CourierDelivery): CourierKey {
  return { deliveryId: delivery_id, serviceId: service_id, askedAt: asked_at }
}

/** Without a fence: news only moves a delivery forwards, and the order's lock decides which of two holders writes first. */
export const deliveries: DueTable<Pick<CourierDelivery, 'merchant_id' | 'order_id' | 'attempt'>> = {
  table: 'courier_deliveries',
  key: { merchant_id: 'text', order_id: 'text', attempt: 'integer' },
  due: 'due_at',
  idOf: ({ merchant_id, order_id, attempt }) => [merchant_id, order_id, attempt],
}

/** Without a callback, the server asks the service at this interval. */
const quietSeconds = 120

/** A delivery that is due stays due: the service called back during the question, and its answer may be old. */
export function askedAgainIn(seconds: number): string {
  return `case when due_at <= clock_timestamp() then due_at else now() + make_interval(secs => ${seconds}) end`
}

export async function latestDelivery(
  statements: Statements,
  { merchantId, orderId }: OrderKey,
): Promise<CourierDelivery | undefined> {
  const [row] = await statements.query<CourierDelivery>(
    `select ${deliveryColumns} from courier_deliveries where merchant_id = $1 and order_id = $2 order by attempt desc limit 1 for update`,
    [merchantId, orderId],
  )
  return row
}

function isOver(stage: CourierStage): boolean {
  return ['delivered', 'failed', 'cancelled'].includes(stage)
}

function isLater(now: CourierStage, before: CourierStage | null): boolean {
  if (before === null) return true
  return !isOver(before) && courierStages.indexOf(now) > courierStages.indexOf(before)
}

/**
 * Writes a service's news into the delivery and, if the order moves, into the order. News only move forwards, and each
 * step counts once, in any number and sequence of messages. `isAsked` means that a clerk wants the newest times too.
 */
export async function takeNews(
  statements: Statements,
  delivery: CourierDelivery,
  { news, isAsked = false }: { news: CourierNews; isAsked?: boolean },
): Promise<void> {
  const key = { merchantId: delivery.merchant_id, orderId: delivery.order_id }
  const { order } = await lockOrder(statements, key)
  const current = await latestDelivery(statements, key)
  const isLatest = current?.attempt === delivery.attempt
  const [stored] = await statements.query<{ stage: CourierStage | null }>(
    'select stage from courier_deliveries where merchant_id = $1 and order_id = $2 and attempt = $3 for update',
    [key.merchantId, key.orderId, delivery.attempt],
  )
  const before = stored?.stage ?? null
  const isNew = isLater(news.stage, before)
  const stage = isNew ? news.stage : before
  await statements.query(
    `update courier_deliveries set stage = $4, state = $5, service_id = coalesce(service_id, $6), fee_cents = coalesce($7, fee_cents),
       due_at = ${askedAgainIn(quietSeconds)}
     where merchant_id = $1 and order_id = $2 and attempt = $3`,
    [
      key.merchantId,
      key.orderId,
      delivery.attempt,
      stage,
      stage !== null && isOver(stage) ? 'over' : 'live',
      news.serviceId ?? null,
      news.feeCents ?? null,
    ],
  )
  if (stage === 'delivered') await expectProof(statements, key, delivery.attempt)
  if (
    !isLatest ||
    order.courier_info === null ||
    isFinishedForMerchant(order.status) ||
    !hasLiveCourier(order)
  )
    return
  const info = order.courier_info
  const told = {
    tracking_url: news.trackingUrl,
    estimated_pickup_time: news.pickupAt,
    estimated_delivery_time: news.deliveryAt,
  }
  const hasLink = news.trackingUrl !== undefined && news.trackingUrl !== info.tracking_url
  const hasTimes =
    isAsked &&
    (differs(news.pickupAt, info.estimated_pickup_time) ||
      differs(news.deliveryAt, info.estimated_delivery_time))
  if (!isNew && !hasLink && !hasTimes) return
  const report = (order_status: CourierState) =>
    reportCourierEvent(statements, key, {
      provider: delivery.service,
      order_status,
      ...told,
      reason: news.reason,
      hasProof: true,
    })
  const isStillHere = order.status !== 'MERCHANT_SHIPPED'
  try {
    // The news of the pick-up got lost, or is still on its way.
    if (isNew && news.stage === 'delivered' && isStillHere) await report(wireStage.picked_up)
    await report(isNew ? wireStage[news.stage] : info.order_status)
  } catch (error) {
    // The order's status forbids the step. The delivery itself has moved all the same, and must not be asked for ever.
    if (!(error instanceof Refused)) throw error
  }
}

async function writeDown(
  statements: Statements,
  { merchant_id, order_id, attempt }: CourierDelivery,
  news: CourierNews,
): Promise<void> {
  await statements.query(
    `update courier_deliveries set state = 'live', stage = $4, service_id = $5, fee_cents = $6,
       due_at = now() + make_interval(secs => 5)
     where merchant_id = $1 and order_id = $2 and attempt = $3`,
    [merchant_id, order_id, attempt, news.stage, news.serviceId ?? null, news.feeCents ?? null],
  )
}

/** The order's own status does not tell the background work about these, and the courier would still come. */
const cancelling: ReadonlySet<RefusalCode> = new Set(['address_corrected', 'duty_forbids'])

/**
 * The order refused this courier. One that drives to an address corrected since, or for an order that a rule holds by
 * now, is marked to be cancelled.
 */
export async function writeDownUnwanted(
  statements: Statements,
  delivery: CourierDelivery,
  { news, refused }: { news: CourierNews; refused: Refused },
): Promise<void> {
  await writeDown(statements, delivery, news)
  if (!cancelling.has(refused.code)) return
  await statements.query(
    `update courier_deliveries set cancel_asked_at = now(), due_at = now()
     where merchant_id = $1 and order_id = $2 and attempt = $3`,
    [...deliveries.idOf(delivery)],
  )
}

/** Gives the order the courier that took it. Refuses if the order may have none any more. */
export async function adoptCourier(
  statements: Statements,
  delivery: CourierDelivery,
  news: CourierNews,
): Promise<string> {
  const key = { merchantId: delivery.merchant_id, orderId: delivery.order_id }
  const locked = await lockOrder(statements, key)
  await requireTransition(statements, key.merchantId, { locked, action: 'request_courier' })
  // The background work cancels each courier that another request came after.
  if ((await latestDelivery(statements, key))?.attempt !== delivery.attempt)
    refuse('courier_refused', { message: overtaken, errors: [{ message: overtaken }] })
  if (delivery.sent_to !== null && delivery.sent_to !== doorText(locked.order.recipient))
    refuse('address_corrected', { message: wrongDoor, errors: [{ message: wrongDoor }] })
  await writeDown(statements, delivery, news)
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      action: 'request_courier',
      actor: { kind: 'merchant', id: delivery.asked_by_id, name: delivery.asked_by_name },
      patch: {
        courier_info: {
          provider: delivery.service,
          tracking_url: news.trackingUrl ?? null,
          number_of_packages: delivery.packages,
          estimated_delivery_time: news.deliveryAt ?? null,
          estimated_pickup_time: news.pickupAt ?? null,
          requested_pickup_time: new Date(statements.clock.nowMs()).toISOString(),
          order_status: wireStage[news.stage],
        },
        aux_data: { ...locked.order.aux_data, courier_pick_instructions: delivery.instructions },
      },
      details: { service: delivery.service, packages: delivery.packages },
    },
  })
}

const wrongDoor =
  'The address was corrected while the courier was being requested, so that courier is cancelled. Please request another one.'

const overtaken =
  'Another courier was requested for this order meanwhile, so the courier of this request is cancelled. The order shows the one that comes.'

function differs(now: string | undefined, before: string | null): boolean {
  return now !== undefined && (before === null || Date.parse(now) !== Date.parse(before))
}
