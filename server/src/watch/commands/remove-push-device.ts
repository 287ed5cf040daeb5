import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'

/** A device that is gone already is no failure: that is the state which the person asked for. */
export async function removePushDevice(
  { query }: Statements,
  { merchantId, userId }: Pick<Staff, 'merchantId' | 'userId'>,
  device: string,
): Promise<void> {
  await query('delete from push_devices where merchant_id = $1 and device_id = $2 and user_id = $3', [
    merchantId,
    device,
    userId,
  ])
}
