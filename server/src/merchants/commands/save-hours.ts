import { weekdays, type Hours } from '@cellarhand/contract/merchants'
import type { Statements } from '#platform/db/database.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'

/** Saves the store's delivery hours; a day that is left out is closed (GAP-158). Later orders follow them. */
export async function saveHours(
  { query }: Statements,
  merchantId: string,
  { regular_hours }: Hours,
): Promise<Hours> {
  const problems: Record<string, string | undefined> = {}
  for (const { weekday, time_open, time_close } of regular_hours) {
    const isTwice = regular_hours.filter((day) => day.weekday === weekday).length > 1
    if (isTwice) problems[weekday] = 'Must be named once'
    else if (time_close <= time_open) problems[weekday] = 'Must close later than it opens'
  }
  refuseInvalid(problems)
  const sorted = regular_hours.toSorted((a, b) => weekdays.indexOf(a.weekday) - weekdays.indexOf(b.weekday))
  const changed = await query('update merchants set regular_hours = $2 where merchant_id = $1 returning 1', [
    merchantId,
    JSON.stringify(sorted),
  ])
  if (changed.length === 0) refuse('not_found')
  return { regular_hours: sorted }
}
