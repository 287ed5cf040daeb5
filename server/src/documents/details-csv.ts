import { displayGroupLabels } from '@cellarhand/contract/labels'
import { displayGroupOf } from '@cellarhand/contract/order-lifecycle'
import { formatMoment, methodOf, nameOf, type PrintedOrder } from './printed-order.ts'

type Row = readonly [name: string, value: string | number | null | undefined][]

/** One line per order item, with the order's own fields on each (GAP-140). */
export function toDetailsCsv(orders: readonly PrintedOrder[]): string {
  const rows = orders.flatMap((printed) => printed.order.items.map((item) => rowOf(printed, item)))
  const names = rows[0]?.map(([name]) => name) ?? []
  const lines = [names, ...rows.map((row) => row.map(([, value]) => value))]
  // The mark lets spreadsheets see that this is UTF-8.
  return `\ufeff${lines.map((line) => line.map(toCell).join(',')).join('\r\n')}\r\n`
}

function rowOf({ order, shop, deadlineAt }: PrintedOrder, item: PrintedOrder['order']['items'][number]): Row {
  const { recipient, customer, transaction } = order
  return [
    ['Order', order.id],
    ['Reference', order.thirstie_logistic_order_ref],
    ['Status', displayGroupLabels[displayGroupOf(order.status, order.printed_timestamp)]],
    ['Submitted', formatMoment(order.date_submitted, shop.timezone)],
    ['Deadline', formatMoment(deadlineAt, shop.timezone)],
    ['Delivery method', methodOf(order)],
    ['Application', order.application_name],
    ['Brand', order.application_brand_name],
    ['Customer', nameOf(customer)],
    ['Customer email', customer.email],
    ['Recipient', nameOf(recipient)],
    ['Street', [recipient.street_1, recipient.street_2, recipient.street_3].filter(Boolean).join(', ')],
    ['City', recipient.city],
    ['State', recipient.state],
    ['ZIP', recipient.zipcode],
    ['Phone', recipient.phone_number],
    ['Instructions', recipient.delivery_instructions],
    ['Gift message', order.gift_message?.message],
    ['Promo code', order.promo_code],
    ['Item', item.name],
    ['SKU', item.offering?.merchant_sku],
    ['Size', item.product?.container_size],
    ['Quantity', item.quantity],
    ['Price', item.price.toFixed(2)],
    ['Discount', item.discount.toFixed(2)],
    ['Amount', item.subtotal.toFixed(2)],
    ['Engraving', item.aux_data?.engraving_message.join(' | ')],
    ['Order subtotal', transaction.subtotal.toFixed(2)],
    ['Order tax', transaction.tax.toFixed(2)],
    ['Order delivery fee', transaction.delivery_fee.toFixed(2)],
    ['Order shipping', transaction.shipping.toFixed(2)],
    ['Order tip', transaction.tip.toFixed(2)],
    ['Order total', transaction.total.toFixed(2)],
    ['Carrier', order.tracking_provider],
    ['Tracking', order.tracking_id],
  ]
}

/** A cell that a spreadsheet would take for a formula is told to be text. */
function toCell(value: string | number | null | undefined): string {
  const text = String(value ?? '').replaceAll('\u0000', '')
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
