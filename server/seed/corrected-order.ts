import type { Api } from '@cellarhand/contract/api'
import type { NewLineItem } from '@cellarhand/contract/marketplace'
import { correctOrder } from '@cellarhand/contract/corrected-order'
import { missingByLine } from '@cellarhand/contract/missing-pieces'
import { toCents, toDollars } from '@cellarhand/contract/money'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import type { Order } from '@cellarhand/contract/orders'

type Change = Api['POST /marketplace/v1/orders/{id}/status']['body']

interface Report {
  readonly wrongPrice?: Readonly<Record<string, { readonly price: number }>>
}

/** The marketplace's change once the customer has agreed to do without the missing pieces, at the right prices. */
export function correctedOrder(order: Order): Change {
  const report = JSON.parse(order.rejection_message ?? '{}') as Report
  const missing = [...missingByLine(order)].map(([id, count]) => [id, { missing: count }] as const)
  const { items: kept } = correctOrder(order, new Map(missing))
  if (kept.length === 0) return { status: 'CANCELLED', comment: 'Nothing of the order is in stock.' }
  const items: NewLineItem[] = kept.map((item) => {
    const price = item.parent_line_item_id ? undefined : report.wrongPrice?.[rejectionKey(item)]?.price
    return price === undefined
      ? item
      : { ...item, price, subtotal: toDollars(toCents(price) * item.quantity), discount: 0 }
  })
  const subtotal = items.reduce((sum, item) => sum + toCents(item.subtotal), 0)
  const { transaction } = order
  const taxRate = transaction.subtotal === 0 ? 0 : transaction.tax / transaction.subtotal
  const tax = Math.round(subtotal * taxRate)
  const fees = toCents(transaction.delivery_fee) + toCents(transaction.shipping) + toCents(transaction.tip)
  return {
    status: 'SUBMITTED',
    comment: 'The customer agreed to the changed order.',
    items,
    transaction: {
      ...transaction,
      subtotal: toDollars(subtotal),
      tax: toDollars(tax),
      total: toDollars(subtotal + tax + fees),
    },
  }
}
