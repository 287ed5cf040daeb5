import { maybe, text } from '@cellarhand/contract/fields'
import type { FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import { Type, type Static } from 'typebox'
import { recordPaymentStatus } from '#merchants/public.ts'
import type { Database } from '#platform/db/database.ts'
import { createBodyReader } from '#platform/http/callback-body.ts'
import { refuse } from '#platform/http/refuse.ts'
import { noteReceived, wasReceived } from '#platform/outside/received-events.ts'
import type { Payments } from '../payments.ts'

export interface StripeEvents {
  readonly stripe: () => Promise<Stripe>
  readonly payments: Payments
  readonly secret: string
}

interface EventDeps {
  readonly db: Database
  readonly stripeEvents: StripeEvents | undefined
}

const accountType = 'v2.core.account'

/**
 * Stripe reports a changed account, perhaps twice, late or out of order. So the server reads the account again and
 * ignores the event's contents. A failure gets a failing status, and Stripe sends the event again.
 */
export async function takeStripeEvent(
  { db, stripeEvents }: EventDeps,
  request: FastifyRequest,
): Promise<void> {
  if (stripeEvents === undefined) return refuse('not_found')
  const event = await verified(stripeEvents, request, db.clock.nowMs())
  const received = { provider: 'stripe', id: event.id }
  if (await wasReceived(db, received)) return
  const accountId = event.related_object?.type === accountType ? event.related_object.id : undefined
  if (accountId !== undefined && (await isOurs(db, accountId))) {
    const readAt = new Date(db.clock.nowMs())
    const account = await stripeEvents.payments.findAccount(accountId)
    const reading = { accountId, status: account?.status ?? 'rejected', readAt }
    await db.system((statements) => recordPaymentStatus(statements, reading))
  }
  await noteReceived(db, received)
}

const ThinEvent = Type.Object({
  id: text(255),
  related_object: maybe(Type.Object({ id: text(255), type: text(255) })),
})
const readThinEvent = createBodyReader(ThinEvent)

const toleranceSeconds = 300

/** Signed by Stripe, over these very bytes, at most five minutes before or after the given moment. */
async function verified(
  { stripe: open, secret }: StripeEvents,
  request: FastifyRequest,
  nowMs: number,
): Promise<Static<typeof ThinEvent>> {
  const stripe = await open()
  const header = request.headers['stripe-signature']
  const signature = typeof header === 'string' ? header : ''
  try {
    stripe.parseEventNotification(request.rawBody, signature, secret, toleranceSeconds, undefined, nowMs)
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'StripeSignatureVerificationError')
      return refuse('bad_signature', { message: 'The signature does not fit, or is too old.' })
    return refuse('validation_failed', { message: 'This is no thin event of Stripe.' })
  }
  // The library refuses old signatures alone. One of a later day would be good until that day.
  if (signedAt(signature) > nowMs / 1000 + toleranceSeconds)
    return refuse('bad_signature', {
      message: 'The signature is dated in the future. Please check the clock of this server.',
    })
  return readThinEvent(request.body)
}

/** In seconds. Like the library, it takes the last of several. */
function signedAt(signature: string): number {
  const stamp = signature.split(',').findLast((part) => part.startsWith('t='))
  return Number.parseInt(stamp?.slice(2) ?? '', 10)
}

async function isOurs(db: Database, accountId: string): Promise<boolean> {
  const rows = await db.systemQuery('select 1 from merchants where merchant_account_id = $1', [accountId])
  return rows.length > 0
}
