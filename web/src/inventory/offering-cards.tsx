import { formatDollars } from '@cellarhand/contract/money'
import { messages } from '@cellarhand/contract/messages'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import panel from '#ui/blocks/panel.module.css'
import type { OfferingRow } from './offering-rows.ts'
import styles from './offering-cards.module.css'
import { ActiveMark, IssueLink, missingIn, Quantity } from './offerings-table.tsx'

const CARD_PX = 122
const OVERSCAN = 6

/** The stock list on a narrow screen; the page itself scrolls. */
export function OfferingCards({ rows }: { rows: readonly OfferingRow[] }) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  // oxlint-disable-next-line react/incompatible-library -- its functions go to no memoized child
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => CARD_PX,
    overscan: OVERSCAN,
    gap: 8,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  return (
    <div
      ref={list}
      className={styles.list}
      role="list"
      aria-label="Inventory"
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]
        return (
          row && (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.slot}
              role="listitem"
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <OfferingCard row={row} />
            </div>
          )
        )
      })}
    </div>
  )
}

function OfferingCard({ row }: { row: OfferingRow }) {
  if (!row.isComplete) {
    return (
      <article className={`${panel.panel} ${styles.card}`}>
        <p>{messages.noOrdersForCriteria}</p>
        <p className={styles.quiet}>{missingIn(row)}</p>
      </article>
    )
  }
  return (
    <article className={`${panel.panel} ${styles.card}`}>
      <div className={styles.line}>
        <b>{row.name}</b>
        <b>{formatDollars(row.price)}</b>
      </div>
      <p className={styles.quiet}>{[row.brand, row.size, row.tpk].filter(Boolean).join(' · ')}</p>
      <div className={styles.line}>
        <span className={styles.stock}>
          <ActiveMark isActive={row.isActive} />
          {!row.isNextDay && 'QTY '}
          <Quantity row={row} />
        </span>
        <IssueLink row={row} />
      </div>
    </article>
  )
}
