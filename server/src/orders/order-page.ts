import type { OrderQuery } from '@cellarhand/contract/orders'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import {
  availableFilters,
  countMatching,
  countPerTab,
  countsOf,
  readCounts,
  summaryAsJson,
  type CountFilter,
  type CountRow,
  type MerchantCounts,
} from './order-counts.ts'
import { searchableText } from './searchable-text.ts'
import { withOnTrackStatus } from './stored-order.ts'

const defaultLimit = 30
const knownFiltersPerList = 50
/** A search says exactly how many hits it has up to here; beyond, that there are more, for counting them all would scan. */
const countedHits = 100
const furthestHit = 100_000

interface PageRow {
  readonly order_id: string
  readonly document: string
  readonly tab: string
  readonly delivery_method: string
  readonly submitted_ms: number
  readonly deadline_ms: number
  /** Of a search: how many hits are known, counted up to `countedHits`. */
  readonly known?: number
}

/** The page's rows; the first of them, or a lone one when the page is empty, brings the summary along. */
interface PageAnswer extends PageRow {
  readonly place: number | null
  readonly summary: string | null
}

/** Moments as milliseconds: taking sixty dates apart costs more than all else a page needs. */
const pageColumns = `order_id, document, tab, delivery_method,
  (extract(epoch from submitted_at) * 1000)::bigint as submitted_ms, (extract(epoch from deadline_at) * 1000)::bigint as deadline_ms`

interface Selection {
  readonly text: string
  /** From $2 on; $1 is the merchant. */
  readonly values: readonly unknown[]
}

async function readPage(db: Database, merchantId: string, selection: Selection | undefined) {
  const page = selection?.text ?? `select ${pageColumns} from orders where false`
  const answers = await db.glance<PageAnswer>(
    merchantId,
    `select page.*, case when page.place is null or page.place = 1 then ${summaryAsJson} end as summary
     from scope left join lateral (select row_number() over () as place, found.* from (${page}) found) page on true`,
    selection?.values,
  )
  const counts = await countsOf(db, merchantId, answers[0]?.summary)
  return { rows: answers.filter((row) => row.place !== null), counts }
}

export interface PageRequest {
  readonly merchantId: string
  readonly query: OrderQuery
  /** The address of the list as callers reach it, for the links to the pages beside this one. */
  readonly address: string
}

const searches = ['filter[search]', 'filter[recipient_name]', 'filter[customer_email]'] as const

/** One page of the list, or the hits of a search, as JSON text around the stored documents. */
export async function getOrderPage(
  db: Database,
  { merchantId, query, address }: PageRequest,
): Promise<string> {
  const asked = searches.filter((name) => query[name] !== undefined)
  if (asked.length > 1)
    refuse('validation_failed', {
      errors: Object.fromEntries(asked.map((name) => [name, 'Please give only one of the searches'])),
    })
  const isSearch = asked.length === 1
  const selection = isSearch ? selectHits(query) : selectPage(query)
  const { rows: found, counts } = await readPage(db, merchantId, selection)
  const limit = query.limit ?? defaultLimit
  const rows = query.cursor?.startsWith('b') === true ? found.slice(-limit) : found.slice(0, limit)
  const filter = countFilterOf(query)
  const isCounted = !isSearch && query['filter[order_key]'] === undefined
  const total = isCounted
    ? countMatching(counts.rows, filter)
    : isSearch
      ? await countHits(db, { merchantId, query, rows })
      : rows.length
  const links = linksBeside(rows, { query, total, limit, address, isMore: found.length > limit })
  const { timezone } = counts
  return envelope(itemTexts(rows, timezone), { total, links, counts, filter, query })
}

/** Every hit brings the number of all along; a page beyond the last hit has none, so the first page is asked. */
async function countHits(
  db: Database,
  { merchantId, query, rows }: { merchantId: string; query: OrderQuery; rows: readonly PageRow[] },
): Promise<number> {
  const [hit] =
    rows.length === 0 && query.offset
      ? (await readPage(db, merchantId, selectHits({ ...query, offset: 0, limit: 1 }))).rows
      : rows
  return hit?.known ?? 0
}

/** The search variant of the list takes exactly one search (API-027). */
export function requireSearch(query: OrderQuery): void {
  if (searches.some((name) => query[name] !== undefined)) return
  refuse('validation_failed', { errors: { 'filter[search]': `Please give one of ${searches.join(', ')}` } })
}

function countFilterOf(query: OrderQuery): CountFilter {
  return {
    tab: query['filter[tab]'],
    groups: query['filter[status]']?.split(','),
    method: query['filter[delivery_method]'],
    application: query['filter[application_ref]'],
  }
}

/** One range of one index, from the cursor on: the page at offset 50,000 costs what the first one costs. */
function selectPage(query: OrderQuery): Selection {
  const values: unknown[] = []
  const where = ['merchant_id = scope.merchant_id']
  const bind = (value: unknown) => `$${values.push(value) + 1}`
  const filter = countFilterOf(query)
  if (filter.tab !== undefined) where.push(`tab = ${bind(filter.tab)}`)
  if (filter.groups?.length === 1) where.push(`display_group = ${bind(filter.groups[0])}`)
  else if (filter.groups !== undefined) where.push(`display_group = any (${bind(filter.groups)})`)
  if (filter.method !== undefined) where.push(`delivery_method = ${bind(filter.method)}`)
  if (filter.application !== undefined) where.push(`application_ref = ${bind(filter.application)}`)
  if (query['filter[order_key]'] !== undefined) where.push(`order_key = ${bind(query['filter[order_key]'])}`)

  const cursor = parseCursor(query.cursor)
  const isBackward = cursor?.side === 'b'
  const runsUp = (query['sort[date]'] === 'asc') !== isBackward
  if (cursor !== undefined)
    where.push(`(submitted_at, order_id) ${runsUp ? '>' : '<'} (${bind(cursor.at)}, ${bind(cursor.id)})`)
  const skip = cursor === undefined && query.offset ? ` offset ${bind(query.offset)}` : ''
  const order = (direction: string) => `order by submitted_at ${direction}, order_id ${direction}`
  // Beside a cursor one row more tells whether the list goes on: orders that have left it since do not count.
  const limit = (query.limit ?? defaultLimit) + (cursor === undefined ? 0 : 1)
  // The limit is written into the text: as a parameter it would hide from the planner how little is wanted.
  const text = `select * from orders where ${where.join(' and ')} ${order(runsUp ? 'asc' : 'desc')} limit ${limit}${skip}`
  return {
    text: `select ${pageColumns} from (${text}) nearest ${isBackward ? order(runsUp ? 'desc' : 'asc') : ''}`,
    values,
  }
}

/** Undefined when the text cannot be in any order. */
function selectHits(query: OrderQuery): Selection | undefined {
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

interface Cursor {
  /** a: rows after this one in the list's order; b: rows before it. */
  readonly side: 'a' | 'b'
  readonly at: Date
  readonly id: string
}

function parseCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [side, ms, id] = text.split('.')
  const at = new Date(Number(ms))
  if (id === undefined || Number.isNaN(at.getTime()))
    return refuse('validation_failed', {
      errors: { cursor: 'Please use next_url or prev_url as they were given' },
    })
  return { side: side === 'b' ? 'b' : 'a', at, id }
}

interface LinkFacts {
  readonly query: OrderQuery
  readonly total: number
  readonly limit: number
  readonly address: string
  /** Whether there are rows beyond these, on the side that the cursor looks to. */
  readonly isMore: boolean
}

function linksBeside(rows: readonly PageRow[], { query, total, limit, address, isMore }: LinkFacts) {
  const offset = query.offset ?? 0
  // The hits of a search are few and shift little: they are paged by offset alone.
  const isSearch = searches.some((name) => query[name] !== undefined)
  const link = (side: 'a' | 'b', row: PageRow | undefined, newOffset: number) => {
    if (row === undefined && !isSearch) return null
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && !['limit', 'offset', 'cursor'].includes(name))
        parameters.set(name, String(value))
    }
    parameters.set('limit', String(limit))
    parameters.set('offset', String(newOffset))
    if (row !== undefined && !isSearch)
      parameters.set('cursor', `${side}.${row.submitted_ms}.${row.order_id}`)
    return `${address}?${parameters.toString()}`
  }
  const side = isSearch ? undefined : query.cursor?.[0]
  const hasNext = side === undefined ? offset + rows.length < total : side === 'b' || isMore
  const hasPrev = side === undefined ? offset > 0 : side === 'a' || isMore
  return {
    next: hasNext ? link('a', rows.at(-1), offset + limit) : null,
    prev: hasPrev ? link('b', rows[0], Math.max(0, offset - limit)) : null,
  }
}

function itemTexts(rows: readonly PageRow[], timezone: string): string {
  const nowMs = Date.now()
  return rows
    .map((row) =>
      withOnTrackStatus(row.document, {
        tab: row.tab,
        method: row.delivery_method,
        deadlineMs: row.deadline_ms,
        timezone,
        nowMs,
      }),
    )
    .join(',')
}

interface EnvelopeFacts {
  readonly total: number
  readonly links: { readonly prev: string | null; readonly next: string | null }
  readonly counts: MerchantCounts
  readonly filter: CountFilter
  readonly query: OrderQuery
}

function envelope(items: string, { total, links, counts, filter, query }: EnvelopeFacts): string {
  const currentFilter: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    const field = /^filter\[(\w+)\]$/.exec(name)?.[1]
    if (field !== undefined && value !== undefined) currentFilter[field] = String(value)
  }
  const rest = {
    total_rows: total,
    prev_url: links.prev,
    next_url: links.next,
    timezone: counts.timezone,
    counts: countPerTab(counts.rows),
    next_deadline: counts.nextDeadline,
    filters: { available: filtersOf(counts, filter) },
    sort: { available: ['date'] },
    current_filter: currentFilter,
    current_sort: query['sort[date]'] === undefined ? {} : { date: query['sort[date]'] },
  }
  return `{"items":[${items}],${JSON.stringify(rest).slice(1)}`
}

const knownFilters = new WeakMap<readonly CountRow[], Map<string, ReturnType<typeof availableFilters>>>()

/** The same for every page of a list until an order changes, so worked out once. */
function filtersOf({ rows }: MerchantCounts, filter: CountFilter): ReturnType<typeof availableFilters> {
  const known = knownFilters.get(rows) ?? new Map<string, ReturnType<typeof availableFilters>>()
  knownFilters.set(rows, known)
  const key = JSON.stringify(filter)
  const filters = known.get(key) ?? availableFilters(rows, filter)
  if (known.size < knownFiltersPerList) known.set(key, filters)
  return filters
}

/** What the filter lists offer: every application and delivery method that the merchant's orders have. */
export async function getOrderFilters(db: Database, merchantId: string) {
  const { rows } = await readCounts(db, merchantId)
  const anywhere: CountFilter = {
    tab: undefined,
    groups: undefined,
    method: undefined,
    application: undefined,
  }
  const { options } = availableFilters(rows, anywhere).application_ref
  return {
    application: { options: options.map(({ name, uuid }) => ({ name, uuid })) },
    delivery_methods: {
      options: [...new Set(rows.map((row) => row.delivery_method))].toSorted().map((name) => ({ name })),
    },
  }
}

export async function getOrderCounts(db: Database, merchantId: string) {
  const { rows, nextDeadline } = await readCounts(db, merchantId)
  return { counts: countPerTab(rows), nextDeadline }
}
