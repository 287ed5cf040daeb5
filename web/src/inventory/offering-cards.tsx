import { formatDollars } from '@cellarhand/contract/money'
import { messages } from '@cellarhand/contract/messages'
import panel from '#ui/blocks/panel.module.css'
import { useVirtualCards } from '#ui/lists/virtual-cards.ts'
import type { OfferingRow } from './offering-rows.ts'
import styles from './offering-cards.module.css'
import { ActiveMark, IssueLink, missingIn, placeOf, Quantity } from './offerings-table.tsx'

const CARD_PX = 122

/** The stock list on a narrow screen; the page itself scrolls. */
export function OfferingCards({ rows }: { rows: readonly OfferingRow[] }) {
  const { list, listStyle, virtual, slots } = useVirtualCards({
    count: rows.length,
    cardPx: CARD_PX,
    keyOf: (index) => rows[index]?.id ?? index,
  })
  return (
    <div ref={list} role="list" aria-label="Inventory" style={listStyle}>
      {slots.map(({ index, key, style }) => {
        const row = rows[index]
        return (
          row && (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="listitem"
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={style}
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
      <p className={styles.quiet}>
        {[row.brand, row.size, row.drink, row.tpk, placeOf(row)].filter(Boolean).join(' · ')}
      </p>
      <div className={styles.line}>
        <span className={styles.stock}>
          <ActiveMark isActive={row.isActive} />
          {!row.isNextDay && !row.takenDown && 'QTY '}
          <Quantity row={row} />
        </span>
        <IssueLink row={row} />
      </div>
    </article>
  )
}
