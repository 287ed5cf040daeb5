import { tabOf } from '@cellarhand/contract/order-statuses'
import { createStore } from '#lib/kept/store.ts'
import { allowedActions } from './allowed-actions.ts'
import { isMine } from './list-view.ts'
import type { Order } from './queries.ts'

/** A bulk action's facts about an order, even if no list has loaded it. */
export interface Selected {
  readonly id: string
  readonly reference: string
  readonly total: number
  /** The last seen version; half a version ahead while a change shows before the server's answer. */
  readonly version: number
  readonly canAccept: boolean
  /** The clerk of this screen has taken it. */
  readonly isMine: boolean
  /** Until then it is a colleague's, who has taken it; a late order is everybody's. Of orders that nobody ticked one by one. */
  readonly theirsUntil?: string | undefined
}

type Selection = ReadonlyMap<string, Selected>

const KEY = 'cellarhand-selection'
const SAVED_AFTER_MS = 200
const none: Selection = new Map()

/** The selected orders of the active tab. The selection survives scrolling, fresh answers and a reload of the page. */
export const selection = createStore<Selection>(none)

let owner = ''
let saving: ReturnType<typeof setTimeout> | undefined

/** Each merchant has its own selection; another merchant's is forgotten. */
export function openSelection(tmk: string): void {
  if (owner === tmk) return
  if (owner === '') addEventListener('pagehide', save)
  owner = tmk
  selection.set(read(tmk))
}

export function select(orders: readonly Order[], isSelected: boolean): void {
  const next = new Map(selection.get())
  for (const order of orders) {
    if (isSelected) next.set(order.id, toSelected(order))
    else next.delete(order.id)
  }
  write(next)
}

export function deselect(ids: readonly string[]): void {
  const next = new Map(selection.get())
  for (const id of ids) next.delete(id)
  if (next.size < selection.get().size) write(next)
}

export function clearSelection(): void {
  write(none)
}

/** For the next user of this browser, even if no list was opened since the page loaded. */
export function forgetSelection(): void {
  clearSelection()
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // A blocked storage holds nothing.
  }
}

/** Takes newer states of orders: an order that has left the tab is no longer selected. */
export function followSelected(orders: readonly Order[]): void {
  const now = selection.get()
  if (now.size === 0) return
  const changed = orders.filter((order) => {
    const known = now.get(order.id)
    return known !== undefined && (!isActive(order) || known.version !== order.version)
  })
  if (changed.length === 0) return
  const next = new Map(now)
  for (const order of changed) {
    if (isActive(order)) next.set(order.id, toSelected(order))
    else next.delete(order.id)
  }
  write(next)
}

function isActive(order: Order): boolean {
  return tabOf(order.status, order.delivery.method) === 'active'
}

export function toSelected(order: Order): Selected {
  return {
    id: order.id,
    reference: order.thirstie_logistic_order_ref,
    total: order.transaction.total,
    version: order.version,
    canAccept: allowedActions(order).has('accept'),
    isMine: isMine(order),
  }
}

function write(next: Selection): void {
  selection.set(next)
  clearTimeout(saving)
  saving = setTimeout(save, SAVED_AFTER_MS)
}

function save(): void {
  clearTimeout(saving)
  // Without an opened list nothing was read, and nothing may be overwritten.
  if (owner === '') return
  const kept = [...selection.get().values()]
  try {
    if (kept.length === 0) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify({ owner, kept }))
  } catch {
    // A full or forbidden storage loses the selection only at the next reload.
  }
}

function read(tmk: string): Selection {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as {
      owner: string
      kept: Selected[]
    } | null
    if (stored?.owner === tmk) return new Map(stored.kept.map((each) => [each.id, each]))
  } catch {
    // An unreadable selection counts as none.
  }
  return none
}
