import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { DeskTools } from '../select/desk-tools.ts'
import type { ListProps } from './list-props.ts'
import { allowedActions } from '../state/allowed-actions.ts'
import type { Order } from '../state/queries.ts'
import { printOnce } from '../actions/use-print.ts'
import type { PressTake } from '../taken/press-take.ts'
import { selection } from '../state/selection.ts'
import { shown } from '../state/shown.ts'

interface List extends Pick<ListProps, 'orders' | 'onStep'> {
  /** The index of the keyboard's current order; between two rows if it has left the list. */
  at: number
  onMove: (index: number) => void
  onToggle?: (index: number, isRange: boolean) => void
}

const pressTake: PressTake = async (...press) =>
  (await import('../taken/press-take.ts')).pressTake(...press).catch(() => undefined)

/** The list's keys, for clerks who keep their hands on the keyboard. */
export function useListShortcuts({ orders, at, onMove, onStep, onToggle }: List): void {
  const { printSlip } = use(DeskTools)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // With a selection among them they act on it (the bar's own keys).
  const selected = selection.use()
  const hasSelection = onToggle && orders.some(({ id }) => selected.has(id))
  const withCurrent = (act: (order: Order, index: number) => void) => () => {
    const order = orders[at]
    if (order) act(order, at)
  }
  /** What shows no dialog shows its row, which may be scrolled away. */
  const onRow = (act: (order: Order, index: number) => void) =>
    withCurrent((order, index) => {
      onMove(index)
      act(order, index)
    })
  useShortcuts({
    j: () => onMove(Math.floor(at + 1)),
    k: () => onMove(Math.ceil(at - 1)),
    Enter: withCurrent(({ id }) => void navigate({ to: '/orders/view/$id', params: { id } })),
    x: onRow((_order, index) => onToggle?.(index, false)),
    X: onRow((_order, index) => onToggle?.(index, true)),
    r: withCurrent((order) => {
      const actions = allowedActions(order)
      if (actions.has('reject') || actions.has('reject_partly')) onStep('reject', order)
    }),
    ...(!hasSelection && {
      m: onRow((order) => void pressTake(queryClient, order)),
      a: () => {
        const order = orders[at]
        if (order && allowedActions(order).has('accept')) onStep('accept', order)
        // The next decision, as the bar says; in place of a row that has just left, no press counts.
        else if (order || at === -1) shown.decide?.()
      },
      p: onRow((order) => printSlip && printOnce(order, printSlip)),
    }),
  })
}
