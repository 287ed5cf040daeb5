import webPush from 'web-push'
import type { Statements } from '#platform/db/database.ts'
import type { PushPolicy } from '../push/push-address.ts'

/** The shop's own key pair: a device accepts only messages that were signed with it. Of two that are made at once, one stays. */
export async function makePushKey(
  { query }: Statements,
  merchantId: string,
  { seal }: PushPolicy,
): Promise<{ public_key: string }> {
  const read = () =>
    query<{ public_key: string }>('select public_key from push_keys where merchant_id = $1', [merchantId])
  const [known] = await read()
  if (known !== undefined) return known
  const made = webPush.generateVAPIDKeys()
  await query(
    'insert into push_keys (merchant_id, public_key, private_sealed) values ($1, $2, $3) on conflict do nothing',
    [merchantId, made.publicKey, seal(made.privateKey)],
  )
  const [kept] = await read()
  return kept ?? { public_key: made.publicKey }
}
