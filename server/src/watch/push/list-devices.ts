import type { PushDevice } from '@cellarhand/contract/push'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'

interface DeviceRow extends Omit<PushDevice, 'created_at'> {
  readonly created_at: Date
}

export async function listDevices(
  { query }: Pick<Statements, 'query'>,
  { merchantId, userId }: Pick<Staff, 'merchantId' | 'userId'>,
): Promise<{ devices: PushDevice[] }> {
  const rows = await query<DeviceRow>(
    `select device_id as id, name, endpoint_digest, due_orders, created_at from push_devices
     where merchant_id = $1 and user_id = $2 order by created_at, device_id`,
    [merchantId, userId],
  )
  return { devices: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })) }
}
