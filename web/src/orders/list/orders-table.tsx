import { tabLabels } from '@cellarhand/contract/labels'
import { useElementScrollRestoration } from '@tanstack/react-router'
import { Fragment, useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react'
import { preferences } from '#lib/kept/preferences.ts'
import { paintedPart } from '#lib/parts/lazy-part.ts'
import { TOUCH, useMedia } from '#lib/parts/use-media.ts'
import { SpacerRow, useVirtualRows } from '#ui/lists/virtual-rows.tsx'
import type { Fold } from './columns.tsx'
import { columnsOf, FOLDS_MOST, FOLDS_SOME } from './columns.tsx'
import type { ListView } from '../state/list-view.ts'
import type { ListProps } from './list-props.ts'
import { useLateEnd } from './late-end.ts'
import { OrdersRow } from './orders-row.tsx'
import { SelectHead } from './select-cells.tsx'
import { SortHeader } from './sort-header.tsx'
import styles from './orders-table.module.css'
import { useCurrentRow } from './use-current-row.ts'
import { useListShortcuts } from './use-list-shortcuts.ts'
import { useRowSelection } from '../select/use-row-selection.ts'

interface Props extends ListProps {
  fold: Fold
  sort: ListView['sort']
}

const GroupHead = paintedPart(() => import('./group-head.tsx'), 'GroupHead')
const ROW_PX = { comfortable: 40, touch: 44, compact: 36 }
const SCROLL_ID = 'orders-table'
const OVERSCAN = 3
const NEAR_END = 10

export function OrdersTable(props: Props) {
  const { tab, fold, sort, shownView, isDueFirst, orders, total, newIds, onNearEnd, end, isStale, ...facts } =
    props
  const box = useRef<HTMLDivElement>(null)
  const { density } = preferences.use()
  const placeOnTheWayBack = useElementScrollRestoration({ id: SCROLL_ID })?.scrollY ?? 0
  const isTouch = useMedia(TOUCH)
  const lateEnd = useLateEnd(orders, isDueFirst)
  const heads = lateEnd > 0 ? [0, lateEnd] : []
  const { virtual, rows, before, after } = useVirtualRows({
    box,
    rowPx: ROW_PX[isTouch && density === 'comfortable' ? 'touch' : density],
    heads,
    initialOffset: placeOnTheWayBack,
    count: orders.length,
    overscan: OVERSCAN,
    getItemKey: (index) => orders[index]?.thirstie_logistic_order_ref ?? index,
  })
  const lastShown = virtual.range?.endIndex ?? 0
  useEffect(() => {
    if (lastShown >= orders.length - NEAR_END) onNearEnd()
  })

  const { at, setCurrent, moveTo } = useCurrentRow({ orders, view: shownView, box, virtual })
  const viewBefore = useRef(shownView)
  useLayoutEffect(() => {
    if (viewBefore.current === shownView) return
    viewBefore.current = shownView
    // Reading the place makes the browser lay out the new rows too early.
    if (virtual.scrollOffset !== placeOnTheWayBack) virtual.scrollToOffset(placeOnTheWayBack)
  }, [shownView, virtual, placeOnTheWayBack])

  const rowSelection = useRowSelection(orders)
  const isSelectable = tab === 'active'
  const { toggle } = rowSelection
  useListShortcuts({
    orders,
    at,
    onMove: moveTo,
    onStep: facts.onStep,
    ...(isSelectable && { onToggle: toggle }),
  })

  const columns = columnsOf(tab, fold)
  const span = columns.length + (isSelectable ? 1 : 0)
  return (
    <div
      className={styles.box}
      ref={box}
      tabIndex={-1}
      aria-busy={isStale}
      data-scroll-restoration-id={SCROLL_ID}
    >
      <table className={styles.table} aria-rowcount={total + 1} aria-label={`${tabLabels[tab]} orders`}>
        <colgroup>
          {isSelectable && <col data-name="select" />}
          {columns.map(({ name }) => (
            <col key={name} data-name={name} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {isSelectable && (
              <SelectHead state={shareOf(orders, rowSelection.selected)} onToggle={rowSelection.toggleAll} />
            )}
            {columns.map((column) =>
              column.sortsBy ? (
                <SortHeader key={column.name} label={column.label} by={column.sortsBy} sort={sort} />
              ) : (
                <th key={column.name} scope="col" data-right={column.isRight || undefined}>
                  {column.label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          <SpacerRow height={before} span={span} />
          {rows.map(({ index, key }) => {
            const order = orders[index]
            return (
              order && (
                <Fragment key={key}>
                  {heads.includes(index) && (
                    <GroupRow orders={orders} lateEnd={lateEnd} isLate={index === 0} span={span} />
                  )}
                  <OrdersRow
                    index={index}
                    order={order}
                    columns={columns}
                    fold={fold}
                    isNew={newIds.has(order.id)}
                    isCurrent={index === at}
                    {...facts}
                    onFocus={setCurrent}
                    onToggle={isSelectable ? toggle : undefined}
                    isSelected={rowSelection.selected.has(order.id)}
                  />
                </Fragment>
              )
            )
          })}
          <SpacerRow height={after} span={span} />
        </tbody>
      </table>
      <div className={styles.end} role="status">
        {end}
      </div>
    </div>
  )
}

type GroupProps = ComponentProps<typeof GroupHead> & { span: number }

/** Hidden from screen readers: every badge says the same in words, and the first row stays the first order. */
function GroupRow({ span, ...head }: GroupProps) {
  return (
    <tr className={styles.group} data-late={head.isLate || undefined} aria-hidden>
      <td colSpan={span}>
        <GroupHead {...head} />
      </td>
    </tr>
  )
}

export function useFold(): Fold {
  const isMost = useMedia(FOLDS_MOST)
  const isSome = useMedia(FOLDS_SOME)
  return isMost ? 2 : isSome ? 1 : 0
}

function shareOf(
  orders: ListProps['orders'],
  selected: ReadonlyMap<string, unknown>,
): 'none' | 'some' | 'all' {
  if (selected.size === 0) return 'none'
  if (orders.every(({ id }) => selected.has(id))) return 'all'
  return orders.some(({ id }) => selected.has(id)) ? 'some' : 'none'
}
