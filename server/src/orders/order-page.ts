import type { OrderQuery } from '@cellarhand/contract/orders'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import {
  availableFilters,
  countMatching,
  countPerTab,
  readCounts,
  type CountFilter,
  type CountRow,
} from './order-counts.ts'
import { searchableText } from './searchable-text.ts'
import { withOnTrackStatus } from './stored-order.ts'

const defaultLimit = 30

interface PageRow {
  readonly order_id: string
  readonly document: string
  readonly tab: string
  readonly delivery_method: string
  readonly submitted_at: Date
  readonly deadline_at: Date
}

const pageColumns = 'order_id, document, tab, delivery_method, submitted_at, deadline_at'

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
  const limit = query.limit ?? defaultLimit
  const [rows, counts, [merchant]] = await db.read(merchantId, (statements) =>
    Promise.all([
      asked.length === 1
        ? searchRows(statements, merchantId, query)
        : listRows(statements, merchantId, query),
      readCounts(statements, merchantId),
      statements.query<{ timezone: string }>('select timezone from merchants where merchant_id = $1', [
        merchantId,
      ]),
    ]),
  )
  const timezone = merchant?.timezone ?? 'America/New_York'
  const filter = countFilterOf(query)
  const total =
    asked.length === 1 || query['filter[order_key]'] !== undefined
      ? rows.length
      : countMatching(counts, filter)
  const links =
    asked.length === 1 ? { prev: null, next: null } : linksBeside(rows, { query, total, limit, address })
  return envelope(itemTexts(rows, timezone), { total, links, timezone, counts, filter, query })
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
async function listRows(statements: Statements, merchantId: string, query: OrderQuery): Promise<PageRow[]> {
  const values: unknown[] = [merchantId]
  const where = ['merchant_id = $1']
  const and = (condition: string, ...operands: unknown[]) => {
    let next = values.length
    where.push(condition.replaceAll('?', () => `$${++next}`))
    values.push(...operands)
  }
  const filter = countFilterOf(query)
  if (filter.tab !== undefined) and('tab = ?', filter.tab)
  if (filter.groups?.length === 1) and('display_group = ?', filter.groups[0])
  else if (filter.groups !== undefined) and('display_group = any (?)', filter.groups)
  if (filter.method !== undefined) and('delivery_method = ?', filter.method)
  if (filter.application !== undefined) and('application_ref = ?', filter.application)
  if (query['filter[order_key]'] !== undefined) and('order_key = ?', query['filter[order_key]'])

  const cursor = parseCursor(query.cursor)
  const isAscending = query['sort[date]'] === 'asc'
  const isBackward = cursor?.side === 'b'
  const runsUp = isAscending !== isBackward
  if (cursor !== undefined) and(`(submitted_at, order_id) ${runsUp ? '>' : '<'} (?, ?)`, cursor.at, cursor.id)
  const direction = runsUp ? 'asc' : 'desc'
  // The limit is written into the text: as a parameter it would hide from the planner how little is wanted.
  const rows = await statements.query<PageRow>(
    `select ${pageColumns} from orders where ${where.join(' and ')}
     order by submitted_at ${direction}, order_id ${direction} limit ${query.limit ?? defaultLimit}${cursor === undefined && query.offset ? ` offset $${values.length + 1}` : ''}`,
    cursor === undefined && query.offset ? [...values, query.offset] : values,
  )
  return isBackward ? rows.toReversed() : rows
}

async function searchRows(statements: Statements, merchantId: string, query: OrderQuery): Promise<PageRow[]> {
  const limit = query.limit ?? defaultLimit
  const number = query['filter[search]']
  if (number !== undefined) {
    const prefix = number.trim().replace(/^\D/, '')
    if (!/^\d{1,18}$/.test(prefix)) return []
    // ":" is the character after "9": everything that starts with the prefix lies between the two.
    return statements.query<PageRow>(
      `select ${pageColumns} from orders where merchant_id = $1 and order_id >= $2 and order_id < $3 order by order_id desc limit ${limit}`,
      [merchantId, prefix, `${prefix}:`],
    )
  }
  const column = query['filter[recipient_name]'] === undefined ? 'email' : 'names'
  const wanted = searchableText(
    (query['filter[recipient_name]'] ?? query['filter[customer_email]'] ?? '').replaceAll('#', ''),
  )
  if (wanted === '') return []
  return statements.query<PageRow>(
    `select ${pageColumns} from find_orders_by_text($1, $2, $3, ${limit}) as found (order_id) join orders using (order_id)
     where merchant_id = $1 order by submitted_at desc, order_id desc`,
    [merchantId, column, wanted],
  )
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
}

function linksBeside(rows: readonly PageRow[], { query, total, limit, address }: LinkFacts) {
  const offset = query.offset ?? 0
  const link = (side: 'a' | 'b', row: PageRow | undefined, newOffset: number) => {
    if (row === undefined) return null
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && !['limit', 'offset', 'cursor'].includes(name))
        parameters.set(name, String(value))
    }
    parameters.set('limit', String(limit))
    parameters.set('offset', String(newOffset))
    parameters.set('cursor', `${side}.${row.submitted_at.getTime()}.${row.order_id}`)
    return `${address}?${parameters.toString()}`
  }
  const isLast = rows.length < limit || offset + rows.length >= total
  return {
    next: isLast ? null : link('a', rows.at(-1), offset + limit),
    prev: offset === 0 ? null : link('b', rows[0], Math.max(0, offset - limit)),
  }
}

function itemTexts(rows: readonly PageRow[], timezone: string): string {
  const nowMs = Date.now()
  return rows
    .map((row) =>
      withOnTrackStatus(row.document, {
        tab: row.tab,
        method: row.delivery_method,
        deadlineAt: row.deadline_at,
        timezone,
        nowMs,
      }),
    )
    .join(',')
}

interface EnvelopeFacts {
  readonly total: number
  readonly links: { readonly prev: string | null; readonly next: string | null }
  readonly timezone: string
  readonly counts: readonly CountRow[]
  readonly filter: CountFilter
  readonly query: OrderQuery
}

function envelope(items: string, { total, links, timezone, counts, filter, query }: EnvelopeFacts): string {
  const currentFilter: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    const field = /^filter\[(\w+)\]$/.exec(name)?.[1]
    if (field !== undefined && value !== undefined) currentFilter[field] = String(value)
  }
  const rest = {
    total_rows: total,
    prev_url: links.prev,
    next_url: links.next,
    timezone,
    counts: countPerTab(counts),
    filters: { available: availableFilters(counts, filter) },
    sort: { available: ['date'] },
    current_filter: currentFilter,
    current_sort: query['sort[date]'] === undefined ? {} : { date: query['sort[date]'] },
  }
  return `{"items":[${items}],${JSON.stringify(rest).slice(1)}`
}

/** What the filter lists offer: every application and delivery method that the merchant's orders have. */
export async function getOrderFilters(db: Database, merchantId: string) {
  const rows = await db.read(merchantId, (statements) => readCounts(statements, merchantId))
  const anywhere: CountFilter = {
    tab: undefined,
    groups: undefined,
    method: undefined,
    application: undefined,
  }
  return {
    application: {
      options: availableFilters(rows, anywhere).application_ref.options.map(({ name, uuid }) => ({
        name,
        uuid,
      })),
    },
    delivery_methods: {
      options: [...new Set(rows.map((row) => row.delivery_method))].toSorted().map((name) => ({ name })),
    },
  }
}

export async function getOrderCounts(db: Database, merchantId: string) {
  return {
    counts: countPerTab(await db.read(merchantId, (statements) => readCounts(statements, merchantId))),
  }
}
