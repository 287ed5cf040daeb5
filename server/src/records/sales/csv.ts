import { readContainerSize } from '@cellarhand/contract/container-size'
import { checkColumns, csvCell, csvLine, dollars, type Cell } from '@cellarhand/contract/order-csv'
import type { LineItem } from '@cellarhand/contract/orders'
import type { StoredOrder } from '#orders/public.ts'

const ofOrder: readonly (readonly [name: string, cell: (order: StoredOrder) => Cell])[] = [
  ['Order', (order) => order.id],
  ['Submitted', (order) => order.date_submitted],
  ['Status', (order) => order.status],
  ['Method', (order) => order.delivery.method],
  ['Recipient', ({ recipient }) => `${recipient.first_name} ${recipient.last_name}`],
  ['Street', ({ recipient }) => streetsOf(recipient)],
  ['City', ({ recipient }) => recipient.city],
  ['State', ({ recipient }) => recipient.state],
  ['Zip', ({ recipient }) => recipient.zipcode],
  ['Country', ({ recipient }) => recipient.country],
  ['Buyer', ({ customer }) => `${customer.first_name} ${customer.last_name}`],
  ['Order total', ({ transaction }) => dollars(transaction.total)],
  ...checkColumns,
  ['Carrier', (order) => order.tracking_provider],
  ['Tracking number', (order) => order.tracking_id],
  ['Rules asked', ({ duties }) => duties?.must.map(({ rule }) => rule).join(' ')],
  ['Not done', ({ duties }) => duties?.missing?.map(({ rule }) => rule).join(' ')],
  ['Let pass', ({ duties }) => duties?.set_aside?.join(' ')],
]

const ofLine: readonly (readonly [name: string, cell: (line: LineItem) => Cell])[] = [
  ['Item', (line) => line.name],
  ['SKU', (line) => line.offering?.merchant_sku],
  ['Class', (line) => line.beverage_class],
  ['Alcohol %', (line) => line.abv],
  ['Size', (line) => line.product?.container_size],
  ['Millilitres', millilitresOf],
  ['Quantity', (line) => line.quantity],
  ['Price', (line) => dollars(line.price)],
  ['Line total', (line) => dollars(line.subtotal)],
]

export const salesHead = csvLine([...ofOrder, ...ofLine].map(([name]) => name))

/** One line per bottle line, each with the order's own fields. Joined: a text that grows by cells is slow to encode. */
export function salesLines(order: StoredOrder, lines: readonly LineItem[]): string {
  const head = ofOrder.map(([, cell]) => csvCell(cell(order))).join(',')
  return lines.map((line) => `${head},${csvLine(ofLine.map(([, cell]) => cell(line)))}`).join('')
}

/** Undefined where the line does not say: a record holds no guess. */
export function millilitresOf({ volume_ml: volume, product }: LineItem): number | undefined {
  return volume ?? readContainerSize(product?.container_size ?? '')?.millilitres
}

function streetsOf({ street_1, street_2, street_3 }: StoredOrder['recipient']): string {
  return [street_1, street_2, street_3].filter(Boolean).join(', ')
}
