import { randomBytes } from 'node:crypto'
import type { Database, Statements } from '#platform/db/database.ts'
import {
  findEarlierReply,
  runCommand,
  type IdempotentRequest,
  type StoredReply,
} from '#platform/http/idempotency.ts'
import { refuse, Refused } from '#platform/http/refuse.ts'
import { leaseEnd, whileHolding } from '#platform/jobs/claim.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { takeProviderShare } from '#platform/provider-share.ts'
import { saveCourierInstructions } from '#merchants/public.ts'
import { lockOrder, requireTransition, type LockedOrder, type MerchantStep } from '#orders/public.ts'
import { courierJobOf, doorText } from './courier-job.ts'
import {
  adoptCourier,
  deliveries,
  deliveryColumns,
  keyOf,
  latestDelivery,
  writeDownUnwanted,
  type CourierDelivery,
} from './courier-news.ts'
import {
  CourierRefused,
  serviceOf,
  type CourierJob,
  type CourierNews,
  type CourierServices,
} from './courier.ts'

export interface PickupWish {
  readonly number_of_package: number
  readonly pickup_instructions?: string | null
  readonly save_instructions?: boolean | null
}

/** When nobody knows whether the request arrived, the service is asked after this. */
const doubtSeconds = 15

interface Opened {
  readonly delivery: CourierDelivery
  readonly job: CourierJob
  /** The same request was made before, and its result is unknown. */
  readonly isRepeat: boolean
}

/**
 * Requests a courier, once. The request is stored under its own id first, and no transaction is open during the call.
 * If the process dies or waits in between, the stored id allows asking the service again.
 */
export async function requestCourier(
  { db, services }: { db: Database; services: CourierServices },
  step: MerchantStep,
  { wish, idempotent }: { wish: PickupWish; idempotent: IdempotentRequest | undefined },
): Promise<StoredReply> {
  const { merchantId } = step
  const known = await db.read(merchantId, (statements) =>
    findEarlierReply(statements, merchantId, idempotent),
  )
  if (known !== undefined) return known
  await takeProviderShare(db, merchantId)
  const opened = await db.write(merchantId, async (statements) => {
    const earlier = await findEarlierReply(statements, merchantId, idempotent)
    return earlier ?? openRequest(statements, step, { wish, services })
  })
  if ('text' in opened) return opened
  let news: CourierNews
  try {
    const held = new Set([opened.delivery])
    news = await whileHolding(db, { table: deliveries, held }, () => askOnce(services, opened))
  } catch (error) {
    return giveUp(db, opened, error)
  }
  const { delivery } = opened
  return runCommand(db, { merchantId, idempotent }, (statements) =>
    settleRequest(statements, { delivery, news }),
  )
}

async function openRequest(
  statements: Statements,
  step: MerchantStep,
  { wish, services }: { wish: PickupWish; services: CourierServices },
): Promise<Opened> {
  const { merchantId, orderId, actor } = step
  const locked = await lockOrder(statements, step)
  await requireTransition(statements, merchantId, { locked, action: 'request_courier' })
  const latest = await latestDelivery(statements, step)
  if (latest?.state === 'asking' && latest.is_leased)
    refuse('request_in_progress', {
      message: `${latest.asked_by_name} is requesting a courier for this order right now. Please look again in a moment.`,
    })
  const sentTo = doorText(locked.order.recipient)
  // A request for an address corrected since is not repeated. If its courier comes after all, it is cancelled.
  const isRepeat =
    latest !== undefined &&
    (latest.state === 'asking' || latest.state === 'unknown') &&
    (latest.sent_to ?? sentTo) === sentTo
  if (isRepeat) requireService(services, latest)
  const attempt = isRepeat ? latest.attempt : (latest?.attempt ?? 0) + 1
  const [delivery] = await statements.query<CourierDelivery>(
    `insert into courier_deliveries (merchant_id, order_id, attempt, delivery_id, service, state, packages, instructions,
       asked_by_id, asked_by_name, sent_to, tried_at, due_at)
     values ($1, $2, $3, $4, $5, 'asking', $6, $7, $8, $9, $10, now(), ${leaseEnd})
     on conflict (merchant_id, order_id, attempt) do update set state = 'asking', packages = excluded.packages,
       instructions = excluded.instructions, asked_by_id = excluded.asked_by_id, asked_by_name = excluded.asked_by_name,
       tried_at = excluded.tried_at, due_at = excluded.due_at
     returning ${deliveryColumns}`,
    [
      merchantId,
      orderId,
      attempt,
      // The random part tells this server's orders from another server's on the same account.
      `${orderId}-${attempt}-${randomBytes(5).toString('hex')}`,
      services.current.name,
      wish.number_of_package,
      wish.pickup_instructions?.trim() || null,
      actor.id,
      actor.name,
      sentTo,
    ],
  )
  if (delivery === undefined) throw new Error('The courier request was not written down')
  if (wish.save_instructions === true) {
    await saveCourierInstructions(statements, merchantId, delivery.instructions)
  }
  const job = await jobOf(statements, locked, delivery)
  return { delivery, job, isRepeat }
}

function requireService(services: CourierServices, delivery: CourierDelivery): void {
  try {
    serviceOf(services, delivery)
  } catch (error) {
    throw refusalOf(error)
  }
}

async function jobOf(
  statements: Statements,
  { order }: LockedOrder,
  { merchant_id, delivery_id, asked_at, packages, instructions }: CourierDelivery,
): Promise<CourierJob> {
  return courierJobOf(statements, merchant_id, {
    order,
    asked: { deliveryId: delivery_id, askedAt: asked_at, packages, instructions },
  })
}

/** A request that one service may have taken is repeated there alone; another service would send a second courier. */
async function askOnce(services: CourierServices, { delivery, job, isRepeat }: Opened): Promise<CourierNews> {
  const service = serviceOf(services, delivery)
  const known = isRepeat ? await service.look(keyOf(delivery)) : undefined
  return known ?? service.request(job)
}

/**
 * A refusal frees the order for another request. If the effect is unknown, the service is asked later. A failed look, or
 * a refused repetition, says nothing about the earlier try, whose courier may be on the way: the doubt stays until the
 * background work is certain.
 */
async function giveUp(
  db: Database,
  { delivery, isRepeat }: Pick<Opened, 'delivery' | 'isRepeat'>,
  error: unknown,
): Promise<never> {
  const isUnknown =
    isRepeat ||
    (!(error instanceof CourierRefused) && !(error instanceof ProviderError && !error.isEffectUnknown))
  await db.write(delivery.merchant_id, (statements) =>
    statements.query(
      `update courier_deliveries set state = $4, due_at = now() + make_interval(secs => ${doubtSeconds})
       where merchant_id = $1 and order_id = $2 and attempt = $3 and state = 'asking'`,
      [delivery.merchant_id, delivery.order_id, delivery.attempt, isUnknown ? 'unknown' : 'refused'],
    ),
  )
  throw refusalOf(error, isRepeat)
}

/** Both forms on the wire: the sentence, and the list whose first entry is shown (DELIV-015). */
export function refusalOf(error: unknown, isInDoubt = false): unknown {
  try {
    if (error instanceof CourierRefused)
      refuse('courier_refused', { message: error.message, errors: [{ message: error.message }] })
    if (error instanceof ProviderError) {
      const message = isInDoubt ? error.adviceInDoubt : error.advice
      refuse('courier_failed', { message, errors: [{ message }] })
    }
    return error
  } catch (refused) {
    return refused
  }
}

/** The order may have ended during the call. The delivery is stored all the same, to be cancelled. */
async function settleRequest(
  statements: Statements,
  { delivery, news }: { delivery: CourierDelivery; news: CourierNews },
): Promise<StoredReply> {
  try {
    return { status: 200, text: await adoptCourier(statements, delivery, news) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await writeDownUnwanted(statements, delivery, { news, refused: error })
    return { status: error.status, text: JSON.stringify(error.toBody()) }
  }
}
