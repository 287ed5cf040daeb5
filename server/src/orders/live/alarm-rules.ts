import type { AlarmRules } from '@cellarhand/contract/live'
import { deliveryMethods } from '@cellarhand/contract/order-statuses'
import type { Statements } from '#platform/db/database.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'

const none: AlarmRules = { rules: [], quiet_when_closed: false }

export async function getAlarmRules({ query }: Statements, merchantId: string): Promise<AlarmRules> {
  const [row] = await query<{ rules: string; quiet_when_closed: boolean }>(
    'select rules, quiet_when_closed from alarm_rules where merchant_id = $1',
    [merchantId],
  )
  if (row === undefined) return none
  return {
    rules: JSON.parse(row.rules) as AlarmRules['rules'],
    quiet_when_closed: row.quiet_when_closed,
  }
}

/** Earlier deadlines do not ring: a shop that turns the alarm on does not hear of all late orders at once. */
export async function saveAlarmRules(
  { query }: Statements,
  merchantId: string,
  { rules, quiet_when_closed: isQuietWhenClosed }: AlarmRules,
): Promise<AlarmRules> {
  const isTwice = new Set(rules.map(({ method }) => method)).size < rules.length
  refuseInvalid({ rules: isTwice ? 'Must name each method once' : undefined })
  const sorted = rules.toSorted(
    (a, b) => deliveryMethods.indexOf(a.method) - deliveryMethods.indexOf(b.method),
  )
  await query(
    `insert into alarm_rules (merchant_id, rules, quiet_when_closed) values ($1, $2, $3)
     on conflict (merchant_id) do update set rules = excluded.rules, quiet_when_closed = excluded.quiet_when_closed,
       since_at = case when alarm_rules.rules = excluded.rules then alarm_rules.since_at else now() end, look_at = now()`,
    [merchantId, JSON.stringify(sorted), isQuietWhenClosed],
  )
  return { rules: sorted, quiet_when_closed: isQuietWhenClosed }
}
