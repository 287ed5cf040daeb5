import { messages } from '@cellarhand/contract/messages'
import { formatDollars } from '@cellarhand/contract/money'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconBottle from '@tabler/icons-react/dist/esm/icons/IconBottle.mjs'
import { useState } from 'react'
import { Block } from '#ui/block.tsx'
import { engravingsOf } from './engravings.ts'
import styles from './order-products.module.css'
import type { Order } from './queries.ts'
import { reportsOf } from './reported.ts'

type LineItem = Order['items'][number]

export function OrderProducts({ order }: { order: Order }) {
  const lines = order.items.filter((item) => !isEngraving(item))
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
          </tr>
        </thead>
        <tbody>
          {lines.map((item) => (
            <ProductRows
              key={item.id}
              item={item}
              reports={reportsOf(order, item)}
              engravings={order.items.filter((each) => isEngravingOf(each, item))}
            />
          ))}
        </tbody>
      </table>
    </Block>
  )
}

interface RowsProps {
  item: LineItem
  reports: string[]
  engravings: LineItem[]
}

function ProductRows({ item, reports, engravings }: RowsProps) {
  return (
    <>
      <tr>
        <td>
          <Picture item={item} />
        </td>
        <td>
          <b>{item.name}</b>
          <div className={styles.quiet}>
            {[item.product?.container_size, item.description].filter(Boolean).join(' · ')}
            {item.discount !== 0 && <span className={styles.promotion}>{messages.brandPromotion}</span>}
          </div>
          {reports.map((report) => (
            <div key={report} className={styles.report}>
              <IconAlertTriangle size={14} aria-hidden /> {report}
            </div>
          ))}
        </td>
        <td className={styles.wide}>{item.offering?.merchant_sku}</td>
        <td data-right>{item.quantity}</td>
        <td className={styles.wide} data-right>
          {formatDollars(item.price)}
        </td>
        <td data-right>{formatDollars(item.subtotal)}</td>
      </tr>
      {engravingsOf(engravings).map(({ lines, quantity, price, fee }) => (
        <tr key={lines.join('\n')} className={styles.engraving}>
          <td />
          <td>
            <b>Engraving</b>
            <ul>
              {lines.map((line, index) => (
                <li key={index}>
                  Line {index + 1}: {line}
                </li>
              ))}
            </ul>
          </td>
          <td className={styles.wide} />
          <td data-right>{quantity}</td>
          <td className={styles.wide} data-right>
            {formatDollars(price)}
          </td>
          <td data-right>{formatDollars(fee)}</td>
        </tr>
      ))}
    </>
  )
}

function isEngraving(item: LineItem): boolean {
  return item.parent_line_item_id !== null && item.name.toLowerCase() === 'engraving'
}

function isEngravingOf(item: LineItem, parent: LineItem): boolean {
  return isEngraving(item) && item.parent_line_item_id === parent.id
}

function Picture({ item }: { item: LineItem }) {
  const [isMissing, setMissing] = useState(item.image_spec === null)
  return (
    <span className={styles.picture}>
      {isMissing ? (
        <IconBottle size={20} stroke={1.5} aria-hidden />
      ) : (
        <img
          src={item.image_spec?.replace('{dims}', '100x100')}
          alt=""
          width={40}
          height={44}
          loading="lazy"
          onError={() => setMissing(true)}
        />
      )}
    </span>
  )
}
