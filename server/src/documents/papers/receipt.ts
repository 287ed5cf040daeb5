import { discountOf, discountRows } from '@cellarhand/contract/discounts'
import { engravingsOf, isOneText, type Engraving } from '@cellarhand/contract/engravings'
import { ownLines } from '@cellarhand/contract/order-lines'
import { isLocal } from '@cellarhand/contract/order-statuses'
import { formatDollars } from '@cellarhand/contract/money'
import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import { widthOf } from '#platform/pdf/paragraph.ts'
import { lineHeight, type TextStyle } from '#platform/pdf/sheet.ts'
import { numberPiece, type Piece } from './flow.ts'
import { oneLine } from './one-line.ts'
import { formats, type Format } from './formats.ts'
import {
  drawBeside,
  drawFacts,
  drawFooters,
  drawHead,
  drawWords,
  factPieces,
  openOrderCanvas,
  type Canvas,
} from './paper.ts'
import {
  deadlineText,
  formatMoment,
  methodOf,
  missingOf,
  nameOf,
  recipientLines,
  type PrintedOrder,
} from './printed-order.ts'
import { asidePieces, belowLine, drawTable, placeColumns, ruleBelowRow } from './table.ts'

/** The customer's payment, to the cent. */
export async function drawReceipt(
  printed: PrintedOrder,
  { madeAt, paper }: { madeAt: Date; paper: PaperFormat },
): Promise<Buffer> {
  const { order, shop } = printed
  const canvas = openOrderCanvas(formats[paper], printed, { title: `Receipt #${order.id}`, madeAt })
  const { small } = canvas.format.styles
  drawHead(canvas, printed, { title: 'Receipt', mark: markOf(order.status) })
  drawFacts(canvas, [
    { name: 'Ordered', value: formatMoment(order.date_submitted, shop.timezone) },
    { name: 'Delivery', value: methodOf(order) },
    { name: isLocal(order.delivery.method) ? 'Delivery by' : 'Ships by', value: deadlineText(printed) },
    { name: 'Sold through', value: order.application_brand_name ?? order.application_name ?? shop.name },
  ])
  drawPeople(canvas, printed)
  drawItems(canvas, printed)
  drawTotals(canvas, printed)
  const text = 'Contains alcohol. An adult of 21 or older has to sign for it and show a valid ID.'
  drawWords(canvas, { text, style: small, above: 8 })
  drawFooters(canvas, printed)
  return canvas.sheet.toBytes()
}

function markOf(status: PrintedOrder['order']['status']): string | undefined {
  if (status === 'REFUNDED') return 'REFUNDED'
  if (status === 'CANCELLED' || status === 'MERCHANT_REJECTED') return 'CANCELLED'
  return status === 'PAYMENT_DECLINED' ? 'PAYMENT DECLINED' : undefined
}

function drawPeople(canvas: Canvas, { order }: PrintedOrder): void {
  const customer = [nameOf(order.customer), order.customer.email].filter(Boolean).join('\n')
  const recipient = `${nameOf(order.recipient)}\n${recipientLines(order)}`
  const stacks = [
    factPieces(canvas.format, { name: 'Customer', value: customer }),
    factPieces(canvas.format, { name: 'Delivered to', value: recipient }),
  ]
  drawBeside(canvas, stacks, { gap: 20, below: 12 })
}

const columns = placeColumns(formats.letter, [
  { name: 'Item', width: 0 },
  { name: 'SKU', width: 84 },
  { name: 'Qty', width: 30, align: 'right' },
  { name: 'Price', width: 68, align: 'right' },
  { name: 'Discount', width: 62, align: 'right' },
  { name: 'Amount', width: 74, align: 'right' },
])

function drawItems(canvas: Canvas, { order }: PrintedOrder): void {
  const { flow, format } = canvas
  // Elsewhere a line's amount is before its discount, which then stands among the sums.
  const isInLines = discountOf(order).place === 'lines'
  drawTable(canvas, columns, () => {
    for (const line of ownLines(order)) {
      const { item } = line
      drawEntry(canvas, {
        name: item.name,
        style: format.styles.bold,
        notes: [oneLine(item.product?.container_size ?? ''), missingNote(order, item)],
        sku: item.offering?.merchant_sku ?? '',
        figures: [item.quantity, item.price, isInLines ? item.discount : 0, item.subtotal],
      })
      belowLine(canvas, { name: item.name, x: format.margin }, () => {
        for (const engraving of engravingsOf(line))
          drawEngraving(canvas, isInLines ? engraving : { ...engraving, discount: 0 })
      })
      ruleBelowRow(canvas, flow.y - 1)
      flow.y += format.isNarrow ? 4 : 2
    }
  })
}

function missingNote(order: PrintedOrder['order'], item: PrintedOrder['order']['items'][number]): string {
  const missing = missingOf(order, item)
  return missing === 0 ? '' : `Not available: ${missing} of ${item.quantity}`
}

/** An engraving with its own figures; several texts each show their share. */
function drawEngraving(canvas: Canvas, engraving: Engraving): void {
  const { styles } = canvas.format
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

function drawEntry(canvas: Canvas, entry: Entry): void {
  if (canvas.format.isNarrow) drawNarrowEntry(canvas, entry)
  else drawWideEntry(canvas, entry)
}

function textsOf({ styles }: Format, { name, style, notes }: Entry): Piece[] {
  return [
    { text: oneLine(name), style },
    ...notes.filter((note) => note !== '').map((note) => ({ text: note, style: styles.small })),
  ]
}

function drawWideEntry({ format, flow }: Canvas, entry: Entry): void {
  const { sku, figures } = entry
  const { styles } = format
  const [quantity, price, discount, amount] = figures ?? []
  const numbers = [
    quantity === undefined ? '' : String(quantity),
    dollars(price),
    discount ? formatDollars(-discount) : '',
    dollars(amount),
  ]
  flow.row(
    columns.map(({ column, x, width }, index) => {
      if (index === 0) return { x, width, pieces: textsOf(format, entry) }
      if (index === 1) return { x, width, pieces: [{ text: oneLine(sku), style: styles.body }] }
      const number = { ...styles.body, ...(column.align && { align: column.align }) }
      return { x, width, pieces: [numberPiece(numbers[index - 2] ?? '', width, number)] }
    }),
    { below: 3 },
  )
}

/** The figures under the name: "2 × $52.00", and the amount at the right. */
function drawNarrowEntry(canvas: Canvas, entry: Entry): void {
  const { format, flow } = canvas
  const { margin, contentWidth: width } = format
  const pieces = [...textsOf(format, entry), ...asidePieces(format, { size: '', sku: entry.sku })]
  flow.row([{ x: margin, width, pieces }], { below: 1 })
  if (entry.figures !== undefined) {
    const [quantity, price, discount, amount] = entry.figures
    const each = price === null ? String(quantity) : `${quantity} × ${formatDollars(price)}`
    drawSum(canvas, { name: each, amount: dollars(amount) })
    if (discount > 0) drawSum(canvas, { name: 'Discount', amount: formatDollars(-discount) })
  }
  flow.y += 3
}

/** A name at the left and an amount at the right, one below the other if both are long. */
function drawSum({ format, flow }: Canvas, { name, amount }: { name: string; amount: string }): void {
  const { margin, contentWidth, styles } = format
  const style = { ...styles.body, align: 'right' } as const
  const room = widthOf(amount, style) + 1
  const isOneLine = widthOf(name, styles.body) + room + 6 <= contentWidth
  const left = { x: margin, width: isOneLine ? contentWidth - room : contentWidth }
  const right = {
    x: margin + contentWidth - room,
    width: room,
    pieces: [{ text: amount, style, above: isOneLine ? 0 : lineHeight(style) }],
  }
  flow.row([{ ...left, pieces: [{ text: name, style: styles.body }] }, right])
}

function dollars(amount: number | null | undefined): string {
  return amount == null ? '' : formatDollars(amount)
}

/** Keeps the totals together, so that none is on a page without its parts. */
function drawTotals(canvas: Canvas, { order }: PrintedOrder): void {
  const { format, sheet, flow } = canvas
  const { isNarrow, margin, contentWidth, styles } = format
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
  const width = isNarrow ? contentWidth : 220
  const x = margin + contentWidth - width
  flow.y += 4
  for (const { name, amount } of amounts) {
    sheet.text(name, { x, y: flow.y, width: 120 }, styles.body)
    sheet.text(formatDollars(amount), { x, y: flow.y, width }, { ...styles.body, align: 'right' })
    flow.y += 15
  }
  sheet.rule({ x, y: flow.y + 1, width }, { thickness: 1.2 })
  const style = { size: 13, weight: 'bold' } as const
  sheet.text('Total', { x, y: flow.y + 5, width: 120 }, style)
  sheet.text(formatDollars(total), { x, y: flow.y + 5, width }, { ...style, align: 'right' })
  flow.y += 30
  if (order.shortage) {
    // Until the marketplace has corrected the order, the sums above are those of the payment.
    const { total: rest, refund } = order.shortage
    const text = `Without what is not available: ${formatDollars(rest)} (refund ${formatDollars(refund)})`
    drawWords(canvas, { text, style: styles.body })
  }
  const promo = oneLine(order.promo_code ?? '')
  if (promo !== '') drawWords(canvas, { text: `Promo code ${promo}`, style: styles.body })
}
