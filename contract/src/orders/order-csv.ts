import { methodLabel } from './labels.ts'
import { ownLines } from './order-lines.ts'
import type { LineItem, Order } from './orders.ts'

type ListedOrder = Omit<Order, 'on_track_status'>
export type Cell = string | number | null | undefined

/** The record of the hand-over. */
export const checkColumns: readonly (readonly [
  name: string,
  cell: (order: Pick<Order, 'age_check' | 'delivery_info'>) => Cell,
])[] = [
  ['ID check', ({ age_check }) => age_check?.result],
  ['ID check reason', ({ age_check }) => age_check?.reason],
  ['ID', ({ age_check }) => age_check?.method],
  ['ID checked by', ({ age_check }) => age_check?.checked_by],
  ['ID checked at', ({ age_check }) => age_check?.checked_at],
  ['Signed by', ({ delivery_info }) => delivery_info?.signed_by],
  ['Delivered by', ({ delivery_info }) => delivery_info?.delivered_by],
  ['Delivered at', ({ delivery_info }) => delivery_info?.delivered_on],
]

const columns: readonly (readonly [name: string, cell: (order: ListedOrder, item: LineItem) => Cell])[] = [
  ['Order', (order) => order.id],
  ['Reference', (order) => order.thirstie_logistic_order_ref],
  ['Status', (order) => order.status],
  ['Submitted', (order) => order.date_submitted],
  ['Method', (order) => methodLabel(order.delivery.method, order.courier_estimate_id)],
  ['Delivery date', (order) => order.delivery.date],
  ['Window start', (order) => order.delivery.window?.[0]],
  ['Window end', (order) => order.delivery.window?.[1]],
  ['Application', (order) => order.application_name],
  ['Brand', (order) => order.application_brand_name],
  ['Recipient first name', (order) => order.recipient.first_name],
  ['Recipient last name', (order) => order.recipient.last_name],
  ['Street', (order) => order.recipient.street_1],
  ['Street 2', (order) => order.recipient.street_2],
  ['Street 3', (order) => order.recipient.street_3],
  ['City', (order) => order.recipient.city],
  ['State', (order) => order.recipient.state],
  ['Zip', (order) => order.recipient.zipcode],
  ['Recipient phone', (order) => order.recipient.phone_number],
  ['Instructions', (order) => order.recipient.delivery_instructions],
  ['Customer first name', (order) => order.customer.first_name],
  ['Customer last name', (order) => order.customer.last_name],
  ['Customer e-mail', (order) => order.customer.email],
  ['Gift message', (order) => order.gift_message?.message],
  ['Promo code', (order) => order.promo_code],
  ['Item', (_order, item) => item.name],
  ['Description', (_order, item) => item.description],
  ['SKU', (_order, item) => item.offering?.merchant_sku],
  ['Size', (_order, item) => item.product?.container_size],
  ['Quantity', (_order, item) => item.quantity],
  ['Price', (_order, item) => dollars(item.price)],
  ['Item subtotal', (_order, item) => dollars(item.subtotal)],
  ['Item discount', (_order, item) => dollars(item.discount)],
  ['Engraving', (_order, item) => engraved(item)],
  ['Order subtotal', (order) => dollars(order.transaction.subtotal)],
  ['Order tax', (order) => dollars(order.transaction.tax)],
  ['Delivery fee', (order) => dollars(order.transaction.delivery_fee)],
  ['Shipping', (order) => dollars(order.transaction.shipping)],
  ['Tip', (order) => dollars(order.transaction.tip)],
  ['Order total', (order) => dollars(order.transaction.total)],
  ['Carrier', (order) => order.tracking_provider],
  ['Tracking number', (order) => order.tracking_id],
  // New columns come last: a program may read the others by their place.
  ...checkColumns,
  ['Missing', (order, item) => missingOf(order, item)],
  ['Country', (order) => order.recipient.country],
]

function missingOf({ shortage }: ListedOrder, { id }: LineItem): number | undefined {
  return shortage?.lines.find(({ line_id: line }) => line === id)?.missing
}

/**
 * The details of orders for a spreadsheet: one line per order item (GAP-140), with engravings below their line and a
 * byte order mark at the start.
 */
export function orderDetailsCsv(orders: readonly ListedOrder[]): string {
  const lines = orders.flatMap((order) =>
    ownLines(order)
      .flatMap(({ item, engravings }) => [item, ...engravings])
      .map((item) => columns.map(([, cell]) => cell(order, item))),
  )
  return byteOrderMark + [columns.map(([name]) => name), ...lines].map(csvLine).join('')
}

/** A blank line separates the messages of several pieces. */
function engraved({ aux_data: aux }: LineItem): string | undefined {
  return aux?.engraving_message.join('\n\n')
}

export function dollars(amount: number): number {
  // Most amounts are whole cents, and to ask for their digits takes longer than all else about a cell.
  const rounded = Math.round(amount * 100) / 100
  return rounded === amount ? amount : Number(amount.toFixed(2))
}

/** A spreadsheet needs the mark to read UTF-8. */
export const byteOrderMark = '\uFEFF'

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Most cells: they begin like no formula, and nothing in them needs quotes. A file has ten million of them. */
const plain = /^[a-zA-Z0-9][^",;\r\n\t']*$/

/** A spreadsheet runs any text that begins like a formula. A leading apostrophe keeps it text. */
export function csvCell(value: Cell): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'number') return String(value)
  if (plain.test(value)) return value
  const text = value.replaceAll(/\r\n?/g, '\n')
  const harmless = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]/u.test(text) || /^[\t\n]/.test(text) ? `'${text}` : text
  return /[",;\n\t']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
