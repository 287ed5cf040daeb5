import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import type { Tab } from '@cellarhand/contract/order-statuses'
import { tabOf, tabs } from '@cellarhand/contract/order-statuses'
import type { ReactNode } from 'react'
import { Moment } from '#ui/blocks/moment.tsx'
import { OnTrackBadge } from '../order/on-track-badge.tsx'
import { OrderLink } from '../order/order-link.tsx'
import type { Step } from '../order/next-step.ts'
import { itemWords, recipientName, totalItems } from '../order/facts.ts'
import type { Order } from '../state/queries.ts'
import { RowActions } from '../actions/row-actions.tsx'
import { StatusPill } from '../order/status-pill.tsx'
import styles from './orders-table.module.css'
import { WhoIsOnIt } from '../live/who-is-on-it.tsx'

/**
 * How much of the list is folded. The parts to decide by and to press never leave the screen: where room goes, facts
 * move under other facts. The limits are those of the window, in which the list's width is known.
 */
export type Fold = 0 | 1 | 2
export const FOLDS_SOME = '(max-width: 1380px)'
export const FOLDS_MOST = '(max-width: 1020px), (min-width: 1101px) and (max-width: 1204px)'
interface CellContext {
  timezone: string
  fold: Fold
  hasCarrier: boolean
  onStep: (step: Step, order: Order) => void
}

export interface Column {
  name: string
  label: string
  /** The fold from which on another column tells its fact. */
  foldsAt?: Fold
  /** Undefined: on every tab. */
  tabs?: readonly Tab[]
  isRight?: boolean
  /** The sort that its header shows and chooses. */
  sortsBy?: 'date' | 'due'
  cell: (order: Order, context: CellContext) => ReactNode
}

const columns: readonly Column[] = [
  {
    name: 'on-track',
    label: 'On track',
    tabs: ['active'],
    sortsBy: 'due',
    foldsAt: 2,
    cell: (order, { timezone }) => (
      <span className={styles.due}>
        <OnTrackBadge order={order} timezone={timezone}>
          {underline}
        </OnTrackBadge>
      </span>
    ),
  },
  {
    name: 'order',
    label: 'Order',
    cell: (order, { fold, timezone }) => (
      <>
        <OrderLink className={styles.number} id={order.id}>
          #{order.id}
        </OrderLink>
        {fold > 0 && (
          <span className={styles.under}>
            <Moment at={order.date_submitted} timezone={timezone} />
          </span>
        )}
      </>
    ),
  },
  {
    name: 'recipient',
    label: 'Recipient',
    cell: (order, { fold }) => (
      <>
        <span className={fold > 0 ? styles.clip : styles.name}>{recipientName(order)}</span>
        <WhoIsOnIt order={order}>{fold > 0 && <MethodAndBrand order={order} />}</WhoIsOnIt>
      </>
    ),
  },
  {
    name: 'status',
    label: 'Status',
    tabs: ['active', 'completed'],
    cell: (order, { fold, timezone }) => {
      const status = <StatusPill order={order} />
      if (fold < 2 || tabOf(order.status, order.delivery.method) !== 'active') return status
      return (
        <span className={styles.stacked}>
          {status}
          <OnTrackBadge order={order} timezone={timezone} />
        </span>
      )
    },
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
    foldsAt: 1,
    cell: (order) => (
      <span className={styles.method}>{methodLabel(order.delivery.method, order.courier_estimate_id)}</span>
    ),
  },
  {
    name: 'brand',
    label: 'Brand',
    foldsAt: 1,
    cell: (order) => {
      const brand = brandOf(order)
      return (
        <span className={styles.twoLines} title={brand}>
          {brand}
        </span>
      )
    },
  },
  {
    name: 'items',
    label: 'Items',
    isRight: true,
    foldsAt: 1,
    cell: totalItems,
  },
  {
    name: 'total',
    label: 'Total',
    isRight: true,
    cell: (order, { fold }) => (
      <>
        {formatDollars(order.transaction.total)}
        {fold > 0 && <span className={styles.under}>{itemWords(order)}</span>}
      </>
    ),
  },
  {
    name: 'created',
    label: 'Created',
    sortsBy: 'date',
    foldsAt: 1,
    cell: (order, { timezone }) => (
      <span className={styles.created}>
        <Moment at={order.date_submitted} timezone={timezone} />
      </span>
    ),
  },
  {
    name: 'actions',
    label: 'Actions',
    isRight: true,
    tabs: ['active', 'on_hold', 'completed'],
    cell: (order, { hasCarrier, onStep }) => <RowActions {...{ order, hasCarrier, onStep }} />,
  },
]

function underline(words: string): ReactNode {
  return <span className={styles.under}>{words}</span>
}

function brandOf(order: Order): string | undefined {
  return order.application_brand_name ?? order.application_name ?? undefined
}

function MethodAndBrand({ order }: { order: Order }) {
  const words = [methodLabel(order.delivery.method, order.courier_estimate_id), brandOf(order)]
  const text = words.filter(Boolean).join(' · ')
  return (
    <span className={`${styles.under} ${styles.clip}`} title={text}>
      {text}
    </span>
  )
}

const known = new Map(
  tabs.flatMap((tab) =>
    ([0, 1, 2] as const).map((fold) => [
      tab + fold,
      columns.filter((column) => (!column.tabs || column.tabs.includes(tab)) && (column.foldsAt ?? 3) > fold),
    ]),
  ),
)

/** The same array each time, so that rows whose order is the same need not be drawn again. */
export function columnsOf(tab: Tab, fold: Fold): readonly Column[] {
  return known.get(tab + fold) ?? columns
}
