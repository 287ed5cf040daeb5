import { formatDollars } from '@cellarhand/contract/money'
import type { EngravedItem, Engraving } from '@cellarhand/contract/engravings'
import { engravingsOf, isAddition, isOneText } from '@cellarhand/contract/engravings'
import type { OwnLine } from '@cellarhand/contract/order-lines'
import type { ReactNode } from 'react'
import styles from './order-products.module.css'

interface Props {
  line: OwnLine<EngravedItem>
  hasOptions: boolean
}

/** The rows below a line: each engraving with its own figures, then its texts if it has several. */
export function EngravingRows({ line, hasOptions }: Props) {
  return engravingsOf(line).map((engraving, index) => (
    <EngravingRow key={index} engraving={engraving} hasOptions={hasOptions} />
  ))
}

function EngravingRow({ engraving, hasOptions }: { engraving: Engraving; hasOptions: boolean }) {
  const { name, description, sku, quantity, price, subtotal, texts } = engraving
  const isOne = isOneText(engraving)
  return (
    <>
      <Row sku={sku} figures={[quantity, price, subtotal]} hasOptions={hasOptions}>
        <b>{name}</b>
        {description && <div className={styles.quiet}>{description}</div>}
        {isOne && !isAddition(engraving) && <Text lines={texts[0]?.lines ?? []} />}
      </Row>
      {!isOne &&
        texts.map((text) => (
          <Row
            key={text.lines.join('\n')}
            sku=""
            figures={[text.quantity, price, text.fee]}
            hasOptions={hasOptions}
            isPart
          >
            <Text lines={text.lines} />
          </Row>
        ))}
    </>
  )
}

interface RowProps {
  children: ReactNode
  sku: string
  figures: readonly [quantity: number, price: number | null, amount: number | null]
  hasOptions: boolean
  isPart?: boolean
}

function Row({ children, sku, figures: [quantity, price, amount], hasOptions, isPart }: RowProps) {
  return (
    <tr className={styles.engraving} data-part={isPart}>
      <td />
      <td>{children}</td>
      <td className={styles.wide}>
        <div className={styles.sku}>{sku}</div>
      </td>
      <td data-right>{quantity}</td>
      <td className={styles.wide} data-right>
        {price !== null && formatDollars(price)}
      </td>
      <td data-right>{amount !== null && formatDollars(amount)}</td>
      {hasOptions && <td />}
    </tr>
  )
}

function Text({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return <div className={styles.quiet}>No text given</div>
  return (
    <ul>
      {lines.map((line, index) => (
        <li key={index}>
          Line {index + 1}: <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  )
}
