import { createHmac } from 'node:crypto'
import { postGuarded, type PostAnswer, type PostLimits } from '#platform/outside/guarded-post.ts'

export interface WebhookMessage {
  readonly url: URL
  /** Each whsec_ and the key in base64: the present one, and during a rotation the one before. */
  readonly secrets: readonly string[]
  /** The same at every try, so that a receiver recognises a repetition. */
  readonly id: string
  /** Of the event among all events, for a receiver that wants to read on from there. */
  readonly position: number
  readonly body: string
}

/** One POST by Standard Webhooks. */
export function postWebhook(
  { url, secrets, id, position, body }: WebhookMessage,
  limits: PostLimits,
): Promise<PostAnswer> {
  const timestamp = Math.floor(limits.clock.nowMs() / 1000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Cellarhand-Webhooks/1',
    'webhook-id': id,
    'webhook-position': String(position),
    'webhook-timestamp': String(timestamp),
    // A receiver takes the event if one of the signatures is good.
    'webhook-signature': secrets.map((secret) => signWebhook(secret, { id, timestamp, body })).join(' '),
  }
  return postGuarded({ url, headers, body }, limits)
}

/** https://www.standardwebhooks.com: HMAC-SHA256 of id, time and body. */
export function signWebhook(
  secret: string,
  content: { id: string; timestamp: number; body: string },
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const text = `${content.id}.${content.timestamp}.${content.body}`
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}
