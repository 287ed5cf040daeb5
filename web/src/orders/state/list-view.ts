import { dueClassOf, type DueClass } from '@cellarhand/contract/on-track'
import type { Tab } from '@cellarhand/contract/order-statuses'
import { needsLook } from '@cellarhand/contract/needs-look'
import { displayGroupOf, displayGroups, tabOf } from '@cellarhand/contract/order-statuses'
import type { Order } from '@cellarhand/contract/orders'
import { serverNow } from '#lib/time/server-clock.ts'
import { session } from '#sign-in/public.ts'

/** The part of a list's address besides its tab. */
export interface ListSearch {
  sort?: 'asc' | 'desc' | 'due'
  /** Display groups separated by commas, in the sequence of the lifecycle. */
  status?: string
  method?: string
  brand?: string
  /** '1': the orders alone that a rule is against, or that lack a check. */
  needs_a_look?: string
  /** The late orders alone, or those that are soon due. */
  due?: DueClass
  /** 'yes': the orders alone that the clerk has taken. */
  mine?: string
}

/** The parts that a choice sets; undefined takes a part out of the address. */
export type SearchChange = { [key in keyof ListSearch]: string | undefined }

/** The contents of a list; the address holds every part of it. */
export interface ListView {
  tab: Tab
  /** By date, or the order that is due first on top. Undefined: as the server has it. */
  sort: 'asc' | 'desc' | 'due' | undefined
  status?: string | undefined
  method?: string | undefined
  brand?: string | undefined
  needs_a_look?: string | undefined
  due?: DueClass | undefined
  mine?: string | undefined
}

/** The list of an address. The active tab is due first unless the clerk chooses the date; no other tab has due times. */
export function viewOf(tab: Tab, { sort, due, mine, ...filters }: ListSearch = {}): ListView {
  const byDate = sort === 'due' ? undefined : sort
  const isActive = tab === 'active'
  return {
    tab,
    sort: byDate ?? (isActive ? 'due' : undefined),
    ...filters,
    ...(isActive && due && { due }),
    ...(isActive && mine && { mine }),
  }
}

/** Below zero if the first order's row is above the second's. */
export function compareRows(sort: ListView['sort'], a: Order, b: Order): number {
  const [momentA, momentB] = sort === 'due' ? [dueAt(a), dueAt(b)] : [a.date_submitted, b.date_submitted]
  const up = momentA === momentB ? Number(a.id) - Number(b.id) : momentA < momentB ? -1 : 1
  return sort === 'asc' || sort === 'due' ? up : -up
}

/** Only an order shown ahead of the server's answer has no deadline; it waits at the end. */
function dueAt({ on_track_status: badge }: Order): string {
  return badge?.deadline_at ?? '~'
}

/** The clerk of this screen has taken it. */
export function isMine({ taken }: Order): boolean {
  return taken !== undefined && taken.by === session.get().user?.id
}

/** Reads the parts of an address that the list can show, and ignores the rest. */
export function readListSearch(raw: Record<string, unknown>): ListSearch {
  const text = (name: string, pattern: RegExp): string | undefined => {
    const value = raw[name]
    const given = typeof value === 'number' ? String(value) : value
    return typeof given === 'string' && pattern.test(given) ? given : undefined
  }
  const sort = raw['sort']
  const status = statusOf(new Set(text('status', /^[a-z,]{1,80}$/)?.split(',')))
  const method = text('method', /^[a-z_]{1,40}$/)
  const brand = text('brand', /^[!-~]{1,128}$/)
  const look = text('needs_a_look', /^1$/)
  const due = text('due', /^(late|soon)$/) as DueClass | undefined
  const mine = text('mine', /^yes$/)
  return {
    ...((sort === 'asc' || sort === 'desc' || sort === 'due') && { sort }),
    ...(status && { status }),
    ...(method && { method }),
    ...(brand && { brand }),
    // One of them.
    ...(due ? { due } : mine ? { mine } : look && { needs_a_look: look }),
  }
}

/** The groups as the address holds them; undefined for none. */
export function statusOf(groups: ReadonlySet<string>): string | undefined {
  return displayGroups.filter((group) => groups.has(group)).join(',') || undefined
}

/** The server counts such a list by itself; of any other, the stream tells the counts. */
export function isPartOfTab({ status, method, brand }: ListView): boolean {
  return (status ?? method ?? brand) !== undefined
}

export function isFiltered({ status, method, brand, needs_a_look: look, due, mine }: ListView): boolean {
  return Boolean(status ?? method ?? brand ?? look ?? due ?? mine)
}

export function toFilterQuery({
  tab,
  sort,
  status,
  method,
  brand,
  needs_a_look: look,
  due,
  mine,
}: ListView): Record<string, string> {
  return {
    'filter[tab]': tab,
    ...(brand && { 'filter[application_ref]': brand }),
    ...(method && { 'filter[delivery_method]': method }),
    ...(status && { 'filter[status]': status }),
    ...(look && { 'filter[needs_a_look]': 'true' }),
    ...(due && { 'filter[due]': due }),
    ...(mine && { 'filter[taken_by]': 'me' }),
    ...(sort === 'due' ? { 'sort[due]': 'asc' } : sort && { 'sort[date]': sort }),
  }
}

export function belongsTo(
  { tab, status, method, brand, needs_a_look: look, due, mine }: ListView,
  order: Order,
): boolean {
  if (tabOf(order.status, order.delivery.method) !== tab) return false
  if (method !== undefined && order.delivery.method !== method) return false
  if (brand !== undefined && order.application_ref !== brand) return false
  if (look && !needsLook(order)) return false
  if (mine && !isMine(order)) return false
  const group = displayGroupOf(order.status, order.printed_timestamp)
  const times = {
    deadlineAtMs: Date.parse(dueAt(order)),
    method: order.delivery.method,
    nowMs: serverNow(),
  }
  if (due && dueClassOf(times, group) !== due) return false
  return status === undefined || status.split(',').includes(group)
}
