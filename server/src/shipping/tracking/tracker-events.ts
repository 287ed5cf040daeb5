import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TrackerEvent, TrackerStatus } from '../port/shipping-port.ts'

const statuses: Readonly<Record<string, TrackerStatus>> = {
  in_transit: 'in_transit',
  available_for_pickup: 'out_for_delivery',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  failure: 'failed',
  return_to_sender: 'failed',
}

/** EasyPost's signature: HMAC-SHA256 of the raw body; its key is the secret in Unicode's NFKD form. */
export function signEvent(secret: string, rawBody: string): string {
  const digest = createHmac('sha256', Buffer.from(secret.normalize('NFKD'), 'utf8'))
    .update(rawBody, 'utf8')
    .digest('hex')
  return `hmac-sha256-hex=${digest}`
}

/** Undefined if the signature is wrong; empty if the message is not about a parcel on its way. */
export function readTrackerEvents(
  secret: string,
  signature: string | undefined,
  rawBody: string,
): TrackerEvent[] | undefined {
  if (signature === undefined || !isSame(signature, signEvent(secret, rawBody))) return undefined
  const event = JSON.parse(rawBody) as Record<string, unknown>
  const result = (event['result'] ?? {}) as Record<string, unknown>
  const { id } = event
  const { tracking_code, status } = result
  const isTracker = typeof event['description'] === 'string' && event['description'].startsWith('tracker.')
  if (!isTracker || typeof id !== 'string' || typeof tracking_code !== 'string') return []
  const known = typeof status === 'string' && Object.hasOwn(statuses, status) ? statuses[status] : undefined
  return known === undefined ? [] : [{ id, trackingCode: tracking_code, status: known, at: momentOf(result) }]
}

/** The moment of the event, from the parcel's own latest entry; null if that is no valid moment. */
function momentOf(result: Record<string, unknown>): string | null {
  const details = Array.isArray(result['tracking_details']) ? (result['tracking_details'] as unknown[]) : []
  const latest = details.at(-1) as { datetime?: unknown } | undefined
  const said = latest?.datetime ?? result['updated_at']
  const at = typeof said === 'string' ? Date.parse(said) : Number.NaN
  return Number.isNaN(at) || at > Date.now() ? null : new Date(at).toISOString()
}

function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
