import { messages } from '@cellarhand/contract/messages'
import { formatDollars } from '@cellarhand/contract/money'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { OwnLine } from '@cellarhand/contract/order-lines'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconBottle from '@tabler/icons-react/dist/esm/icons/IconBottle.mjs'
import IconMessageQuestion from '@tabler/icons-react/dist/esm/icons/IconMessageQuestion.mjs'
import { useId, useState } from 'react'
import { formatDay } from '#lib/time/dates.ts'
import { CARDS, useMedia } from '#lib/parts/use-media.ts'
import { Block } from '#ui/blocks/block.tsx'
import { AtDistributor } from './at-distributor.tsx'
import { EngravingRows } from './engraving-rows.tsx'
import type { LineOptions } from './line-options.ts'
import { LineOptionButtons } from './line-option-buttons.tsx'
import styles from './order-products.module.css'
import { pictureOf } from '../pictures/pictures.ts'
import type { Order } from '../state/queries.ts'
import { agreedWords, offerFor, offerWords } from '../order/substitute-words.ts'
import { useTimezone } from '#merchants/public.ts'
import { reportsOf } from '../order/reported.ts'
import type { ProductDialog } from './use-product-dialogs.tsx'

type LineItem = Order['items'][number]

interface Props {
  order: Order
  options: LineOptions
  onOpen: (dialog: ProductDialog) => void
}

export function OrderProducts({ order, options, onOpen }: Props) {
  const isNarrow = useMedia(CARDS)
  const agreed = agreedWords(order)
  return (
    <Block title="Products">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Picture</span>
            </th>
            <th scope="col">Product</th>
            <th scope="col" className={styles.wide}>
              SKU
            </th>
            <th scope="col" data-right>
              Qty
            </th>
            <th scope="col" className={styles.wide} data-right>
              Price
            </th>
            <th scope="col" data-right>
              Subtotal
            </th>
            {options.isShown && !isNarrow && <th scope="col">Options</th>}
          </tr>
        </thead>
        <tbody>
          {ownLines(order).map((line) => (
            <ProductRows key={line.item.id} {...{ order, line, options, isNarrow, onOpen }} />
          ))}
        </tbody>
      </table>
      {agreed && <p className={styles.agreed}>{agreed}</p>}
    </Block>
  )
}

interface RowsProps extends Props {
  line: OwnLine<LineItem>
  isNarrow: boolean
}

function ProductRows({ order, line, options, isNarrow, onOpen }: RowsProps) {
  const { item } = line
  const nameId = useId()
  const buttons = options.isShown && <LineOptionButtons {...{ order, item, nameId, options, onOpen }} />
  return (
    <>
      <tr>
        <td>
          <Picture item={item} onOpen={() => onOpen({ kind: 'picture', itemId: item.id })} />
        </td>
        <td>
          <b id={nameId}>{item.name}</b>
          {isNarrow && (
            <div className={styles.quiet}>
              {[`${formatDollars(item.price)} each`, item.offering?.merchant_sku].filter(Boolean).join(' · ')}
            </div>
          )}
          <ProductNotes order={order} item={item} />
          {isNarrow && buttons}
        </td>
        <td className={styles.wide}>
          <div className={styles.sku}>{item.offering?.merchant_sku}</div>
        </td>
        <td data-right>{item.quantity}</td>
        <td className={styles.wide} data-right>
          {formatDollars(item.price)}
        </td>
        <td data-right>{formatDollars(item.subtotal)}</td>
        {options.isShown && !isNarrow && <td>{buttons}</td>}
      </tr>
      <EngravingRows line={line} hasOptions={options.isShown && !isNarrow} />
    </>
  )
}

/** A line's facts besides its name: size, promotion, place, release date, reports. */
function ProductNotes({ order, item }: { order: Order; item: LineItem }) {
  const { preorder_available_date: comesOut, preorder_balance_due_excl_taxes_fees: balance } =
    item.aux_data ?? {}
  const timezone = useTimezone()
  const offer = offerFor(order, item.id)
  const asked = offer && offerWords(offer, timezone)
  return (
    <>
      <div className={styles.quiet}>
        {[item.product?.container_size, item.description].filter(Boolean).join(' · ')}
        {item.discount !== 0 && <span className={styles.promotion}>{messages.brandPromotion}</span>}
        {item.offering && <AtDistributor offeringId={item.offering.id} />}
      </div>
      {comesOut && <div className={styles.quiet}>Available {formatDay(comesOut)}</div>}
      {Boolean(balance) && (
        <div className={styles.quiet}>Balance due {formatDollars(balance ?? 0)} before taxes and fees</div>
      )}
      {reportsOf(order, item).map((report) => (
        <div key={report} className={styles.report}>
          <IconAlertTriangle size={14} aria-hidden /> {report}
        </div>
      ))}
      {asked && (
        <div className={styles.asked} role="status">
          <IconMessageQuestion size={14} aria-hidden /> {asked}
        </div>
      )}
    </>
  )
}

function Picture({ item, onOpen }: { item: LineItem; onOpen: () => void }) {
  const [isMissing, setMissing] = useState(item.image_spec === null)
  if (isMissing) {
    return (
      <span className={styles.picture}>
        <IconBottle size={20} stroke={1.5} aria-hidden />
      </span>
    )
  }
  return (
    <button type="button" className={styles.picture} aria-label={`Show ${item.name} large`} onClick={onOpen}>
      <img
        src={pictureOf(item, '100x100')}
        alt=""
        width={40}
        height={44}
        loading="lazy"
        onError={() => setMissing(true)}
      />
    </button>
  )
}
