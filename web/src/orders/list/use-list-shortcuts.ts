import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { DeskTools } from '../select/desk-tools.ts'
import type { ListProps } from './list-props.ts'
import { allowedActions } from '../order/next-step.ts'
import type { Order } from '../state/queries.ts'
import { printOnce } from '../actions/use-print.ts'
import type { PressTake } from '../taken/press-take.ts'
import { selection } from '../state/selection.ts'
import { shown } from '../state/shown.ts'

interface List extends Pick<ListProps, 'orders' | 'onStep'> {
  /** The id of the keyboard's current order. */
  current: string | null
  onMove: (index: number) => void
  onToggle?: (index: number, isRange: boolean) => void
}

const pressTake: PressTake = async (...press) =>
  (await import('../taken/press-take.ts')).pressTake(...press).catch(() => undefined)

/** The list's keys, for clerks who keep their hands on the keyboard. */
export function useListShortcuts({ orders, current, onMove, onStep, onToggle }: List): void {
  const { printSlip } = use(DeskTools)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const at = (): number => orders.findIndex(({ id }) => id === current)
  // With a selection they act on it (the bar's own keys).
  const hasSelection = selection.use().size > 0 && onToggle !== undefined
  const withCurrent = (act: (order: Order, index: number) => void) => () => {
    const index = at()
    const order = orders[index]
    if (order) act(order, index)
  }
  useShortcuts({
    j: () => onMove(at() + 1),
    k: () => onMove(at() === -1 ? 0 : at() - 1),
    Enter: withCurrent(({ id }) => void navigate({ to: '/orders/view/$id', params: { id } })),
    x: withCurrent((_order, index) => onToggle?.(index, false)),
    X: withCurrent((_order, index) => onToggle?.(index, true)),
    r: withCurrent((order) => {
      const actions = allowedActions(order)
      if (actions.has('reject') || actions.has('reject_partly')) onStep('reject', order)
    }),
    ...(!hasSelection && {
      m: withCurrent((order) => void pressTake(queryClient, order)),
      a: () => {
        const order = orders[at()]
        if (!order) shown.decide?.()
        else if (allowedActions(order).has('accept')) onStep('accept', order)
      },
      p: withCurrent((order) => printSlip && printOnce(order, printSlip)),
    }),
  })
}
