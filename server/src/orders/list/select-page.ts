import type { OrderQuery } from '@cellarhand/contract/order-query'
import { refuse } from '#platform/http/refuse.ts'
import type { CountFilter } from './order-counts.ts'
import { dueCondition, withoutSlip } from './order-queue.ts'
import { defaultLimit, mostPerPage, pageColumns, rungOf, type Selection } from './page-rows.ts'

/** The query by one name for each thing. */
export function withOneName(given: OrderQuery): OrderQuery {
  const { sort, 'filter[late]': late, 'filter[due_soon]': soon, ...query } = given
  return {
    ...query,
    ...(late && { 'filter[due]': 'late' }),
    ...(soon && { 'filter[due]': 'soon' }),
    ...(sort && { 'sort[due]': 'asc' }),
  }
}

/** Of a query under the caller's own names. No index has the other tabs by due time: nothing in them is still due. */
export function requireOneSort(given: OrderQuery): void {
  const name = (['sort[due]', 'sort'] as const).find((each) => given[each] !== undefined)
  if (name === undefined) return
  if (given['sort[date]'] !== undefined)
    refuse('validation_failed', { errors: { [name]: 'Please give only one of the sorts' } })
  if (given['filter[tab]'] !== 'active')
    refuse('validation_failed', { errors: { [name]: 'Only the active tab is sorted by due time' } })
}

const oneOf = [
  'filter[due]',
  'filter[late]',
  'filter[due_soon]',
  'filter[taken_by]',
  'filter[slip]',
  'filter[needs_a_look]',
] as const

/** Of a query under the caller's own names. The counts of each filter know nothing of the others. */
export function requireOneFilter(given: OrderQuery): void {
  const [first, second] = oneOf.filter((name) => given[name] !== undefined)
  if (first === undefined || first === 'filter[needs_a_look]') return
  if (second !== undefined)
    refuse('validation_failed', {
      errors: { [first]: `Please give only one of ${first} and ${second}` },
    })
  if (given['filter[tab]'] !== 'active')
    refuse('validation_failed', { errors: { [first]: onlyActive[first] } })
}

const noDueTimes = 'Only orders of the active tab have due times'
const onlyActive = {
  'filter[due]': noDueTimes,
  'filter[late]': noDueTimes,
  'filter[due_soon]': noDueTimes,
  'filter[taken_by]': 'Only orders of the active tab are listed by the clerk who has them',
  'filter[slip]': 'Only orders of the active tab are listed by their slips',
}

export function isByDue(query: OrderQuery): boolean {
  return query['sort[due]'] !== undefined
}

export function countFilterOf(query: OrderQuery): CountFilter {
  return {
    tab: query['filter[tab]'],
    groups: query['filter[status]']?.split(','),
    method: query['filter[delivery_method]'],
    application: query['filter[application_ref]'],
    needsLook: query['filter[needs_a_look]'] !== undefined,
  }
}

/** One range of one index, from the cursor on: the page at offset 50,000 costs what the first one costs. */
export function selectPage(query: OrderQuery, nowMs: number): Selection | undefined {
  const cursor = parseCursor(query.cursor)
  if (query['filter[order_key]'] !== undefined) return selectByReference(query, cursor, nowMs)
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value) + 1}`
  const isDue = isByDue(query)
  const isReversed = cursor?.side === 'b'
  const runsUp = (isDue || query['sort[date]'] === 'asc') !== isReversed
  const moment = isDue ? 'deadline_at' : 'submitted_at'
  const direction = runsUp ? 'asc' : 'desc'
  const walk = {
    sequence: `order by ${moment} ${direction}, order_id ${direction}`,
    beyond:
      cursor === undefined
        ? []
        : [`(${moment}, order_id) ${runsUp ? '>' : '<'} (${bind(cursor.at)}, ${bind(cursor.id)})`],
  }
  const few = fewOrders(query, { nowMs, bind })
  const filter = countFilterOf(query)
  const chosen = few === undefined && !isDue ? chosenBy(filter, bind) : []
  const rows =
    few !== undefined
      ? `(${few} offset 0) few where ${[`tab = 'active'`, ...heldAgainst(filter, bind), ...walk.beyond].join(' and ')} ${walk.sequence}`
      : isDue
        ? dueFirst(query, { nowMs, bind, walk })
        : `orders where ${[...chosen, ...walk.beyond].join(' and ')} ${walk.sequence}`
  const skipped = cursor === undefined && query.offset ? bind(query.offset) : undefined
  const skip = skipped === undefined ? '' : ` offset ${skipped}`
  const limit = query.limit ?? defaultLimit
  // Beside a cursor one row more tells whether the list goes on: orders that have left it since do not count.
  const further = cursor === undefined ? 0 : 1
  // A limit is written into the text, since as a parameter it would hide from the planner how little is wanted; the
  // parameter outside of it ends the reading where the caller said.
  const isPlanned = skip === '' && few === undefined
  const most = (isPlanned ? rungOf(limit) : mostPerPage) + further
  const wanted = `${bind(limit + further)}::int`
  const end =
    chosen.length > 0 && passesOver(filter)
      ? `least(${wanted}, greatest(0, ${countOf(chosen)} - ${skipped ?? 0}))`
      : wanted
  return {
    text: `select ${pageColumns} from (select * from ${rows} limit ${most}${skip}) nearest limit ${end}`,
    values,
    isReversed,
    isLong: skip !== '' || limit > defaultLimit || few !== undefined,
  }
}

const ofMerchant = 'merchant_id = scope.merchant_id'

interface Reading {
  readonly nowMs: number
  readonly bind: Bind
}

/** The few orders that are collected before they are sorted: the index by date would pass over nearly all to find them. */
function fewOrders(query: OrderQuery, { nowMs, bind }: Reading): string | undefined {
  const collect = (condition: string) => `select * from orders where ${ofMerchant} and ${condition}`
  const holder = query['filter[taken_by]']
  // The index of a clerk's orders knows no moment.
  if (holder !== undefined) return collect(`taken_by = ${bind(holder)}`)
  if (isByDue(query)) return undefined
  const due = query['filter[due]']
  if (due !== undefined) return collect(dueCondition(due, nowMs, bind))
  return query['filter[slip]'] === undefined ? undefined : collect(withoutSlip)
}

interface DueReading extends Reading {
  readonly walk: { readonly sequence: string; readonly beyond: readonly string[] }
}

/** The active orders by due time, in the sequence of their index, each held against the filter. */
function dueFirst(query: OrderQuery, { nowMs, bind, walk }: DueReading): string {
  const due = query['filter[due]']
  const { groups, needsLook, ...rest } = countFilterOf(query)
  const isOneGroup = groups?.length === 1
  const where = [
    ofMerchant,
    // Written out, because the planner has to see that the index of the active orders alone holds them all.
    `tab = 'active'`,
    ...(isOneGroup ? [`display_group = ${bind(groups[0])}`] : []),
    ...(needsLook ? ['needs_look'] : []),
    ...(due === undefined ? [] : [dueCondition(due, nowMs, bind)]),
    ...(query['filter[slip]'] === undefined ? [] : [withoutSlip]),
    ...walk.beyond,
  ]
  return `(select * from orders where ${where.join(' and ')} ${walk.sequence} offset 0) active
    where ${heldAgainst({ ...rest, groups: isOneGroup ? undefined : groups }, bind).join(' and ')}`
}

type Bind = (value: unknown) => string

/** The planner sees what the caller chose, and so whether an index has it. Without a tab, none has more than the date. */
function chosenBy(filter: CountFilter, bind: Bind): string[] {
  const { tab, groups, method, application, needsLook } = filter
  const ofLooks = needsLook ? ['needs_look'] : []
  if (tab === undefined) return [ofMerchant, ...ofLooks, ...heldAgainst(filter, bind)]
  return [
    ofMerchant,
    `tab = ${bind(tab)}`,
    ...ofLooks,
    ...(groups?.length === 1 ? [`display_group = ${bind(groups[0])}`] : []),
    ...(groups !== undefined && groups.length > 1 ? [`display_group = any (${bind(groups)})`] : []),
    ...(method === undefined ? [] : [`delivery_method = ${bind(method)}`]),
    ...(application === undefined ? [] : [`application_ref = ${bind(application)}`]),
  ]
}

/** Whether the index has further orders between those that are wanted. */
function passesOver({ tab, groups, method, application, needsLook }: CountFilter): boolean {
  const given = [groups, method, application].filter((choice) => choice !== undefined).length
  return !needsLook && (given > 1 || (given > 0 && (tab === undefined || (groups?.length ?? 0) > 1)))
}

/**
 * How many orders there are of that kind. A list without one would otherwise read the index of a million others to its
 * end, and so would the last page by offset. A page by cursor does not know how many orders are behind it.
 */
function countOf(chosen: readonly string[]): string {
  return `(select coalesce(sum(greatest(n, 0)), 0)::int from order_counts where ${chosen.join(' and ')})`
}

/**
 * One text for any choice of the caller. In this form the planner expects half of the orders to meet each condition, so
 * the limit still leads it to the index that has their sequence.
 */
function heldAgainst({ groups, method, application }: CountFilter, bind: Bind): string[] {
  return [
    `coalesce(display_group = any (${bind(groups ?? null)}::text[]), true)`,
    `coalesce(delivery_method = ${bind(method ?? null)}, true)`,
    `coalesce(application_ref = ${bind(application ?? null)}, true)`,
  ]
}

/** One order at most, so all else is only held against it, and needs no text of its own. */
function selectByReference(
  query: OrderQuery,
  cursor: Cursor | undefined,
  nowMs: number,
): Selection | undefined {
  if (cursor === undefined && query.offset) return undefined
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value) + 1}`
  const runsUp = (isByDue(query) || query['sort[date]'] === 'asc') !== (cursor?.side === 'b')
  const moment = isByDue(query) ? 'deadline_at' : 'submitted_at'
  const due = query['filter[due]']
  const { tab, needsLook } = countFilterOf(query)
  const [at, id, holder] = [cursor?.at ?? null, cursor?.id ?? null, query['filter[taken_by]'] ?? null].map(
    bind,
  )
  const where = [
    ofMerchant,
    `order_key = ${bind(query['filter[order_key]'])}`,
    `coalesce(tab = ${bind(tab ?? null)}, true)`,
    `(needs_look or not ${bind(needsLook === true)}::boolean)`,
    ...heldAgainst(countFilterOf(query), bind),
    ...(due === undefined ? [] : [dueCondition(due, nowMs, bind)]),
    ...(query['filter[slip]'] === undefined ? [] : [withoutSlip]),
    `(${holder}::text is null or taken_by = ${holder})`,
    `(${at}::timestamptz is null or case when ${bind(runsUp)}
      then (${moment}, order_id) > (${at}, ${id}) else (${moment}, order_id) < (${at}, ${id}) end)`,
  ]
  return { text: `select ${pageColumns} from orders where ${where.join(' and ')}`, values }
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
