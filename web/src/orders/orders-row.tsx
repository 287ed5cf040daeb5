import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { memo } from 'react'
import type { Column } from './columns.tsx'
import type { Step } from './next-step.ts'
import type { Order } from './queries.ts'
import styles from './orders-table.module.css'

interface Props {
  index: number
  order: Order
  columns: readonly Column[]
  isNew: boolean
  timezone: string
  onStep: (step: Step, order: Order) => void
  onFocus: (index: number) => void
}

export const OrdersRow = memo(function OrdersRow(props: Props) {
  const { index, order, columns, isNew, timezone, onStep, onFocus } = props
  const navigate = useNavigate()
  const open = (event: MouseEvent<HTMLElement>): void => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, button, input')
    if (isOnControl || getSelection()?.type === 'Range') return
    void navigate({ to: '/orders/view/$id', params: { id: order.id } })
  }
  return (
    <tr
      className={styles.row}
      data-index={index}
      data-new={isNew || undefined}
      aria-rowindex={index + 2}
      onClick={open}
      onFocus={() => onFocus(index)}
    >
      {columns.map((column) => (
        <td key={column.name} data-right={column.isRight || undefined}>
          {isNew && column.name === 'order' && <span className="visually-hidden">New: </span>}
          {column.cell(order, { timezone, onStep })}
        </td>
      ))}
    </tr>
  )
})
