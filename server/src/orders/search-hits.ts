import type { OrderQuery } from '@cellarhand/contract/orders'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { defaultLimit, pageColumns, readPage, type PageRow, type Selection } from './page-rows.ts'
import { searchableText } from './searchable-text.ts'

/** A search says exactly how many hits it has up to here; beyond, that there are more, for counting them all would scan. */
const countedHits = 30
const furthestHit = 100_000

export const searches = ['filter[search]', 'filter[recipient_name]', 'filter[customer_email]'] as const

/** Every hit brings the number of all along; a page beyond the last hit has none, so the first page is asked. */
export async function countHits(
  db: Database,
  { merchantId, query, rows }: { merchantId: string; query: OrderQuery; rows: readonly PageRow[] },
): Promise<number> {
  const [hit] =
    rows.length === 0 && query.offset
      ? (await readPage(db, merchantId, { selection: selectHits({ ...query, offset: 0, limit: 1 }) })).rows
      : rows
  return hit?.known ?? 0
}

/** The search variant of the list takes exactly one search (API-027). */
export function requireSearch(query: OrderQuery): void {
  if (searches.some((name) => query[name] !== undefined)) return
  refuse('validation_failed', { errors: { 'filter[search]': `Please give one of ${searches.join(', ')}` } })
}

/** Undefined when the text cannot be in any order. */
export function selectHits(query: OrderQuery): Selection | undefined {
  const limit = query.limit ?? defaultLimit
  const offset = query.offset ?? 0
  // Few different texts, whatever the offset: each is a prepared statement of its own.
  const reach =
    [countedHits, countedHits * 100, furthestHit].find((each) => offset + limit <= each) ?? furthestHit
  const pageOf = (hits: string, place: string) =>
    `select ${pageColumns}, hit.known from (
       select found.order_id, (count(*) over ())::integer as known, row_number() over (${place}) as rank from (${hits}) found
     ) hit join orders using (order_id)
     where merchant_id = scope.merchant_id and hit.rank > $4 and hit.rank <= $4 + ${limit} order by hit.rank`
  const number = query['filter[search]']
  if (number !== undefined) {
    const prefix = number.trim().replace(/^\D/, '')
    if (!/^\d{1,18}$/.test(prefix)) return undefined
    // ":" is the character after "9": everything that starts with the prefix lies between the two.
    const hits = `select order_id from orders
      where merchant_id = scope.merchant_id and order_id >= $2 and order_id < $3 order by order_id desc limit ${reach + 1}`
    return { text: pageOf(hits, 'order by found.order_id desc'), values: [prefix, `${prefix}:`, offset] }
  }
  const column = query['filter[recipient_name]'] === undefined ? 'email' : 'names'
  const wanted = searchableText(
    query['filter[recipient_name]']?.replaceAll('#', '') ?? query['filter[customer_email]'] ?? '',
  )
  if (wanted === '') return undefined
  // The function gives the newest first.
  const hits = `select order_id from find_orders_by_text(scope.merchant_id, $2, $3, ${reach + 1}) as match (order_id)`
  return { text: pageOf(hits, ''), values: [column, wanted, offset] }
}
