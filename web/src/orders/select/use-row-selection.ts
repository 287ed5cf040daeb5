import { useCallback, useLayoutEffect, useRef } from 'react'
import type { Order } from '../state/queries.ts'
import { select, selection } from '../state/selection.ts'

/** The order that was selected last, or the box that selects all: the selection's bar follows it in the tab order. */
export const lastTick: { at?: string | Element | null } = {}

interface RowSelection {
  selected: ReadonlyMap<string, unknown>
  /** With `isRange`, toggles everything from the last pressed row to this one. The function never changes. */
  toggle: (index: number, isRange: boolean) => void
  toggleAll: () => void
}

export function useRowSelection(orders: readonly Order[]): RowSelection {
  const selected = selection.use()
  const shown = useRef(orders)
  // As soon as the rows themselves.
  useLayoutEffect(() => {
    shown.current = orders
  }, [orders])
  const anchor = useRef<string | null>(null)
  const toggle = useCallback((index: number, isRange: boolean): void => {
    const order = shown.current[index]
    if (!order) return
    lastTick.at = order.id
    const from = isRange ? shown.current.findIndex(({ id }) => id === anchor.current) : -1
    anchor.current = order.id
    if (from === -1) return select([order], !selection.get().has(order.id))
    select(shown.current.slice(Math.min(from, index), Math.max(from, index) + 1), true)
  }, [])
  return {
    selected,
    toggle,
    toggleAll() {
      lastTick.at = document.activeElement
      select(orders, !orders.every(({ id }) => selected.has(id)))
    },
  }
}
