import type { Database } from '#platform/db/database.ts'
import { bringForward } from '#platform/events/event-queue.ts'
import { refuse } from '#platform/http/refuse.ts'
import { requireWebhookAddress, type WebhookPolicy } from '../webhook-address.ts'

const secretBytes = { min: 24, max: 64 }

export async function saveWebhook(
  db: Database,
  policy: WebhookPolicy,
  { url, secret }: { url: string; secret: string },
) {
  const address = requireWebhookAddress(url, policy)
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1]
  const length = key === undefined ? 0 : Buffer.from(key, 'base64').length
  if (length < secretBytes.min || length > secretBytes.max) {
    refuse('validation_failed', {
      errors: {
        secret: `Must be whsec_ followed by ${secretBytes.min} to ${secretBytes.max} bytes in base64`,
      },
    })
  }
  await db.systemQuery(
    `insert into webhook_endpoint (url, secret_sealed) values ($1, $2)
     on conflict (only_row) do update set url = excluded.url, secret_sealed = excluded.secret_sealed, registered_at = now(),
       disabled_at = null, disabled_because = null`,
    [address.href, policy.seal(secret)],
  )
  while (await bringForward(db, { isNewReceiver: true }));
  return { url: address.href, status: 'active' }
}
