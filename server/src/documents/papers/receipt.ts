import { discountOf, discountRows } from '@cellarhand/contract/discounts'
import { engravingsOf, isOneText, type Engraving } from '@cellarhand/contract/engravings'
import { ownLines } from '@cellarhand/contract/order-lines'
import { isLocal } from '@cellarhand/contract/order-statuses'
import { formatDollars } from '@cellarhand/contract/money'
import { createSheet, type TextStyle } from '#platform/pdf/sheet.ts'
import { numberPiece } from './flow.ts'
import { oneLine } from './one-line.ts'
import {
  belowLine,
  contentWidth,
  createOrderFlow,
  drawFacts,
  drawFooters,
  drawHead,
  drawTable,
  factPieces,
  letter,
  margin,
  placeColumns,
  ruleBelowRow,
  styles,
  type Canvas,
} from './paper.ts'
import {
  deadlineText,
  formatMoment,
  methodOf,
  nameOf,
  recipientLines,
  type PrintedOrder,
} from './printed-order.ts'

/** The customer's payment, to the cent. */
export async function drawReceipt(printed: PrintedOrder, { madeAt }: { madeAt: Date }): Promise<Buffer> {
  const { order, shop } = printed
  const sheet = createSheet({ ...letter, title: `Receipt #${order.id}`, madeAt })
  const flow = createOrderFlow(sheet, printed)
  const canvas = { sheet, flow }
  drawHead(canvas, printed, { title: 'Receipt', mark: markOf(order.status) })
  drawFacts(flow, [
    { name: 'Ordered', value: formatMoment(order.date_submitted, shop.timezone) },
    { name: 'Delivery', value: methodOf(order) },
    { name: isLocal(order.delivery.method) ? 'Delivery by' : 'Ships by', value: deadlineText(printed) },
    { name: 'Sold through', value: order.application_brand_name ?? order.application_name ?? shop.name },
  ])
  drawPeople(canvas, printed)
  drawItems(canvas, printed)
  drawTotals(canvas, printed)
  const text = 'Contains alcohol. An adult of 21 or older has to sign for it and show a valid ID.'
  flow.row([{ x: margin, width: contentWidth, pieces: [{ text, style: styles.small, above: 8 }] }])
  drawFooters(sheet, printed)
  return sheet.toBytes()
}

function markOf(status: PrintedOrder['order']['status']): string | undefined {
  if (status === 'REFUNDED') return 'REFUNDED'
  if (status === 'CANCELLED' || status === 'MERCHANT_REJECTED') return 'CANCELLED'
  return status === 'PAYMENT_DECLINED' ? 'PAYMENT DECLINED' : undefined
}

function drawPeople({ flow }: Canvas, { order }: PrintedOrder): void {
  const half = (contentWidth - 20) / 2
  const customer = [nameOf(order.customer), order.customer.email].filter(Boolean).join('\n')
  const recipient = `${nameOf(order.recipient)}\n${recipientLines(order)}`
  flow.row(
    [
      { x: margin, width: half, pieces: factPieces({ name: 'Customer', value: customer }) },
      {
        x: margin + half + 20,
        width: half,
        pieces: factPieces({ name: 'Delivered to', value: recipient }),
      },
    ],
    { below: 12 },
  )
}

const columns = placeColumns([
  { name: 'Item', width: 0 },
  { name: 'SKU', width: 84 },
  { name: 'Qty', width: 30, align: 'right' },
  { name: 'Price', width: 68, align: 'right' },
  { name: 'Discount', width: 62, align: 'right' },
  { name: 'Amount', width: 74, align: 'right' },
])

function drawItems(canvas: Canvas, { order }: PrintedOrder): void {
  const { sheet, flow } = canvas
  // Elsewhere a line's amount is before its discount, which then stands among the sums.
  const isInLines = discountOf(order).place === 'lines'
  drawTable(canvas, columns, () => {
    for (const line of ownLines(order)) {
      const { item } = line
      drawEntry(canvas, {
        name: item.name,
        style: styles.bold,
        notes: [oneLine(item.product?.container_size ?? '')],
        sku: item.offering?.merchant_sku ?? '',
        figures: [item.quantity, item.price, isInLines ? item.discount : 0, item.subtotal],
      })
      belowLine(canvas, { name: item.name, x: margin }, () => {
        for (const engraving of engravingsOf(line))
          drawEngraving(canvas, isInLines ? engraving : { ...engraving, discount: 0 })
      })
      ruleBelowRow(sheet, flow.y - 1)
      flow.y += 2
    }
  })
}

/** An engraving with its own figures; several texts each show their share. */
function drawEngraving(canvas: Canvas, engraving: Engraving): void {
  const { name, sku, quantity, price, subtotal, discount, texts } = engraving
  const isOne = isOneText(engraving)
  const notesOf = (lines: readonly string[]) => lines.map((line, at) => `Line ${at + 1}: ${line}`)
  drawEntry(canvas, {
    name,
    style: styles.body,
    notes: isOne ? notesOf(texts[0]?.lines ?? []) : [],
    sku,
    figures: [quantity, price, discount, subtotal],
  })
  if (isOne) return
  for (const { lines, quantity: pieces, fee } of texts) {
    const each = fee === null || price === null ? '' : ` at ${formatDollars(price)}: ${formatDollars(fee)}`
    drawEntry(canvas, {
      name: `${pieces}${each}`,
      style: styles.small,
      notes: lines.length === 0 ? ['No text given'] : notesOf(lines),
      sku: '',
      figures: undefined,
    })
  }
}

interface Entry {
  readonly name: string
  readonly style: TextStyle
  readonly notes: readonly string[]
  readonly sku: string
  readonly figures:
    | readonly [quantity: number, price: number | null, discount: number, amount: number | null]
    | undefined
}

function drawEntry({ flow }: Canvas, { name, style, notes, sku, figures }: Entry): void {
  const [quantity, price, discount, amount] = figures ?? []
  const numbers = [
    quantity === undefined ? '' : String(quantity),
    dollars(price),
    discount ? formatDollars(-discount) : '',
    dollars(amount),
  ]
  const texts = [
    { text: oneLine(name), style },
    ...notes.filter((note) => note !== '').map((note) => ({ text: note, style: styles.small })),
  ]
  flow.row(
    columns.map(({ column, x, width }, index) => {
      if (index === 0) return { x, width, pieces: texts }
      if (index === 1) return { x, width, pieces: [{ text: oneLine(sku), style: styles.body }] }
      const number = { ...styles.body, ...(column.align && { align: column.align }) }
      return { x, width, pieces: [numberPiece(numbers[index - 2] ?? '', width, number)] }
    }),
    { below: 3 },
  )
}

function dollars(amount: number | null | undefined): string {
  return amount == null ? '' : formatDollars(amount)
}

/** Keeps the totals together, so that none is on a page without its parts. */
function drawTotals({ sheet, flow }: Canvas, { order }: PrintedOrder): void {
  const { subtotal, tax, delivery_fee: fee, shipping, tip, total } = order.transaction
  const { aboveSubtotal, aboveTotal } = discountRows(order)
  const amounts = [
    ...aboveSubtotal.map((row) => ({ ...row, isShown: true })),
    { name: 'Subtotal', amount: subtotal, isShown: true },
    { name: 'Delivery fee', amount: fee, isShown: fee !== 0 },
    { name: 'Shipping', amount: shipping, isShown: shipping !== 0 || !isLocal(order.delivery.method) },
    { name: 'Tax', amount: tax, isShown: true },
    { name: 'Tip', amount: tip, isShown: tip !== 0 },
    ...aboveTotal.map((row) => ({ ...row, isShown: true })),
  ].filter(({ isShown }) => isShown)
  flow.need(amounts.length * 15 + 44)
  const x = letter.width - margin - 220
  flow.y += 4
  for (const { name, amount } of amounts) {
    sheet.text(name, { x, y: flow.y, width: 120 }, styles.body)
    sheet.text(formatDollars(amount), { x, y: flow.y, width: 220 }, { ...styles.body, align: 'right' })
    flow.y += 15
  }
  sheet.rule({ x, y: flow.y + 1, width: 220 }, { thickness: 1.2 })
  const style = { size: 13, weight: 'bold' } as const
  sheet.text('Total', { x, y: flow.y + 5, width: 120 }, style)
  sheet.text(formatDollars(total), { x, y: flow.y + 5, width: 220 }, { ...style, align: 'right' })
  flow.y += 30
  const promo = oneLine(order.promo_code ?? '')
  if (promo !== '')
    flow.row([
      {
        x: margin,
        width: contentWidth,
        pieces: [{ text: `Promo code ${promo}`, style: styles.body }],
      },
    ])
}
