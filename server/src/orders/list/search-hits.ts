import type { OrderQuery } from '@cellarhand/contract/orders'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import {
  defaultLimit,
  mostPerPage,
  pageColumns,
  readPage,
  type PageRow,
  type Selection,
} from './page-rows.ts'
import { searchableText } from '../document/searchable-text.ts'

/** As many as the dashboard shows. */
const usualHits = 10
/** How far down the hits of a search can be paged. */
const furthestHit = 100_000

export const searches = ['filter[search]', 'filter[recipient_name]', 'filter[customer_email]'] as const

/**
 * How many hits there are, as far as was looked: a first page is read with one hit more, which tells that it is not
 * all. Every hit brings the number along; a page beyond the last hit has none, so the first one is asked.
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
  // The text may look further than one hit more.
  const looked = query.offset ? Infinity : (query.limit ?? defaultLimit) + 1
  return Math.min(hit?.known ?? 0, looked)
}

/** The search variant of the list takes exactly one search (API-027). */
export function requireSearch(query: OrderQuery): void {
  if (searches.some((name) => query[name] !== undefined)) return
  refuse('validation_failed', { errors: { 'filter[search]': `Please give one of ${searches.join(', ')}` } })
}

/** Few different numbers, whatever the offset: each makes a prepared statement of its own. */
function reachOf({ limit = defaultLimit, offset = 0 }: OrderQuery): number {
  const reaches = offset === 0 ? [usualHits, defaultLimit, mostPerPage] : [3_000, furthestHit]
  return reaches.find((reach) => offset + limit <= reach) ?? furthestHit
}

/** Undefined when the text cannot be in any order. */
export function selectHits(query: OrderQuery, reach = reachOf(query)): Selection | undefined {
  const limit = query.limit ?? defaultLimit
  const offset = query.offset ?? 0
  const pageOf = (hits: string, place: string) =>
    `select ${pageColumns}, hit.known from (
       select found.order_id, (count(*) over ())::integer as known, row_number() over (${place}) as rank from (${hits}) found
     ) hit join orders using (order_id)
     where merchant_id = scope.merchant_id and hit.rank > $4::int and hit.rank <= $4::int + $5::int order by hit.rank`
  const number = query['filter[search]']
  if (number !== undefined) {
    const prefix = number.trim().replace(/^\D/, '')
    if (!/^\d{1,18}$/.test(prefix)) return undefined
    // ":" is the character after "9": everything that starts with the prefix lies between the two.
    const hits = `select order_id from orders
      where merchant_id = scope.merchant_id and order_id >= $2 and order_id < $3 order by order_id desc limit ${reach + 1}`
    return {
      text: pageOf(hits, 'order by found.order_id desc'),
      values: [prefix, `${prefix}:`, offset, limit],
      isLong: true,
    }
  }
  const column = query['filter[recipient_name]'] === undefined ? 'email' : 'names'
  const text = searchableText(
    query['filter[recipient_name]']?.replaceAll('#', '') ?? query['filter[customer_email]'] ?? '',
  )
  if (text === '') return undefined
  // The function gives the newest first.
  const hits = `select order_id from find_orders_by_text(scope.merchant_id, $2, $3, ${reach + 1}) as match (order_id)`
  return { text: pageOf(hits, ''), values: [column, text, offset, limit], isLong: true }
}
