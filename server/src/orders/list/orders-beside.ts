import type { Tab } from '@cellarhand/contract/order-statuses'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'

interface Beside {
  readonly previous: string | null
  readonly next: string | null
}

const sides = { previous: ['<', 'desc'], next: ['>', 'asc'] } as const

/** One step of the list's index to each side, however many orders there are. */
export async function ordersBeside(db: Database, merchantId: string, orderId: string): Promise<Beside> {
  const ms = (moment: string) => `(extract(epoch from ${moment}) * 1000)::bigint`
  const [place] = await db.glance<{ at: string | null }>(
    merchantId,
    `select (select json_build_array(tab, ${ms('deadline_at')}, ${ms('submitted_at')})::text from orders
      where merchant_id = scope.merchant_id and order_id = $2) as at from scope`,
    [orderId],
  )
  if (place?.at == null) return refuse('not_found')
  const [tab, deadlineMs, submittedMs] = JSON.parse(place.at) as [Tab, number, number]
  const isDue = tab === 'active'
  const [moment, ofTab] = isDue ? ['deadline_at', `tab = 'active'`] : ['submitted_at', 'tab = $4']
  const beside = ([above, direction]: readonly [string, string]) => `(
    select order_id from orders where merchant_id = scope.merchant_id and ${ofTab} and (${moment}, order_id) ${above} ($3, $2)
    order by ${moment} ${direction}, order_id ${direction} limit 1)`
  // The tabs without due times are newest first.
  const [previous, next] = isDue ? [sides.previous, sides.next] : [sides.next, sides.previous]
  const [found] = await db.glance<Beside>(
    merchantId,
    `select ${beside(previous)} as previous, ${beside(next)} as next from scope`,
    isDue ? [orderId, new Date(deadlineMs)] : [orderId, new Date(submittedMs), tab],
  )
  return found ?? { previous: null, next: null }
}
