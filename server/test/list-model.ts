import { needsLook } from '@cellarhand/contract/needs-look'
import { deliveryMethods, displayGroupOf, tabOf, tabs, type Tab } from '@cellarhand/contract/order-statuses'
import { displayGroupLabels, methodFilterLabel } from '@cellarhand/contract/labels'
import type { Whole } from '@cellarhand/contract/api'
import type { Order, OrderPage } from '@cellarhand/contract/orders'
import type { Desk, Person, Shop } from './desk.ts'

export interface ListFilter {
  readonly tab?: Tab | undefined
  readonly status?: string | undefined
  readonly method?: string | undefined
  readonly application?: string | undefined
  readonly look?: true | undefined
  /** A part of the active tab. */
  readonly part?: Part | undefined
  readonly sort?: 'asc' | 'desc' | 'due' | undefined
}

/** The orders of a class, of the clerk with this id, or without a printed slip. */
export type Part =
  | { readonly due: 'late' | 'soon' }
  | { readonly taken_by: string }
  | { readonly slip: 'missing' }

/** Builds the list in the slow and obvious way, from all of a shop's orders at once. */
export function expectedPage(all: readonly Order[], filter: ListFilter) {
  const { part } = filter
  const orders = filter.look
    ? all.filter(needsLook)
    : all.filter((order) => part === undefined || isIn(order, part))
  const groups = filter.status?.split(',')
  const matches = (order: Order, but: Partial<Record<keyof ListFilter, boolean>> = {}) =>
    (filter.tab === undefined || tab(order) === filter.tab) &&
    (but.status === true || groups === undefined || groups.includes(group(order))) &&
    (but.method === true || filter.method === undefined || order.delivery.method === filter.method) &&
    (but.application === true ||
      filter.application === undefined ||
      order.application_ref === filter.application)
  const inTab = orders.filter((order) => filter.tab === undefined || tab(order) === filter.tab)
  const rows = orders.filter((order) => matches(order)).toSorted(newestFirst)
  const chosen = all.filter((order) => order.application_ref === filter.application)
  const applications = new Map(
    [...inTab, ...chosen].map((order) => [order.application_ref, order.application_name]),
  )
  const present = Object.entries(displayGroupLabels).filter(([value]) =>
    inTab.some((order) => group(order) === value),
  )
  const looks = all.filter((order) => matches(order) && needsLook(order)).length
  const countOf = (other: Part) => all.filter((order) => matches(order) && isIn(order, other)).length
  const unprinted = countOf({ slip: 'missing' })
  const undecided = rows.filter(
    (order) => ['new', 'printed'].includes(group(order)) && !needsLook(order),
  ).length
  return {
    ids: inSequence(rows, filter.sort).map((order) => order.id),
    counts: Object.fromEntries(tabs.map((name) => [name, all.filter((order) => tab(order) === name).length])),
    available: {
      application_ref: {
        options: [...applications]
          .filter(([uuid]) => uuid !== null)
          .map(([uuid, name]) => ({
            name,
            uuid,
            count: orders.filter(
              (order) => matches(order, { application: true }) && order.application_ref === uuid,
            ).length,
          }))
          .toSorted((a, b) => String(a.name).localeCompare(String(b.name))),
      },
      status: {
        options: present.map(([value, name]) => ({
          name,
          value,
          count: orders.filter((order) => matches(order, { status: true }) && group(order) === value).length,
        })),
      },
      delivery_method: {
        options: [...new Set([...deliveryMethods, ...inTab.map((order) => order.delivery.method).toSorted()])]
          .filter((value) => inTab.some((order) => order.delivery.method === value))
          .map((value) => ({
            name: methodFilterLabel(value),
            value,
            count: orders.filter(
              (order) => matches(order, { method: true }) && order.delivery.method === value,
            ).length,
          })),
      },
      ...(looks > 0 && { needs_a_look: { count: looks } }),
      ...(filter.tab === 'active' &&
        !filter.look &&
        !(part && 'slip' in part) && { undecided: { count: undecided } }),
      ...(filter.tab === 'active' && dueOf(countOf({ due: 'late' }), countOf({ due: 'soon' }))),
      ...(filter.tab === 'active' && unprinted > 0 && { slips: { missing: unprinted } }),
    },
  }
}

const tab = (order: Order) => tabOf(order.status, order.delivery.method)
const group = (order: Order) => displayGroupOf(order.status, order.printed_timestamp)

function isIn(order: Order, part: Part): boolean {
  if (tab(order) !== 'active') return false
  if ('taken_by' in part) return order.taken?.by === part.taken_by
  if (group(order) === 'shipped') return false
  if ('slip' in part) return order.printed_timestamp === null
  return order.on_track_status?.type === (part.due === 'late' ? 'SLA2' : 'SLA1')
}

function inSequence(newest: readonly Order[], sort: ListFilter['sort']): readonly Order[] {
  if (sort === 'asc') return newest.toReversed()
  if (sort !== 'due') return newest
  const dueMs = (order: Order) => Date.parse(order.on_track_status?.deadline_at ?? '')
  return newest.toSorted((a, b) => dueMs(a) - dueMs(b) || Number(a.id) - Number(b.id))
}

function newestFirst(a: Order, b: Order): number {
  const byDate = Date.parse(b.date_submitted) - Date.parse(a.date_submitted)
  return byDate === 0 ? Number(b.id) - Number(a.id) : byDate
}

export function queryOf(filter: ListFilter): Record<string, string | undefined> {
  return {
    'filter[tab]': filter.tab,
    'filter[status]': filter.status,
    'filter[delivery_method]': filter.method,
    'filter[application_ref]': filter.application,
    'filter[needs_a_look]': filter.look && 'true',
    ...Object.fromEntries(
      Object.entries(filter.part ?? {}).map(([name, value]) => [`filter[${name}]`, value]),
    ),
    ...(filter.sort === 'due' ? { 'sort[due]': 'asc' } : { 'sort[date]': filter.sort }),
  }
}

export async function readPage(
  desk: Desk,
  shop: Shop,
  query: Record<string, string | number | undefined> = {},
) {
  return desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query,
  })
}

/** The page behind next_url or prev_url, fetched exactly as it was given. */
export async function followLink(desk: Desk, person: Person, link: string | null): Promise<Whole<OrderPage>> {
  if (link === null) throw new Error('There is no page on that side')
  const answer = await desk.send('GET', link, { as: person })
  if (answer.status !== 200) throw new Error(`${link} answered ${answer.status}: ${answer.text}`)
  return answer.body as Whole<OrderPage>
}

/** Under both names. */
function dueOf(late: number, soon: number) {
  return { due: { late, soon }, late: { count: late }, due_soon: { count: soon } }
}
