import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import type { Tab } from '@cellarhand/contract/order-statuses'
import { tabs } from '@cellarhand/contract/order-statuses'
import type { ReactNode } from 'react'
import { Moment } from '#ui/blocks/moment.tsx'
import { OnTrackBadge } from '../order/on-track-badge.tsx'
import { OrderLink } from '../order/order-link.tsx'
import type { Step } from '../order/next-step.ts'
import { recipientName, totalItems } from '../order/facts.ts'
import type { Order } from '../state/queries.ts'
import { RowActions } from './row-actions.tsx'
import { StatusPill } from '../order/status-pill.tsx'
import styles from './orders-table.module.css'
import { WhoIsOnIt } from '../live/who-is-on-it.tsx'

interface CellContext {
  timezone: string
  onStep: (step: Step, order: Order) => void
}

export interface Column {
  name: string
  label: string
  /** In pixels; columns without a width share the rest. */
  width?: number
  /** Undefined means every tab. */
  tabs?: readonly Tab[]
  isRight?: boolean
  isSortable?: boolean
  cell: (order: Order, context: CellContext) => ReactNode
}

const columns: readonly Column[] = [
  {
    name: 'order',
    label: 'Order',
    width: 104,
    cell: (order) => (
      <OrderLink className={styles.number} id={order.id}>
        #{order.id}
      </OrderLink>
    ),
  },
  {
    name: 'recipient',
    label: 'Recipient',
    cell: (order) => (
      <>
        <span className={styles.clip}>{recipientName(order)}</span>
        <WhoIsOnIt orderId={order.id} />
      </>
    ),
  },
  {
    name: 'created',
    label: 'Created',
    width: 98,
    isSortable: true,
    cell: (order, { timezone }) => (
      <span className={styles.created}>
        <Moment at={order.date_submitted} timezone={timezone} />
      </span>
    ),
  },
  {
    name: 'status',
    label: 'Status',
    width: 114,
    tabs: ['active', 'completed'],
    cell: (order) => <StatusPill order={order} />,
  },
  {
    name: 'on-track',
    label: 'On track',
    width: 164,
    tabs: ['active'],
    cell: (order, { timezone }) => <OnTrackBadge order={order} timezone={timezone} />,
  },
  {
    name: 'comment',
    label: 'Comment',
    tabs: ['on_hold'],
    cell: (order) => (
      <span className={styles.twoLines} title={order.status_comment ?? undefined}>
        {order.status_comment}
      </span>
    ),
  },
  {
    name: 'method',
    label: 'Method',
    width: 104,
    cell: (order) => (
      <span className={styles.method}>{methodLabel(order.delivery.method, order.courier_estimate_id)}</span>
    ),
  },
  {
    name: 'brand',
    label: 'Brand',
    width: 110,
    cell: (order) => {
      const brand = order.application_brand_name ?? order.application_name ?? undefined
      return (
        <span className={`${styles.twoLines} ${styles.dim}`} title={brand}>
          {brand}
        </span>
      )
    },
  },
  { name: 'items', label: 'Items', width: 54, isRight: true, cell: totalItems },
  {
    name: 'total',
    label: 'Total',
    width: 92,
    isRight: true,
    cell: (order) => formatDollars(order.transaction.total),
  },
  {
    name: 'actions',
    label: 'Actions',
    width: 154,
    isRight: true,
    tabs: ['active', 'on_hold', 'completed'],
    cell: (order, { onStep }) => <RowActions order={order} onStep={onStep} />,
  },
]

const byTab = new Map(
  tabs.map((tab) => [tab, columns.filter((column) => !column.tabs || column.tabs.includes(tab))]),
)

/** Always the same array, so that rows with an unchanged order need no new drawing. */
export function columnsOf(tab: Tab): readonly Column[] {
  return byTab.get(tab) ?? columns
}
