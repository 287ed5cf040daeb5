import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import { tabOf } from '@cellarhand/contract/order-statuses'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { use, useEffect, type ReactNode } from 'react'
import { Button, buttonClass } from '#ui/blocks/button.tsx'
import { useVirtualCards } from '#ui/lists/virtual-cards.ts'
import { itemWords, recipientName } from '../order/facts.ts'
import { DeskTools } from '../select/desk-tools.ts'
import { downloadDetails } from '../order/download-details.ts'
import { useSteps } from '../order/next-step.ts'
import { OrderLink } from '../order/order-link.tsx'
import { OnTrackBadge } from '../order/on-track-badge.tsx'
import type { ListProps } from './list-props.ts'
import type { Order } from '../state/queries.ts'
import styles from './order-cards.module.css'
import { SelectBox } from './select-cells.tsx'
import { SeeWhy } from '../order/see-why.tsx'
import { StatusPill } from '../order/status-pill.tsx'
import { useWhyItWaits } from '../order/unconfirmed.ts'
import { useCurrentRow } from './use-current-row.ts'
import { useListShortcuts } from './use-list-shortcuts.ts'
import { usePrint } from './use-print.ts'
import { useRowSelection } from '../select/use-row-selection.ts'
import { WhoIsOnIt } from '../live/who-is-on-it.tsx'

const CARD_PX = 152

/** The list on a narrow screen; the page itself scrolls. */
export function OrderCards(props: ListProps) {
  const { tab, orders, total, newIds, timezone, onNearEnd, onStep, end, isStale, shownView } = props
  const { list, listStyle, virtual, slots, isNearEnd } = useVirtualCards({
    count: orders.length,
    cardPx: CARD_PX,
    keyOf: (index) => orders[index]?.thirstie_logistic_order_ref ?? index,
  })
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  })
  const { current, setCurrent, moveTo } = useCurrentRow({ orders, view: shownView, box: list, virtual })
  const { selected, toggle } = useRowSelection(orders)
  const onToggle = tab === 'active' ? toggle : undefined
  useListShortcuts({ orders, current, onMove: moveTo, onStep, ...(onToggle && { onToggle }) })
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
                onFocus={() => setCurrent(order.id)}
              >
                <OrderCard order={order} isNew={newIds.has(order.id)} timezone={timezone} onStep={onStep}>
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

interface CardProps extends Pick<ListProps, 'timezone' | 'onStep'> {
  order: Order
  isNew: boolean
  /** Shown before the number. */
  children: ReactNode
}

function OrderCard({ order, isNew, timezone, onStep, children }: CardProps) {
  const [next] = useSteps(order)
  const waits = useWhyItWaits(order)
  const { printSlip } = use(DeskTools)
  const { isPrinting, print } = usePrint(order)
  const tab = tabOf(order.status, order.delivery.method)
  const facts = [
    methodLabel(order.delivery.method, order.courier_estimate_id),
    order.application_brand_name ?? order.application_name,
    itemWords(order),
  ]
  return (
    <article className={styles.card} data-new={isNew || undefined}>
      <div className={styles.facts}>
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
          <span className={styles.clip}>{recipientName(order)}</span>
          <b>{formatDollars(order.transaction.total)}</b>
        </div>
        <div className={`${styles.line} ${styles.quiet}`}>
          <span>{facts.filter(Boolean).join(' · ')}</span>
          <StatusPill order={order} />
        </div>
        <WhoIsOnIt order={order} />
        {tab === 'on_hold' && order.status_comment && (
          <p className={styles.comment}>{order.status_comment}</p>
        )}
      </div>
      {tab !== 'cancelled' && (
        <div className={styles.actions}>
          {next ? (
            <Button
              disabled={waits !== undefined}
              title={waits}
              onClick={() => onStep(next.step, order)}
              aria-label={`${next.label} #${order.id}`}
            >
              {next.label}
            </Button>
          ) : (
            <SeeWhy order={order} className={buttonClass} />
          )}
          {printSlip && (
            <Button
              look="plain"
              className={styles.sign}
              isBusy={isPrinting}
              onClick={print}
              aria-label={`Print packing slip of #${order.id}`}
            >
              <IconPrinter size={18} aria-hidden />
            </Button>
          )}
          <Button
            look="plain"
            className={styles.sign}
            onClick={() => onStep('review', order)}
            aria-label={`Review #${order.id}`}
          >
            <IconEye size={18} aria-hidden />
          </Button>
          <Button
            look="plain"
            className={styles.sign}
            onClick={() => void downloadDetails([order])}
            aria-label={`Download CSV of #${order.id}`}
          >
            <IconFileSpreadsheet size={18} aria-hidden />
          </Button>
        </div>
      )}
    </article>
  )
}
