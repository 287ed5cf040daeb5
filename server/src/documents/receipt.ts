import { isLocal } from '@cellarhand/contract/order-statuses'
import { formatDollars } from '@cellarhand/contract/money'
import { createSheet, heightOf, type Sheet, type TextStyle } from '#platform/pdf/sheet.ts'
import {
  contentWidth,
  createFlow,
  drawFact,
  drawFacts,
  drawFooters,
  drawHead,
  drawTableHead,
  ink,
  letter,
  margin,
  placeColumns,
  styles,
  type Flow,
} from './paper.ts'
import {
  deadlineText,
  engravedTexts,
  formatMoment,
  linesOf,
  methodOf,
  nameOf,
  recipientLines,
  type PrintedLine,
  type PrintedOrder,
} from './printed-order.ts'

/** What the customer paid for, to the cent. */
export async function drawReceipt(printed: PrintedOrder, { madeAt }: { madeAt: Date }): Promise<Buffer> {
  const { order, shop } = printed
  const sheet = createSheet({ ...letter, title: `Receipt #${order.id}`, madeAt })
  let y = drawHead(sheet, printed, { title: 'Receipt', mark: markOf(order.status) })
  y = drawFacts(
    sheet,
    [
      { name: 'Ordered', value: formatMoment(order.date_submitted, shop.timezone) },
      { name: 'Delivery', value: methodOf(order) },
      { name: isLocal(order.delivery.method) ? 'Delivery by' : 'Ships by', value: deadlineText(printed) },
      { name: 'Sold through', value: order.application_brand_name ?? order.application_name ?? shop.name },
    ],
    y,
  )
  y = drawPeople(sheet, printed, y)
  const flow = createFlow(sheet, printed, y)
  drawItems(sheet, printed, flow)
  drawTotals(sheet, printed, flow)
  flow.need(30)
  sheet.text(
    'Contains alcohol. An adult of 21 or older has to sign for it and show a valid ID.',
    { x: margin, y: flow.y + 8, width: contentWidth },
    styles.small,
  )
  drawFooters(sheet, printed)
  return sheet.toBytes()
}

function markOf(status: PrintedOrder['order']['status']): string | undefined {
  if (status === 'REFUNDED') return 'REFUNDED'
  if (status === 'CANCELLED' || status === 'MERCHANT_REJECTED') return 'CANCELLED'
  return status === 'PAYMENT_DECLINED' ? 'PAYMENT DECLINED' : undefined
}

function drawPeople(sheet: Sheet, { order }: PrintedOrder, y: number): number {
  const half = (contentWidth - 20) / 2
  const customer = [nameOf(order.customer), order.customer.email].filter(Boolean).join('\n')
  const heights = [
    drawFact(sheet, { name: 'Customer', value: customer }, { x: margin, y, width: half }),
    drawFact(
      sheet,
      { name: 'Delivered to', value: `${nameOf(order.recipient)}\n${recipientLines(order)}` },
      { x: margin + half + 20, y, width: half },
    ),
  ]
  return y + Math.max(...heights) + 12
}

const columns = placeColumns([
  { name: 'Item', width: 0 },
  { name: 'SKU', width: 84 },
  { name: 'Qty', width: 30, align: 'right' },
  { name: 'Price', width: 68, align: 'right' },
  { name: 'Discount', width: 62, align: 'right' },
  { name: 'Amount', width: 74, align: 'right' },
])
const [itemColumn] = columns

function drawItems(sheet: Sheet, { order }: PrintedOrder, flow: Flow & { onNewPage: () => void }): void {
  const lines = linesOf(order.items)
  const head = () => {
    flow.y = drawTableHead(sheet, columns, flow.y)
  }
  flow.need(19 + (lines[0] === undefined ? 0 : rowHeight(lines[0])))
  head()
  flow.onNewPage = head
  for (const line of lines) {
    flow.need(rowHeight(line))
    drawRow(sheet, line, flow.y)
    flow.y += rowHeight(line)
    sheet.rule({ x: margin, y: flow.y - 4, width: contentWidth }, { color: ink.line, thickness: 0.4 })
  }
  flow.onNewPage = () => {}
}

interface Entry {
  readonly item: PrintedLine['item']
  readonly note: string
  readonly style: TextStyle
}

function entriesOf({ item, engravings }: PrintedLine): Entry[] {
  return [
    { item, note: item.product?.container_size ?? '', style: styles.bold },
    ...engravings.map((engraving) => ({
      item: engraving,
      note: engravedTexts(engraving).join('\n'),
      style: styles.body,
    })),
  ]
}

function entryHeight({ item, note, style }: Entry): number {
  const width = itemColumn?.width ?? 0
  const beside = heightOf(item.offering?.merchant_sku ?? '', columns[1]?.width ?? 0, styles.body)
  const noted = note === '' ? 0 : heightOf(note, width, styles.small)
  return Math.max(heightOf(item.name, width, style) + noted, beside) + 3
}

function rowHeight(line: PrintedLine): number {
  return entriesOf(line).reduce((sum, entry) => sum + entryHeight(entry), 6)
}

function drawRow(sheet: Sheet, line: PrintedLine, top: number): void {
  let y = top
  for (const entry of entriesOf(line)) {
    const { item, note, style } = entry
    const cells = [
      item.name,
      item.offering?.merchant_sku ?? '',
      String(item.quantity),
      formatDollars(item.price),
      item.discount === 0 ? '' : formatDollars(-item.discount),
      formatDollars(item.subtotal),
    ]
    for (const [index, { column, x, width }] of columns.entries())
      sheet.text(
        cells[index] ?? '',
        { x, y, width },
        { ...(index === 0 ? style : styles.body), ...(column.align ? { align: column.align } : {}) },
      )
    const name = heightOf(item.name, itemColumn?.width ?? 0, style)
    if (note !== '')
      sheet.text(
        note,
        { x: itemColumn?.x ?? margin, y: y + name, width: itemColumn?.width ?? 0 },
        styles.small,
      )
    y += entryHeight(entry)
  }
}

/** Kept together, so that no total stands on a page without its parts. */
function drawTotals(sheet: Sheet, { order }: PrintedOrder, flow: Flow): void {
  const { subtotal, tax, delivery_fee: fee, shipping, tip, total } = order.transaction
  const amounts = [
    { name: 'Subtotal', amount: subtotal, isShown: true },
    { name: 'Delivery fee', amount: fee, isShown: fee !== 0 },
    { name: 'Shipping', amount: shipping, isShown: shipping !== 0 || !isLocal(order.delivery.method) },
    { name: 'Tax', amount: tax, isShown: true },
    { name: 'Tip', amount: tip, isShown: tip !== 0 },
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
  if (order.promo_code !== null && order.promo_code !== '')
    sheet.text(`Promo code ${order.promo_code}`, { x: margin, y: flow.y + 9, width: 250 }, styles.body)
  flow.y += 30
}
