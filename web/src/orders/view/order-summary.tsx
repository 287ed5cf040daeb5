import { discountRows } from '@cellarhand/contract/discounts'
import { methodLabel } from '@cellarhand/contract/labels'
import { formatDollars } from '@cellarhand/contract/money'
import { Block, Fact } from '#ui/blocks/block.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { containerSum } from '../order/container-sum.ts'
import styles from '../order/order-blocks.module.css'
import type { Order } from '../state/queries.ts'

export function OrderSummary({ order, timezone }: { order: Order; timezone: string }) {
  const { subtotal, tax, delivery_fee, shipping, tip, total } = order.transaction
  const { aboveSubtotal, aboveTotal } = discountRows(order)
  const weight = order.order_weight === null ? null : `${order.order_weight} lb`
  return (
    <Block title="Additional info and summary">
      <div className={styles.summary}>
        <dl className={styles.facts}>
          <Fact name="Submitted">
            <Moment at={order.date_submitted} timezone={timezone} />
          </Fact>
          <Fact name="Method">{methodLabel(order.delivery.method, order.courier_estimate_id)}</Fact>
          <Fact name="Brand">{order.application_brand_name ?? order.application_name}</Fact>
          <Fact name="Gift message">
            {order.gift_message && <span className={styles.multiline}>“{order.gift_message.message}”</span>}
          </Fact>
          <Fact name="Promo code">{order.promo_code}</Fact>
          <Fact name={weight ? 'Weight' : 'Volume'}>
            {[weight, containerSum(order.items)].filter(Boolean).join(' · ')}
          </Fact>
        </dl>
        <dl className={styles.money}>
          {aboveSubtotal.map(({ name, amount }) => (
            <Amount key={name} name={name} dollars={amount} />
          ))}
          <Amount name="Subtotal" dollars={subtotal} />
          <Amount name="Tax" dollars={tax} />
          <Amount name="Delivery fee" dollars={delivery_fee} />
          <Amount name="Shipping" dollars={shipping} />
          <Amount name="Tip" dollars={tip} />
          {aboveTotal.map(({ name, amount }) => (
            <Amount key={name} name={name} dollars={amount} />
          ))}
          <dt className={styles.total}>Total</dt>
          <dd className={styles.total}>{formatDollars(total)}</dd>
        </dl>
      </div>
    </Block>
  )
}

function Amount({ name, dollars }: { name: string; dollars: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{formatDollars(dollars)}</dd>
    </>
  )
}
