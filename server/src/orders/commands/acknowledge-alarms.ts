import type { Alarm } from '@cellarhand/contract/live'
import { hasPermission } from '@cellarhand/contract/permissions'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'

/**
 * Ends only the named alarms: nobody has noticed one that came in meanwhile. A question to the owners rings until one of
 * them has noticed it.
 */
export async function acknowledgeAlarms(
  { query }: Statements,
  { merchantId, name, roles }: Staff,
  named: readonly Pick<Alarm, 'order_id' | 'kind'>[],
): Promise<number> {
  const alarms = named.filter(({ kind }) => kind !== 'asked' || hasPermission(roles, 'duties.decide'))
  const ended = await query(
    `update order_alarms a set ended_at = now(), ended_by = $2
     from (
       select a.order_id, a.kind from order_alarms a
       join unnest($3::text[], $4::text[]) as wanted (order_id, kind) on a.order_id = wanted.order_id and a.kind = wanted.kind
       where a.merchant_id = $1 and a.ended_at is null order by a.order_id, a.kind for update of a
     ) noticed
     where a.merchant_id = $1 and a.order_id = noticed.order_id and a.kind = noticed.kind returning 1`,
    [merchantId, name, alarms.map((alarm) => alarm.order_id), alarms.map((alarm) => alarm.kind)],
  )
  return ended.length
}
