import { longestOverlapHours } from '@cellarhand/contract/marketplace'
import type { Database } from '#platform/db/database.ts'
import { bringForward } from '#platform/events/event-queue.ts'
import { refuse } from '#platform/http/refuse.ts'
import { openedBy, requireWebhookAddress, type WebhookPolicy } from '../webhook-address.ts'

interface StoredSecrets {
  readonly secret_sealed: string
  readonly previous_secret_sealed: string | null
  readonly previous_secret_until: Date | null
}

const secretBytes = { min: 24, max: 64 }

interface WebhookWish {
  readonly url: string
  readonly secret: string
  readonly keep_previous_secret_hours?: number
}

export async function saveWebhook(
  db: Database,
  policy: WebhookPolicy,
  { url, secret, keep_previous_secret_hours: overlapHours }: WebhookWish,
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
  await db.system(async (statements) => {
    const [row] = await statements.query<StoredSecrets>(
      'select secret_sealed, previous_secret_sealed, previous_secret_until from webhook_endpoint for update',
    )
    // If the key of the present one is lost, only a new registration helps.
    const present = openedBy(policy, row?.secret_sealed)
    const isNew = present !== secret
    const previous = isNew ? present && row?.secret_sealed : row?.previous_secret_sealed
    // A repetition of the request, whose answer was lost, must not end the old secret. Nor does one make it longer or
    // bring it back: a program that registers at each of its starts would keep a secret that has leaked for ever.
    const until = isNew ? undefined : row?.previous_secret_until
    const hours = overlapHours ?? (isNew ? 0 : longestOverlapHours)
    await statements.query(
      `insert into webhook_endpoint (url, secret_sealed) values ($1, $2)
       on conflict (only_row) do update set url = excluded.url, secret_sealed = excluded.secret_sealed, registered_at = now(),
         disabled_at = null, disabled_because = null,
         previous_secret_sealed = case when $4::timestamptz is null or $4 > now() then $3 end,
         previous_secret_until = least($4, now() + make_interval(hours => $5))`,
      [address.href, policy.seal(secret), previous ?? null, until ?? null, hours],
    )
  })
  while (await bringForward(db, { isNewReceiver: true }));
  return { url: address.href, status: 'active' }
}
