import { merchantRoles } from '@cellarhand/contract/permissions'
import type { Database } from '#platform/db/database.ts'

const roles = merchantRoles.map((role) => `'${role}'`).join(', ')

/**
 * Whether a device of push_devices still receives messages, as SQL: its person works in the shop, with the second step
 * that it may require, and nobody ended the session. A session that only ran out did not end by anybody's will: a phone
 * whose desk is opened once a day is told at night too.
 */
export function mayReceive(device: string): string {
  return `exists (select from users u join merchants m on m.merchant_id = u.merchant_id
      where u.user_id = ${device}.user_id and u.merchant_id = ${device}.merchant_id and u.password_hash is not null
        and u.roles && array[${roles}] and not (m.two_step_required and u.two_step_confirmed_at is null))
    and not exists (select from sessions s where s.session_id = ${device}.session_id and s.ended_at is not null)`
}

const removedAtOnce = 500

/** Forgets the devices of people who left, and of sessions that ended. Looked for every few seconds, while the session's row is there. */
export async function forgetDevices(db: Database): Promise<void> {
  await db.systemQuery(
    `delete from push_devices where (merchant_id, device_id) in (select d.merchant_id, d.device_id from push_devices d
       where not (${mayReceive('d')}) limit ${removedAtOnce})`,
  )
}
