import type { OrderQuery } from '@cellarhand/contract/orders'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { defaultLimit, pageColumns, readPage, type PageRow, type Selection } from './page-rows.ts'
import { searchableText } from '../document/searchable-text.ts'

/** The last hit of a search that a page can reach. */
const furthestHit = 100_000

export const searches = ['filter[search]', 'filter[recipient_name]', 'filter[customer_email]'] as const

/**
 * The number of hits, as far as the search looked: a first page reads one hit more, which shows that there are others.
 * Every hit brings the number along. A page beyond the last hit has none, so the first hit is read for it.
 */
export async function countHits(
  db: Database,
  { merchantId, query, rows }: { merchantId: string; query: OrderQuery; rows: readonly PageRow[] },
): Promise<number> {
  const [hit] =
    rows.length === 0 && query.offset
      ? (await readPage(db, merchantId, { selection: selectHits({ ...query, offset: 0 }, reachOf(query)) }))
          .rows
      : rows
  return hit?.known ?? 0
}

/** A list with a search takes exactly one search (API-027). */
export function requireSearch(query: OrderQuery): void {
  if (searches.some((name) => query[name] !== undefined)) return
  refuse('validation_failed', { errors: { 'filter[search]': `Please give one of ${searches.join(', ')}` } })
}

/** Few different numbers for all offsets, because each makes its own prepared statement. */
function reachOf({ limit = defaultLimit, offset = 0 }: OrderQuery): number {
  const reaches = offset === 0 ? [limit] : [3_000, furthestHit]
  return reaches.find((reach) => offset + limit <= reach) ?? furthestHit
}

/** Undefined if no order can contain the text. */
export function selectHits(query: OrderQuery, reach = reachOf(query)): Selection | undefined {
  const limit = query.limit ?? defaultLimit
  const offset = query.offset ?? 0
  const pageOf = (hits: string, place: string) =>
    `select ${pageColumns}, hit.known from (
       select found.order_id, (count(*) over ())::integer as known, row_number() over (${place}) as rank from (${hits}) found
     ) hit join orders using (order_id)
     where merchant_id = scope.merchant_id and hit.rank > $4 and hit.rank <= $4 + ${limit} order by hit.rank`
  const number = query['filter[search]']
  if (number !== undefined) {
    const prefix = number.trim().replace(/^\D/, '')
    if (!/^\d{1,18}$/.test(prefix)) return undefined
    // ":" follows "9", so every number with the prefix is between the two.
    const hits = `select order_id from orders
      where merchant_id = scope.merchant_id and order_id >= $2 and order_id < $3 order by order_id desc limit ${reach + 1}`
    return { text: pageOf(hits, 'order by found.order_id desc'), values: [prefix, `${prefix}:`, offset] }
  }
  const column = query['filter[recipient_name]'] === undefined ? 'email' : 'names'
  const wanted = searchableText(
    query['filter[recipient_name]']?.replaceAll('#', '') ?? query['filter[customer_email]'] ?? '',
  )
  if (wanted === '') return undefined
  // The function returns the newest first.
  const hits = `select order_id from find_orders_by_text(scope.merchant_id, $2, $3, ${reach + 1}) as match (order_id)`
  return { text: pageOf(hits, ''), values: [column, wanted, offset] }
}
