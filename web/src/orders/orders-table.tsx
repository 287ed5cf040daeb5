import type { Tab } from '@cellarhand/contract/order-lifecycle'
import { tabLabels } from '@cellarhand/contract/labels'
import { useElementScrollRestoration } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { preferences } from '#lib/preferences.ts'
import { useShortcuts } from '#lib/shortcuts.ts'
import { columnsOf } from './columns.tsx'
import { nextStepOf } from './next-step.ts'
import type { ListProps } from './list-props.ts'
import { OrdersRow } from './orders-row.tsx'
import { SortHeader } from './sort-header.tsx'
import styles from './orders-table.module.css'

interface Props extends ListProps {
  tab: Tab
  sort: 'asc' | 'desc' | undefined
}

const ROW_PX = { comfortable: 44, compact: 36 }
const SCROLL_ID = 'orders-table'
const HEAD_PX = 38
const OVERSCAN = 12
const NEAR_END = 10

/** A real table whose rows exist only near the window; two empty rows keep the height of the others. */
export function OrdersTable({ tab, sort, orders, total, newIds, timezone, onNearEnd, onStep, end }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { density } = preferences.use()
  const rowPx = ROW_PX[density]
  // oxlint-disable-next-line react/incompatible-library -- its functions go to no memoized child
  const virtual = useVirtualizer({
    initialOffset: useElementScrollRestoration({ id: SCROLL_ID })?.scrollY ?? 0,
    count: orders.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollPaddingStart: HEAD_PX,
    getItemKey: (index) => orders[index]?.thirstie_logistic_order_ref ?? index,
  })
  useEffect(() => virtual.measure(), [virtual, rowPx])
  const rows = virtual.getVirtualItems()
  const lastShown = virtual.range?.endIndex ?? 0
  useEffect(() => {
    if (lastShown >= orders.length - NEAR_END) onNearEnd()
  })

  const [current, setCurrent] = useState<number | null>(null)
  const moveTo = (index: number): void => {
    const next = Math.max(0, Math.min(orders.length - 1, index))
    setCurrent(next)
    virtual.scrollToIndex(next, { align: 'auto' })
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus({ preventScroll: true }),
    )
  }
  useShortcuts({
    j: () => moveTo((current ?? -1) + 1),
    k: () => moveTo((current ?? 1) - 1),
    a: () => {
      const order = orders[current ?? -1]
      if (order && nextStepOf(order)?.step === 'accept') onStep('accept', order)
    },
  })

  const columns = columnsOf(tab)
  const before = rows[0]?.start ?? 0
  const after = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0)
  return (
    <div className={styles.box} ref={box} tabIndex={-1} data-scroll-restoration-id={SCROLL_ID}>
      <table className={styles.table} aria-rowcount={total + 1} aria-label={`${tabLabels[tab]} orders`}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.name} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) =>
              column.isSortable ? (
                <SortHeader key={column.name} label={column.label} sort={sort} />
              ) : (
                <th key={column.name} scope="col" data-right={column.isRight || undefined}>
                  {column.label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <SpacerRow height={before} span={columns.length} />}
          {rows.map(({ index, key }) => {
            const order = orders[index]
            return (
              order && (
                <OrdersRow
                  key={key}
                  index={index}
                  order={order}
                  columns={columns}
                  isNew={newIds.has(order.id)}
                  timezone={timezone}
                  onStep={onStep}
                  onFocus={setCurrent}
                />
              )
            )
          })}
          {after > 0 && <SpacerRow height={after} span={columns.length} />}
        </tbody>
      </table>
      <div className={styles.end} role="status">
        {end}
      </div>
    </div>
  )
}

function SpacerRow({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden className={styles.spacer}>
      <td colSpan={span} style={{ height }} />
    </tr>
  )
}
