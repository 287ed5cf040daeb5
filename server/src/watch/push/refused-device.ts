import type { Database } from '#platform/db/database.ts'

export const answered = (status: number): string => `The push service answered ${status}`

/** The push service's words for an address that it does not know any more. */
const goneWords = [404, 410].map(answered)

/** A message of such a device, as SQL. */
export const wasRefused = `ended_at is not null and coalesce(error, '') in (${goneWords.map((words) => `'${words}'`).join(', ')})`

/**
 * Whether the device is gone because its push service refused it, and not because its person removed it. Nobody but the
 * device itself knows its id.
 */
export async function isRefusedDevice(db: Database, merchantId: string, device: string): Promise<boolean> {
  const rows = await db.systemQuery(
    `select 1 from push_messages m where m.merchant_id = $1 and m.device_id = $2 and ${wasRefused}
       and not exists (select from push_devices d where d.merchant_id = m.merchant_id and d.device_id = m.device_id) limit 1`,
    [merchantId, device],
  )
  return rows.length > 0
}
