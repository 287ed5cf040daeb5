import type { OrderQuery } from '@cellarhand/contract/orders'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import {
  availableFilters,
  countMatching,
  countPerTab,
  createOrderCounts,
  rowsFor,
  type CountFilter,
  type MerchantCounts,
  type OrderCounts,
} from './order-counts.ts'
import { createKnownPages, type KnownPages } from './known-pages.ts'
import {
  defaultLimit,
  mostPerPage,
  pageColumns,
  readPage,
  rungOf,
  type PageRow,
  type Selection,
} from './page-rows.ts'
import { countHits, searches, selectHits } from './search-hits.ts'
import { piecesWithOnTrackStatus } from '../document/stored-order.ts'

const knownFiltersPerList = 50

/** The list of every merchant, and what this process keeps of it. */
export interface OrderList {
  readonly db: Database
  readonly counts: OrderCounts
  readonly pages: KnownPages
}

export function createOrderList(db: Database): OrderList {
  return { db, counts: createOrderCounts(db), pages: createKnownPages() }
}

export interface PageRequest {
  readonly merchantId: string
  readonly query: OrderQuery
  /** The list's address for callers, used in the links to the pages beside this one. */
  readonly address: string
}

/** One page of the list, or the hits of a search: JSON around the stored documents. */
export async function getOrderPage(list: OrderList, request: PageRequest): Promise<Buffer> {
  const { db, counts } = list
  const { merchantId, query } = request
  requireOneSort(query)
  const asked = searches.filter((name) => query[name] !== undefined)
  if (asked.length > 1)
    refuse('validation_failed', {
      errors: Object.fromEntries(asked.map((name) => [name, 'Please give only one of the searches'])),
    })
  if (asked.length === 0) return getListedPage(list, request)
  const { rows, summary } = await readPage(db, merchantId, { selection: selectHits(query) })
  const found = await counts.of(merchantId, summary)
  const total = await countHits(db, { merchantId, query, rows })
  return writePage(rows, found, { ...request, total, nowMs: db.clock.nowMs() })
}

/** Answers from memory if no order has changed since the page was read, which only the database can tell. */
async function getListedPage(list: OrderList, request: PageRequest): Promise<Buffer> {
  const { merchantId, query, address } = request
  const key = JSON.stringify([merchantId, address, query])
  const known = list.pages.find(key)
  const selection = selectPage(query)
  const read = await readPage(list.db, merchantId, { selection, unlessAt: known?.changes })
  const summary = read.summary ?? ''
  const nowMs = list.db.clock.nowMs()
  const second = Math.floor(nowMs / 1000)
  const answer = known?.answer
  if (answer?.summary === summary && answer.second === second) return answer.bytes
  const counts = await list.counts.of(merchantId, read.summary)
  const rows = known?.changes === counts.changes ? known.rows : read.rows
  const total =
    query['filter[order_key]'] === undefined
      ? countMatching(rowsFor(counts, countFilterOf(query)), countFilterOf(query))
      : undefined
  const bytes = writePage(rows, counts, { ...request, total, nowMs })
  list.pages.keep(key, { changes: counts.changes, rows, answer: { summary, second, bytes } })
  return bytes
}

/** No index has the other tabs by due time: their orders are done, or wait for somebody else. */
function requireOneSort(query: OrderQuery): void {
  if (!isByDue(query)) return
  if (query['sort[date]'] !== undefined)
    refuse('validation_failed', { errors: { 'sort[due]': 'Please give only one of the sorts' } })
  if (query['filter[tab]'] !== 'active')
    refuse('validation_failed', { errors: { 'sort[due]': 'Only the active tab is sorted by due time' } })
}

function isByDue(query: OrderQuery): boolean {
  return query['sort[due]'] !== undefined
}

function writePage(
  found: readonly PageRow[],
  counts: MerchantCounts,
  { query, address, total: counted, nowMs }: PageRequest & { total: number | undefined; nowMs: number },
): Buffer {
  const limit = query.limit ?? defaultLimit
  const rows = query.cursor?.startsWith('b') === true ? found.slice(-limit) : found.slice(0, limit)
  const total = counted ?? rows.length
  const links = linksBeside(rows, { query, total, limit, address, isMore: found.length > limit })
  const rest = envelope({
    total,
    links,
    counts,
    filter: countFilterOf(query),
    query,
  })
  return joinBytes([
    '{"items":[',
    ...itemTexts(rows, { timezone: counts.timezone, nowMs }),
    '],',
    rest.slice(1),
  ])
}

/** Joining the texts would copy a page three times over, each time as a new large object. */
function joinBytes(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let end = 0
  for (const text of texts) end += bytes.write(text, end)
  return bytes
}

function countFilterOf(query: OrderQuery): CountFilter {
  return {
    tab: query['filter[tab]'],
    groups: query['filter[status]']?.split(','),
    method: query['filter[delivery_method]'],
    application: query['filter[application_ref]'],
    needsLook: query['filter[needs_a_look]'] !== undefined,
  }
}

/** One range of one index, from the cursor on: the page at offset 50,000 costs what the first one costs. */
function selectPage(query: OrderQuery): Selection | undefined {
  const cursor = parseCursor(query.cursor)
  if (query['filter[order_key]'] !== undefined) return selectByReference(query, cursor)
  const values: unknown[] = []
  const where = ['merchant_id = scope.merchant_id']
  const bind = (value: unknown) => `$${values.push(value) + 1}`
  const filter = countFilterOf(query)
  const isDue = isByDue(query)
  // Written out, because the planner has to see that the index of the active orders alone holds them all.
  if (isDue) where.push(`tab = 'active'`)
  else if (filter.tab !== undefined) where.push(`tab = ${bind(filter.tab)}`)
  if (filter.groups?.length === 1) where.push(`display_group = ${bind(filter.groups[0])}`)
  else if (filter.groups !== undefined) where.push(`display_group = any (${bind(filter.groups)})`)
  if (filter.method !== undefined) where.push(`delivery_method = ${bind(filter.method)}`)
  if (filter.application !== undefined) where.push(`application_ref = ${bind(filter.application)}`)
  if (filter.needsLook) where.push('needs_look')

  const isReversed = cursor?.side === 'b'
  const runsUp = (isDue || query['sort[date]'] === 'asc') !== isReversed
  const moment = isDue ? 'deadline_at' : 'submitted_at'
  if (cursor !== undefined)
    where.push(`(${moment}, order_id) ${runsUp ? '>' : '<'} (${bind(cursor.at)}, ${bind(cursor.id)})`)
  const skip = cursor === undefined && query.offset ? ` offset ${bind(query.offset)}` : ''
  const direction = runsUp ? 'asc' : 'desc'
  const limit = query.limit ?? defaultLimit
  // Beside a cursor one row more tells whether the list goes on: orders that have left it since do not count.
  const further = cursor === undefined ? 0 : 1
  // A limit is written into the text, since as a parameter it would hide from the planner how little is wanted; the
  // parameter outside of it ends the reading where the caller said.
  const most = (skip === '' ? rungOf(limit) : mostPerPage) + further
  const text = `select * from orders where ${where.join(' and ')}
    order by ${moment} ${direction}, order_id ${direction} limit ${most}${skip}`
  return {
    text: `select ${pageColumns} from (${text}) nearest limit ${bind(limit + further)}::int`,
    values,
    isReversed,
    isLong: skip !== '' || limit > defaultLimit,
  }
}

/** One order at most, so all else is only held against it, and needs no text of its own. */
function selectByReference(query: OrderQuery, cursor: Cursor | undefined): Selection | undefined {
  if (cursor === undefined && query.offset) return undefined
  const { tab, groups, method, application, needsLook } = countFilterOf(query)
  const runsUp = (isByDue(query) || query['sort[date]'] === 'asc') !== (cursor?.side === 'b')
  const moment = isByDue(query) ? 'deadline_at' : 'submitted_at'
  return {
    text: `select ${pageColumns} from orders where merchant_id = scope.merchant_id and order_key = $2
      and tab = coalesce($3, tab) and ($4::text[] is null or display_group = any ($4))
      and delivery_method = coalesce($5, delivery_method) and application_ref = coalesce($6, application_ref)
      and (needs_look or not $10::boolean)
      and ($7::timestamptz is null or case when $9
        then (${moment}, order_id) > ($7, $8) else (${moment}, order_id) < ($7, $8) end)`,
    values: [
      query['filter[order_key]'],
      tab ?? null,
      groups ?? null,
      method ?? null,
      application ?? null,
      cursor?.at ?? null,
      cursor?.id ?? null,
      runsUp,
      needsLook,
    ],
  }
}

interface Cursor {
  /** a: rows after this one in the list's sequence; b: rows before it. */
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
  /** Whether there are more rows on the cursor's side. */
  readonly isMore: boolean
}

function linksBeside(rows: readonly PageRow[], { query, total, limit, address, isMore }: LinkFacts) {
  const offset = query.offset ?? 0
  // A search has few hits, and they move little, so it uses offsets alone.
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
      parameters.set(
        'cursor',
        `${side}.${isByDue(query) ? row.deadline_ms : row.submitted_ms}.${row.order_id}`,
      )
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

function itemTexts(
  rows: readonly PageRow[],
  { timezone, nowMs }: { timezone: string; nowMs: number },
): string[] {
  return rows.flatMap((row, place) => {
    const facts = {
      tab: row.tab,
      method: row.delivery_method,
      deadlineMs: row.deadline_ms,
      timezone,
      nowMs,
    }
    return [...(place === 0 ? [] : [',']), ...piecesWithOnTrackStatus(row.document, facts)]
  })
}

interface EnvelopeFacts {
  readonly total: number
  readonly links: { readonly prev: string | null; readonly next: string | null }
  readonly counts: MerchantCounts
  readonly filter: CountFilter
  readonly query: OrderQuery
}

function envelope({ total, links, counts, filter, query }: EnvelopeFacts): string {
  const currentFilter: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    const field = /^filter\[(\w+)\]$/.exec(name)?.[1]
    if (field !== undefined && value !== undefined) currentFilter[field] = String(value)
  }
  return JSON.stringify({
    total_rows: total,
    prev_url: links.prev,
    next_url: links.next,
    timezone: counts.timezone,
    counts: countPerTab(counts.rows),
    next_deadline: counts.nextDeadline,
    filters: { available: filtersOf(counts, filter) },
    sort: { available: ['date'] },
    current_filter: currentFilter,
    current_sort: currentSortOf(query),
  })
}

function currentSortOf(query: OrderQuery): Record<string, string> {
  if (isByDue(query)) return { due: 'asc' }
  return query['sort[date]'] === undefined ? {} : { date: query['sort[date]'] }
}

/** The same for every page of a list until an order changes, so computed once. */
function filtersOf(counts: MerchantCounts, filter: CountFilter) {
  const { filters: known } = counts
  const key = JSON.stringify(filter)
  const filters = known.get(key) ?? availableFilters(rowsFor(counts, filter), filter)
  if (known.size < knownFiltersPerList) known.set(key, filters)
  const looks = countMatching(counts.lookRows, filter)
  return looks === 0 ? filters : { ...filters, needs_a_look: { count: looks } }
}

/** The entries of the filter lists: every application and delivery method among the merchant's orders. */
export async function getOrderFilters({ counts }: OrderList, merchantId: string) {
  const { rows } = await counts.read(merchantId)
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

export async function getOrderCounts({ counts }: OrderList, merchantId: string) {
  const { rows } = await counts.read(merchantId)
  return { counts: countPerTab(rows) }
}
