import { createHmac } from 'node:crypto'
import { maybe, text } from '@cellarhand/contract/fields'
import { Type } from 'typebox'
import type { Clock } from '#platform/clock/clock.ts'
import { isMoment } from '#platform/clock/zoned-time.ts'
import { createBodyReader } from '#platform/http/callback-body.ts'
import { sameSecret } from '#platform/same-secret.ts'
import type { TrackerEvent, TrackerStatus } from '../port/shipping-port.ts'

const statuses: Readonly<Record<string, TrackerStatus>> = {
  in_transit: 'in_transit',
  available_for_pickup: 'at_pickup_point',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  failure: 'failed',
  return_to_sender: 'failed',
  cancelled: 'failed',
  error: 'failed',
}
/** Where the carrier itself says nothing. */
const ownWords: Readonly<Record<string, string>> = {
  return_to_sender: 'goes back to the sender',
  cancelled: 'the shipment was cancelled at the carrier',
  error: 'the carrier cannot follow it',
}
const longestWords = 200

const readEvent = createBodyReader(
  Type.Object({
    id: maybe(text(200)),
    description: maybe(text(200)),
    result: maybe(Type.Record(Type.String(), Type.Unknown())),
  }),
)
/** Other things than trackers have a status of another kind. */
const readTracker = createBodyReader(
  Type.Object({ tracking_code: maybe(text(200)), status: maybe(text(100)) }),
)

/** EasyPost's signature: HMAC-SHA256 of the raw body, keyed by the secret in Unicode's NFKD form. */
export function signEvent(secret: string, rawBody: string): string {
  const digest = createHmac('sha256', Buffer.from(secret.normalize('NFKD'), 'utf8'))
    .update(rawBody, 'utf8')
    .digest('hex')
  return `hmac-sha256-hex=${digest}`
}

/** Undefined if the signature is wrong; empty if the message is not about a parcel on its way. */
export function readTrackerEvents(
  { secret, clock }: { secret: string; clock: Clock },
  signature: string | undefined,
  { rawBody, body }: { rawBody: string; body: unknown },
): TrackerEvent[] | undefined {
  if (signature === undefined || !sameSecret(signature, signEvent(secret, rawBody))) return undefined
  const { id, description, result } = readEvent(body)
  if (description?.startsWith('tracker.') !== true || id == null || result == null) return []
  const { tracking_code: trackingCode, status } = readTracker(result)
  if (trackingCode == null || status == null || !Object.hasOwn(statuses, status)) return []
  const known = statuses[status]
  if (known === undefined) return []
  const words = known === 'failed' ? (carrierWordsOf(result) ?? ownWords[status] ?? null) : null
  return [{ id, trackingCode, status: known, at: momentOf(result, clock.nowMs()), words }]
}

/** No parcel of ours moved before. */
const earliest = Date.parse('2000-01-01T00:00:00Z')

/** The latest of the parcel's own entries. */
function latestOf(result: Record<string, unknown>): { datetime?: unknown; message?: unknown } | null {
  const details = Array.isArray(result['tracking_details']) ? (result['tracking_details'] as unknown[]) : []
  return (details.at(-1) ?? null) as ReturnType<typeof latestOf>
}

function carrierWordsOf(result: Record<string, unknown>): string | undefined {
  const said = latestOf(result)?.message
  return typeof said === 'string' && said.trim() !== '' ? said.trim().slice(0, longestWords) : undefined
}

/** When it happened, as the latest entry says; never a moment that is no moment. */
function momentOf(result: Record<string, unknown>, nowMs: number): string | null {
  const said = [latestOf(result)?.datetime, result['updated_at']].find(isMoment)
  const at = Date.parse(said ?? '')
  return at > earliest && at <= nowMs ? new Date(at).toISOString() : null
}
