import type { Api } from '@cellarhand/contract/api'
import type { NewLineItem } from '@cellarhand/contract/marketplace'
import { correctOrder } from '@cellarhand/contract/corrected-order'
import { discountOf, feesOf } from '@cellarhand/contract/discounts'
import { missingByLine } from '@cellarhand/contract/missing-pieces'
import { toCents, toDollars } from '@cellarhand/contract/money'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import type { Order } from '@cellarhand/contract/orders'

type Change = Api['POST /marketplace/v1/orders/{id}/status']['body']

interface Report {
  readonly wrongPrice?: Readonly<Record<string, { readonly price: number }>>
}

/** A customer who is asked about a substitute, or has just been asked, decides first. */
export function waitsForCustomer({ substitutes }: Order): boolean {
  return substitutes?.offers.some(({ state }) => state === 'offered') ?? false
}

/**
 * The marketplace's change once the customer has agreed to do without the missing pieces or to other bottles, at the
 * right prices. Without a wrong price the sums are those that the desk has computed.
 */
export function correctedOrder(order: Order): Change {
  const report = JSON.parse(order.rejection_message ?? '{}') as Report
  const agreed = order.substitutes?.agreed ?? withoutMissing(order)
  if (agreed.items.length === 0) return { status: 'CANCELLED', comment: 'Nothing of the order is in stock.' }
  const kept = { status: 'SUBMITTED', comment: 'The customer agreed to the changed order.' }
  if (Object.keys(report.wrongPrice ?? {}).length === 0)
    return { ...kept, items: agreed.items, transaction: agreed.transaction }
  const items: NewLineItem[] = agreed.items.map((item) => {
    const price = item.parent_line_item_id ? undefined : report.wrongPrice?.[rejectionKey(item)]?.price
    return price === undefined
      ? item
      : { ...item, price, subtotal: toDollars(toCents(price) * item.quantity), discount: 0 }
  })
  return { ...kept, items, transaction: transactionOf(order, items) }
}

function withoutMissing(order: Order): Pick<Order, 'items' | 'transaction'> {
  const missing = [...missingByLine(order)].map(([id, count]) => [id, { missing: count }] as const)
  return correctOrder(order, new Map(missing))
}

function transactionOf(order: Order, items: readonly NewLineItem[]): Order['transaction'] {
  const { transaction } = order
  const { place } = discountOf(order)
  const sumOf = (amount: (item: NewLineItem) => number) =>
    items.reduce((sum, item) => sum + toCents(amount(item)), 0)
  const discount = sumOf((item) => item.discount ?? 0)
  const subtotal = sumOf((item) => item.subtotal) - (place === 'subtotal' ? discount : 0)
  const taxRate = transaction.subtotal === 0 ? 0 : transaction.tax / transaction.subtotal
  const tax = toDollars(Math.round(subtotal * taxRate))
  const fees = feesOf({ transaction: { ...transaction, tax } })
  const total = subtotal + fees - (place === 'total' ? discount : 0)
  return { ...transaction, subtotal: toDollars(subtotal), tax, total: toDollars(total) }
}
