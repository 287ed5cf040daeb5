import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { memo, useDeferredValue } from 'react'
import type { Column, Fold } from './columns.tsx'
import type { Step } from '../order/next-step.ts'
import { considerOrder, fetchOrder, leaveOrder } from './order-intent.ts'
import type { Order } from '../state/queries.ts'
import { SelectRow } from './select-cells.tsx'
import styles from './orders-table.module.css'

interface CellsProps {
  order: Order
  columns: readonly Column[]
  fold: Fold
  isNew: boolean
  timezone: string
  hasCarrier: boolean
  onStep: (step: Step, order: Order) => void
}

interface Props extends CellsProps {
  index: number
  isCurrent: boolean
  onFocus: (id: string) => void
  /** Undefined if orders cannot be selected. */
  onToggle: ((index: number, isRange: boolean) => void) | undefined
  isSelected: boolean
}

export const OrdersRow = memo(function OrdersRow(props: Props) {
  const { index, isCurrent, order, onFocus, onToggle, isSelected, ...cells } = props
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const open = (event: MouseEvent<HTMLElement>): void => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, button, label')
    if (isOnControl || getSelection()?.type === 'Range') return
    void navigate({ to: '/orders/view/$id', params: { id: order.id } })
  }
  return (
    <tr
      className={styles.row}
      data-index={index}
      data-current={isCurrent || undefined}
      data-new={cells.isNew || undefined}
      aria-rowindex={index + 2}
      aria-selected={onToggle && isSelected}
      onClick={open}
      onFocus={() => {
        onFocus(order.id)
        considerOrder(queryClient, order.id)
      }}
      onBlur={leaveOrder}
      onPointerEnter={() => considerOrder(queryClient, order.id)}
      onPointerLeave={leaveOrder}
      onPointerDown={() => fetchOrder(queryClient, order.id)}
    >
      {onToggle && <SelectRow index={index} id={order.id} isSelected={isSelected} onToggle={onToggle} />}
      <OrderCells order={order} {...cells} />
    </tr>
  )
})

const AT_ONCE = 3

/** Apart from the row, since a tick in front of many rows changes none of them. */
const OrderCells = memo(function OrderCells(props: CellsProps) {
  const { order, columns, isNew, ...context } = props
  // While rows fly by, each shows whose order it is and how it stands, and the rest as soon as there is time.
  const isWhole = useDeferredValue(true, false)
  return columns.map((column, index) => (
    <td key={column.name} data-right={column.isRight || undefined}>
      {isNew && column.name === 'order' && <span className="visually-hidden">New: </span>}
      {(isWhole || index < AT_ONCE) && column.cell(order, context)}
    </td>
  ))
})
