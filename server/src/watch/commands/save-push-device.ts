import { createHash, ECDH, randomUUID } from 'node:crypto'
import { pushDevicesAtMost } from '@cellarhand/contract/push'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { publicAddressOf } from '#platform/outside/public-address.ts'
import type { PushPolicy, Subscription } from '../push/push-address.ts'

interface DeviceWish extends Subscription {
  readonly due_orders: boolean
}

/** A device belongs to the person who switched it on last, in the session in which they did. */
export async function savePushDevice(
  { query }: Statements,
  { merchantId, userId, sessionId }: Staff,
  { wish, policy }: { wish: DeviceWish; policy: PushPolicy },
): Promise<void> {
  const { endpoint, keys, due_orders: dueOrders } = wish
  const { url, problem } = publicAddressOf(endpoint, policy.allowLoopback)
  refuseInvalid({
    endpoint: problem,
    'keys.p256dh': isPointOfCurve(keys.p256dh) ? undefined : 'Must be a public key of the curve P-256',
  })
  const subscription: Subscription = { endpoint: url?.href ?? endpoint, keys }
  const digest = createHash('sha256').update(endpoint).digest('hex')
  const written = await query(
    `insert into push_devices (merchant_id, device_id, user_id, session_id, name, endpoint_digest, subscription_sealed, due_orders)
     select $1, $2, $3, session_id, device, $5, $6, $7 from sessions
     where session_id = $4 and user_id = $3 and ended_at is null and (select count(*) from push_devices
       where merchant_id = $1 and user_id = $3 and endpoint_digest <> $5) < ${pushDevicesAtMost}
     on conflict (merchant_id, endpoint_digest) do update set user_id = excluded.user_id, session_id = excluded.session_id,
       name = excluded.name, subscription_sealed = excluded.subscription_sealed, due_orders = excluded.due_orders,
       created_at = now(), alive_at = now()
     returning 1`,
    [
      merchantId,
      randomUUID(),
      userId,
      sessionId,
      digest,
      policy.seal(JSON.stringify(subscription)),
      dueOrders,
    ],
  )
  if (written.length === 0) refuse('too_much_at_once')
}

/** A key beside the curve could never be encrypted for. */
function isPointOfCurve(text: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(text, 'base64url'), 'prime256v1')
    return true
  } catch {
    return false
  }
}
