import type { OrderQuery } from '@cellarhand/contract/order-query'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import {
  availableFilters,
  countMatching,
  countPerTab,
  createOrderCounts,
  rowsFor,
  type CountFilter,
  type CountRow,
  type MerchantCounts,
  type OrderCounts,
} from './order-counts.ts'
import { countUndecided, createOrderQueues, type KnownQueue, type OrderQueues } from './order-queue.ts'
import { createKnownPages, type KnownPages } from './known-pages.ts'
import { defaultLimit, readPage, type PageRow } from './page-rows.ts'
import { countHits, searches, selectHits } from './search-hits.ts'
import {
  countFilterOf,
  isByDue,
  requireOneFilter,
  requireOneSort,
  selectPage,
  withOneName,
} from './select-page.ts'
import { piecesWithOnTrackStatus } from '../document/stored-order.ts'

const knownFiltersPerList = 50

/** The list of every merchant, and what this process keeps of it. */
export interface OrderList {
  readonly db: Database
  readonly counts: OrderCounts
  readonly queues: OrderQueues
  readonly pages: KnownPages
}

export function createOrderList(db: Database): OrderList {
  return { db, counts: createOrderCounts(db), queues: createOrderQueues(db), pages: createKnownPages() }
}

export interface PageRequest {
  readonly merchantId: string
  readonly query: OrderQuery
  /** The list's address for callers, used in the links to the pages beside this one. */
  readonly address: string
}

/** One page of the list, or the hits of a search: JSON around the stored documents. */
export async function getOrderPage(list: OrderList, given: PageRequest): Promise<Buffer> {
  const { db, counts } = list
  const { merchantId } = given
  requireOneSort(given.query)
  requireOneFilter(given.query)
  const query = withOneName(given.query)
  const request = { ...given, query }
  const asked = searches.filter((name) => query[name] !== undefined)
  if (asked.length > 1)
    refuse('validation_failed', {
      errors: Object.fromEntries(asked.map((name) => [name, 'Please give only one of the searches'])),
    })
  if (asked.length === 0) return getListedPage(list, request)
  const { rows, summary } = await readPage(db, merchantId, { selection: selectHits(query) })
  const found = await counts.of(merchantId, summary)
  const total = await countHits(db, { merchantId, query, rows })
  return writePage(rows, { counts: found }, { ...request, total, nowMs: db.clock.nowMs() })
}

/** Answers from memory if no order has changed since the page was read, which only the database can tell. */
async function getListedPage(list: OrderList, request: PageRequest): Promise<Buffer> {
  const { merchantId, query, address } = request
  const key = JSON.stringify([merchantId, address, query])
  // The time alone changes the rows of a class.
  const known = query['filter[due]'] === undefined ? list.pages.find(key) : undefined
  const selection = selectPage(query, list.db.clock.nowMs())
  const read = await readPage(list.db, merchantId, { selection, unlessAt: known?.changes })
  const summary = read.summary ?? ''
  const nowMs = list.db.clock.nowMs()
  const second = Math.floor(nowMs / 1000)
  const answer = known?.answer
  if (answer?.summary === summary && answer.second === second) return answer.bytes
  const counts = await list.counts.of(merchantId, read.summary)
  const rows = known?.changes === counts.changes ? known.rows : read.rows
  const queue = query['filter[tab]'] === 'active' ? await list.queues.of(merchantId, counts) : undefined
  const counted = { counts, queue }
  const total =
    query['filter[order_key]'] === undefined
      ? countMatching(countedRows(counted, query), countFilterOf(query))
      : undefined
  const bytes = writePage(rows, counted, { ...request, total, nowMs })
  list.pages.keep(key, { changes: counts.changes, rows, answer: { summary, second, bytes } })
  return bytes
}

interface Counted {
  readonly counts: MerchantCounts
  /** On the active tab alone. */
  readonly queue?: KnownQueue | undefined
}

function countedRows({ counts, queue }: Counted, query: OrderQuery): readonly CountRow[] {
  const due = query['filter[due]']
  const holder = query['filter[taken_by]']
  if (queue !== undefined && due !== undefined) return queue.due[due]
  if (queue !== undefined && query['filter[slip]'] !== undefined) return queue.slips
  if (queue !== undefined && holder !== undefined) return queue.takenBy.get(holder) ?? []
  return rowsFor(counts, countFilterOf(query))
}

function writePage(
  found: readonly PageRow[],
  counted: Counted,
  { query, address, total: known, nowMs }: PageRequest & { total: number | undefined; nowMs: number },
): Buffer {
  const limit = query.limit ?? defaultLimit
  const rows = query.cursor?.startsWith('b') === true ? found.slice(-limit) : found.slice(0, limit)
  const total = known ?? rows.length
  const links = linksBeside(rows, { query, total, limit, address, isMore: found.length > limit })
  const rest = envelope({
    total,
    links,
    counted,
    filter: countFilterOf(query),
    query,
  })
  return joinBytes([
    '{"items":[',
    ...itemTexts(rows, { timezone: counted.counts.timezone, nowMs }),
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
      taken: row.taken,
    }
    return [...(place === 0 ? [] : [',']), ...piecesWithOnTrackStatus(row.document, facts)]
  })
}

interface EnvelopeFacts {
  readonly total: number
  readonly links: { readonly prev: string | null; readonly next: string | null }
  readonly counted: Counted
  readonly filter: CountFilter
  readonly query: OrderQuery
}

function envelope({ total, links, counted, filter, query }: EnvelopeFacts): string {
  const { counts, queue } = counted
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
    filters: {
      available: {
        ...filtersOf(counted, filter, query),
        ...(queue && { ...dueCounts(queue, filter), ...slipCount(queue, filter) }),
      },
    },
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
function filtersOf(counted: Counted, filter: CountFilter, query: OrderQuery) {
  const { counts } = counted
  const { filters: known } = counts
  const key = JSON.stringify(filter)
  // The facets of the whole tab are kept; those of a class or a clerk have the same key.
  const isTimed = (['filter[due]', 'filter[taken_by]', 'filter[slip]'] as const).some(
    (name) => query[name] !== undefined,
  )
  const rows = countedRows(counted, query)
  const filters = (isTimed ? undefined : known.get(key)) ?? availableFilters(rows, filter, counts.rows)
  if (!isTimed && known.size < knownFiltersPerList) known.set(key, filters)
  const looks = countMatching(counts.lookRows, filter)
  const { 'filter[slip]': slip, 'filter[needs_a_look]': look } = query
  const isOfDecisions = filter.tab === 'active' && (slip ?? look) === undefined
  return {
    ...filters,
    ...(looks > 0 && { needs_a_look: { count: looks } }),
    ...(isOfDecisions && { undecided: { count: countUndecided(rows, filter) } }),
  }
}

function dueCounts({ due }: KnownQueue, filter: CountFilter) {
  const [late, soon] = [countMatching(due.late, filter), countMatching(due.soon, filter)]
  return { due: { late, soon }, late: { count: late }, due_soon: { count: soon } }
}

function slipCount({ slips }: KnownQueue, filter: CountFilter) {
  const missing = countMatching(slips, filter)
  return missing === 0 ? {} : { slips: { missing } }
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
