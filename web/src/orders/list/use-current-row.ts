import { useCallback, useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { orderToShow } from '../state/pending-orders.ts'
import type { ListProps } from './list-props.ts'

interface List extends Pick<ListProps, 'orders'> {
  /** The list's view; another view has another current row. */
  view: string
  box: RefObject<HTMLElement | null>
  virtual: { scrollToIndex(index: number, options: { align: 'auto' }): void }
}

/** So long, a press may be meant for the order that has just left. */
const GUARD_MS = 700
/** The keyboard's row when the clerk left the list, for the way back. */
let leftAt: { readonly view: string; readonly id: string; readonly index: number } | undefined
/** The row that receives the focus with the next frame. */
let focusing: number

/** The keyboard's current order, which is marked, and survives a visit to the order's own page. */
export function useCurrentRow({ orders, view, box, virtual }: List) {
  const [marked, setMarked] = useState<{ view: string; id: string } | null>(null)
  const current = marked?.view === view ? marked.id : null
  const at = orders.findIndex(({ id }) => id === current)
  const setCurrent = useCallback((id: string) => setMarked({ view, id }), [view])
  /** `from` has the focus now, unless nothing has it. */
  const focusRow = (index: number, from: Element | null = document.body): void => {
    focusing = index
    requestAnimationFrame(() => {
      // The focus marks its row. On a busy machine it would come after the next key, which then acts on the wrong order,
      // and after the clerk has gone to a field.
      if (focusing === index && [from, document.body].includes(document.activeElement))
        box.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true })
    })
  }
  const goOn = useEffectEvent(() => {
    if (leftAt?.view !== view || document.activeElement !== document.body) return
    const { id, index } = leftAt
    const now = orders.findIndex((order) => order.id === id)
    // When an order leaves the list, the next one takes its place, but no press that was meant for it.
    if (now < 0) setTimeout(focusRow, GUARD_MS, Math.min(index, orders.length - 1))
    else if (current === null) focusRow(now)
  })
  useEffect(() => goOn(), [orders])
  useEffect(() => {
    if (current && at >= 0) leftAt = { view, id: current, index: at }
  }, [current, at, view])
  const toShow = orderToShow.use()
  const show = useEffectEvent((index: number) => {
    virtual.scrollToIndex(index, { align: 'auto' })
    // The bar of new orders goes with its button, and the keys go on in the rows.
    focusRow(index)
    orderToShow.set(null)
  })
  useEffect(() => {
    const index = orders.findIndex(({ id }) => id === toShow)
    if (index >= 0) show(index)
  }, [orders, toShow])
  return {
    /** Its index: between two rows if the order has left, and -1 if there never was one. */
    at: at < 0 && current && leftAt?.view === view ? leftAt.index - 0.5 : at,
    setCurrent,
    moveTo(index: number) {
      const next = Math.max(0, Math.min(orders.length - 1, index))
      const order = orders[next]
      if (order) setCurrent(order.id)
      virtual.scrollToIndex(next, { align: 'auto' })
      focusRow(next, document.activeElement)
    },
  }
}
