import { formatDollars } from '@cellarhand/contract/money'
import { messages } from '@cellarhand/contract/messages'
import IconBottleOff from '@tabler/icons-react/dist/esm/icons/IconBottleOff.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconTruckDelivery from '@tabler/icons-react/dist/esm/icons/IconTruckDelivery.mjs'
import { memo, useEffect, useRef } from 'react'
import { track } from '#lib/reports/analytics.ts'
import { preferences } from '#lib/kept/preferences.ts'
import { Pill } from '#ui/blocks/pill.tsx'
import { SpacerRow, useVirtualRows } from '#ui/lists/virtual-rows.tsx'
import { issueMail } from './issue-mail.ts'
import type { OfferingRow } from './offering-rows.ts'
import styles from './offerings-table.module.css'

const ROW_PX = { comfortable: 52, compact: 44 }
const OVERSCAN = 8

const columns = [
  { label: 'Brand', width: '15%' },
  { label: 'Product Name' },
  { label: 'Container Size', width: '112px' },
  { label: 'Price', width: '104px', isRight: true },
  { label: 'QTY', width: '168px', isRight: true },
  { label: 'Active', width: '80px' },
  { label: 'Submit Issue', width: '120px' },
]

export function OfferingsTable({ rows }: { rows: readonly OfferingRow[] }) {
  const box = useRef<HTMLDivElement>(null)
  const rowPx = ROW_PX[preferences.use().density]
  const {
    rows: shown,
    before,
    after,
  } = useVirtualRows({ box, rowPx, count: rows.length, overscan: OVERSCAN })
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0
  }, [rows])
  return (
    <div className={styles.box} ref={box} tabIndex={0} role="region" aria-label="Stock list">
      <table className={styles.table} aria-rowcount={rows.length + 1} aria-label="Inventory">
        <colgroup>
          {columns.map(({ label, width }) => (
            <col key={label} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ label, isRight }) => (
              <th key={label} scope="col" data-right={isRight}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ '--offering-row': `${rowPx}px` } as React.CSSProperties}>
          <SpacerRow height={before} span={columns.length} />
          {shown.map(({ index }) => {
            const row = rows[index]
            return row && <Row key={row.id} row={row} index={index} />
          })}
          <SpacerRow height={after} span={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

const Row = memo(function Row({ row, index }: { row: OfferingRow; index: number }) {
  if (!row.isComplete) {
    return (
      <tr className={styles.row} aria-rowindex={index + 2} data-index={index}>
        <td colSpan={columns.length} className={styles.missing}>
          <span>{messages.noOrdersForCriteria}</span> <small>{missingIn(row)}</small>
        </td>
      </tr>
    )
  }
  return (
    <tr className={styles.row} aria-rowindex={index + 2} data-index={index}>
      <td title={row.brand}>
        {row.brand}
        {placeOf(row) && <small>{placeOf(row)}</small>}
      </td>
      <td title={row.name}>
        {row.name}
        <small>{row.tpk}</small>
      </td>
      <td title={row.drink}>
        {row.size}
        {row.drink && <small>{row.drink}</small>}
      </td>
      <td data-right>{formatDollars(row.price)}</td>
      <td data-right>
        <Quantity row={row} />
      </td>
      <td>
        <ActiveMark isActive={row.isActive} />
      </td>
      <td>
        <IssueLink row={row} />
      </td>
    </tr>
  )
})

/** The shelf and the number in the barcode. */
export function placeOf({ location, gtin }: OfferingRow): string {
  return [location && `Shelf ${location}`, gtin].filter(Boolean).join(' · ')
}

/** Names the offering for the person who corrects the stock list. */
export function missingIn(row: OfferingRow): string {
  return `Item code ${row.id}${row.tpk ? `, TPK ${row.tpk}` : ''}: product details are missing`
}

export function Quantity({ row }: { row: OfferingRow }) {
  if (row.takenDown)
    return (
      <>
        <Pill hue="amber" icon={IconBottleOff} title="Not active until the next stock list that has it">
          NONE THERE
        </Pill>
        <small>{row.takenDown}</small>
      </>
    )
  if (!row.isNextDay) return <>{row.quantity}</>
  return (
    <Pill hue="indigo" icon={IconTruckDelivery} title="The distributor brings it the next day">
      AT DISTRIBUTOR
    </Pill>
  )
}

export function ActiveMark({ isActive }: { isActive: boolean }) {
  return (
    <span className={styles.active} data-active={isActive || undefined}>
      <IconCircleCheck size={20} aria-hidden />
      <span className="visually-hidden">{isActive ? 'Active' : 'Not active'}</span>
    </span>
  )
}

export function IssueLink({ row }: { row: OfferingRow }) {
  return (
    <a className={styles.issue} href={issueMail(row)} onClick={() => track('Submit Issue')}>
      Submit Issue<span className="visually-hidden"> for {row.name}</span>
    </a>
  )
}
