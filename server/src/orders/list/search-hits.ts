import type { OrderQuery } from '@cellarhand/contract/order-query'
import { searchableText } from '@cellarhand/contract/searchable-text'
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
import { keysMeantBy, longEndingMeantBy } from '../document/order-keys.ts'

/** As many as the dashboard shows. */
const usualHits = 10
/** How far down the hits of a search can be paged. */
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
  // The text may look further than one hit more.
  const looked = query.offset ? Infinity : (query.limit ?? defaultLimit) + 1
  return Math.min(hit?.known ?? 0, looked)
}

/** A list with a search takes exactly one search (API-027). */
export function requireSearch(query: OrderQuery): void {
  if (searches.some((name) => query[name] !== undefined)) return
  refuse('validation_failed', { errors: { 'filter[search]': `Please give one of ${searches.join(', ')}` } })
}

/** Few different numbers for all offsets, because each makes its own prepared statement. */
function reachOf({ limit = defaultLimit, offset = 0 }: OrderQuery): number {
  const reaches = offset === 0 ? [usualHits, defaultLimit, mostPerPage] : [3_000, furthestHit]
  return reaches.find((reach) => offset + limit <= reach) ?? furthestHit
}

/** Undefined if no order can contain the text. */
export function selectHits(query: OrderQuery, reach = reachOf(query)): Selection | undefined {
  const limit = query.limit ?? defaultLimit
  const offset = query.offset ?? 0
  const newest = (sources: readonly string[]) =>
    `select order_id from (${sources.join(' union ')}) sources order by order_id desc limit ${reach + 1}`
  const withKey = (condition: string) =>
    `(select order_id from order_keys
      where merchant_id = scope.merchant_id and ${condition} order by order_id desc limit ${reach + 1})`
  const withKeys = [
    withKey('key = any($6::text[])'),
    withKey('key = right($7::text, 4) and right(order_id, length($7::text)) = $7::text'),
  ]
  const pageOf = (hits: string, place: string) =>
    `select ${pageColumns}, hit.known from (
       select found.order_id, (count(*) over ())::integer as known, row_number() over (${place}) as rank from (${hits}) found
     ) hit join orders using (order_id)
     where merchant_id = scope.merchant_id and hit.rank > $4::int and hit.rank <= $4::int + $5::int order by hit.rank`
  const number = query['filter[search]']
  if (number !== undefined) {
    const digits = number.trim().replace(/^\D/, '')
    const prefix = /^\d{1,18}$/.test(digits) ? digits : nothing
    const keys = keysMeantBy(number)
    if (prefix === nothing && keys.length === 0) return undefined
    // ":" is the character after "9": everything that starts with the prefix comes between the two.
    const hits = newest([
      `(select order_id from orders
        where merchant_id = scope.merchant_id and order_id >= $2 and order_id < $3 order by order_id desc limit ${reach + 1})`,
      ...withKeys,
    ])
    return {
      text: pageOf(hits, 'order by found.order_id desc'),
      values: [prefix, `${prefix}:`, offset, limit, keys, longEndingMeantBy(number)],
      isLong: true,
    }
  }
  const name = query['filter[recipient_name]']
  const column = name === undefined ? 'email' : 'names'
  const wanted = searchableText(name?.replaceAll('#', '') ?? query['filter[customer_email]'] ?? '')
  if (wanted === '') return undefined
  // The function gives the newest first.
  const withText = (place: string) =>
    `select order_id from find_orders_by_text(scope.merchant_id, $2, ${place}, ${reach + 1}) as match (order_id)`
  const keys = name === undefined ? [] : keysMeantBy(name)
  const turned = name === undefined ? undefined : firstNameFirst(wanted)
  if (keys.length > 0)
    return {
      text: pageOf(newest([withText('$3'), ...withKeys]), 'order by found.order_id desc'),
      values: [column, wanted, offset, limit, keys, longEndingMeantBy(name ?? '')],
      isLong: true,
    }
  if (turned !== undefined) {
    // Asked once, and the search for the turned name only without a hit for the name as it was typed.
    const otherwise = `select order_id from (${withText('$6')}) turned
      where not exists (select from find_orders_by_text(scope.merchant_id, $2, $3, 1))`
    return {
      text: pageOf(newest([withText('$3'), otherwise]), 'order by found.order_id desc'),
      values: [column, wanted, offset, limit, turned],
      isLong: true,
    }
  }
  return { text: pageOf(withText('$3'), ''), values: [column, wanted, offset, limit], isLong: true }
}

/** Between two pieces of a text that anything may separate (`0103-two-pieces-of-a-name.sql`). */
const pieceEnd = '\n'

/** Before every number, so that no order comes between it and itself with a colon. */
const nothing = ':'

/**
 * "Nakamura, Dee", as a list or a card has it, and "Nakamura Dee" are stored as "Dee Nakamura". A comma says where the
 * last name ends, so that parts of both are enough: "Cruz, Maria" is Maria Elena de la Cruz as well. Of several, the
 * last one does: "Downey, Jr., Robert".
 */
function firstNameFirst(name: string): string | undefined {
  const comma = name.lastIndexOf(',')
  const hasComma = comma !== -1
  const parts = hasComma ? [name.slice(0, comma), name.slice(comma + 1)] : name.split(/\s+/)
  const [last = '', first = '', ...more] = parts.map((part) => part.trim())
  if (last === '' || first === '' || more.length > 0) return undefined
  // The index knows parts of three characters, and "Li, Bo" has none in either piece.
  const isTelling = Math.max(first.length, last.length) >= 3
  return hasComma && isTelling ? `${first}${pieceEnd}${last}` : `${first} ${last}`
}
