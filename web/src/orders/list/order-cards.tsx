import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import { tabOf } from '@cellarhand/contract/order-statuses'
import { useEffect, type ReactNode } from 'react'
import { MoreButton } from '../actions/more-button.tsx'
import { NextButton } from '../actions/next-button.tsx'
import rowStyles from '../actions/row-actions.module.css'
import { GroupHead } from './group-head.tsx'
import { useLateEnd } from './late-end.ts'
import { useVirtualCards } from '#ui/lists/virtual-cards.ts'
import { itemWords, recipientName } from '../order/facts.ts'
import { OrderLink } from '../order/order-link.tsx'
import { OnTrackBadge } from '../order/on-track-badge.tsx'
import type { ListProps } from './list-props.ts'
import type { Order } from '../state/queries.ts'
import styles from './order-cards.module.css'
import { SelectBox } from './select-cells.tsx'
import { StatusPill } from '../order/status-pill.tsx'
import { useCurrentRow } from './use-current-row.ts'
import { useListShortcuts } from './use-list-shortcuts.ts'
import { useRowSelection } from '../select/use-row-selection.ts'
import { WhoIsOnIt } from '../live/who-is-on-it.tsx'

const CARD_PX = 128

/** The list on a narrow screen; the page itself scrolls. */
export function OrderCards(props: ListProps) {
  const { tab, orders, total, newIds, timezone, hasCarrier, onNearEnd, onStep, end } = props
  const { isStale, shownView, isDueFirst } = props
  const { list, listStyle, virtual, slots, isNearEnd } = useVirtualCards({
    count: orders.length,
    cardPx: CARD_PX,
    keyOf: (index) => orders[index]?.thirstie_logistic_order_ref ?? index,
  })
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  })
  const { at, setCurrent, moveTo } = useCurrentRow({ orders, view: shownView, box: list, virtual })
  const { selected, toggle } = useRowSelection(orders)
  const onToggle = tab === 'active' ? toggle : undefined
  const lateEnd = useLateEnd(orders, isDueFirst)
  const heads = lateEnd > 0 ? [0, lateEnd] : []
  useListShortcuts({ orders, at, onMove: moveTo, onStep, ...(onToggle && { onToggle }) })
  return (
    <>
      <div
        ref={list}
        className={styles.list}
        role="list"
        aria-label="Orders"
        aria-busy={isStale}
        style={listStyle}
      >
        {slots.map(({ index, key, style }) => {
          const order = orders[index]
          return (
            order && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                role="listitem"
                aria-setsize={total}
                aria-posinset={index + 1}
                style={style}
                data-current={index === at || undefined}
                onFocus={() => setCurrent(order.id)}
              >
                {heads.includes(index) && (
                  // Every badge says the same in words.
                  <p className={styles.group} data-late={index === 0 || undefined} aria-hidden>
                    <GroupHead orders={orders} lateEnd={lateEnd} isLate={index === 0} />
                  </p>
                )}
                <OrderCard order={order} isNew={newIds.has(order.id)} {...{ timezone, hasCarrier, onStep }}>
                  {onToggle && (
                    <span className={styles.select}>
                      <SelectBox
                        index={index}
                        id={order.id}
                        isSelected={selected.has(order.id)}
                        onToggle={onToggle}
                      />
                    </span>
                  )}
                </OrderCard>
              </div>
            )
          )
        })}
      </div>
      <div className={styles.end} role="status">
        {end}
      </div>
    </>
  )
}

interface CardProps extends Pick<ListProps, 'timezone' | 'hasCarrier' | 'onStep'> {
  order: Order
  isNew: boolean
  /** Shown before the number. */
  children: ReactNode
}

function OrderCard({ order, isNew, timezone, hasCarrier, onStep, children }: CardProps) {
  const tab = tabOf(order.status, order.delivery.method)
  const facts = [
    methodLabel(order.delivery.method, order.courier_estimate_id),
    order.application_brand_name ?? order.application_name,
    itemWords(order),
  ]
  return (
    <article className={styles.card} data-new={isNew || undefined}>
      <div className={styles.line}>
        {children}
        <b className={styles.number}>
          {isNew && <span className="visually-hidden">New: </span>}
          <OrderLink className={styles.link} id={order.id}>
            #{order.id}
          </OrderLink>
        </b>
        <OnTrackBadge order={order} timezone={timezone} />
      </div>
      <div className={styles.line}>
        <b className={styles.name}>{recipientName(order)}</b>
        <span>{formatDollars(order.transaction.total)}</span>
      </div>
      <div className={styles.foot}>
        <div className={styles.facts}>
          <StatusPill order={order} />
          <span>{facts.filter(Boolean).join(' · ')}</span>
          <WhoIsOnIt order={order} />
        </div>
        {tab !== 'cancelled' && (
          <div className={`${styles.actions} ${rowStyles.card}`}>
            <NextButton {...{ order, hasCarrier, onStep }} />
            <MoreButton {...{ order, hasCarrier, onStep }} />
          </div>
        )}
      </div>
      {tab === 'on_hold' && order.status_comment && <p className={styles.comment}>{order.status_comment}</p>}
    </article>
  )
}
