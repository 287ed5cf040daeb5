import { engravingsOf, isAddition, type Engraving } from '@cellarhand/contract/engravings'
import { ownLines, type OwnLine } from '@cellarhand/contract/order-lines'
import type { LineItem } from '@cellarhand/contract/orders'
import type { PaperFormat } from '@cellarhand/contract/paper-formats'
import { splitBelongings } from '@cellarhand/contract/split-belongings'
import { heightOf, type TextStyle } from '#platform/pdf/sheet.ts'
import type { Piece } from './flow.ts'
import { oneLine } from './one-line.ts'
import { formats, ink } from './formats.ts'
import {
  drawBeside,
  drawFacts,
  drawFooters,
  drawHead,
  drawNotice,
  drawWords,
  factPieces,
  openOrderCanvas,
  type Canvas,
} from './paper.ts'
import {
  availableFrom,
  deadlineText,
  formatDay,
  formatMoment,
  methodOf,
  missingOf,
  nameOf,
  packedCount,
  recipientLines,
  type PrintedOrder,
} from './printed-order.ts'
import { belowLine, drawPickRow, drawTable, placeColumns, ruleBelowRow } from './table.ts'

interface SlipOptions {
  readonly paper: PaperFormat
  readonly madeAt: Date
  /** The moment of the first slip, if this is a later one. */
  readonly firstPrintedAt: string | null
}

/** The paper in the parcel: which bottles to pack, for which recipient, and the deadline. */
export async function drawPackingSlip(printed: PrintedOrder, options: SlipOptions): Promise<Buffer> {
  const { order, shop } = printed
  const canvas = openOrderCanvas(formats[options.paper], printed, {
    title: `Packing slip #${order.id}`,
    madeAt: options.madeAt,
  })
  const reprint =
    options.firstPrintedAt === null
      ? undefined
      : `REPRINT · first printed ${formatMoment(options.firstPrintedAt, shop.timezone)}`
  drawHead(canvas, printed, { title: 'Packing slip', mark: reprint })
  drawFacts(canvas, [
    { name: 'Delivery', value: methodOf(order) },
    { name: 'Deadline', value: deadlineText(printed) },
    { name: 'Ordered', value: formatMoment(order.date_submitted, shop.timezone) },
    { name: 'Sold through', value: order.application_brand_name ?? order.application_name ?? shop.name },
  ])
  drawRecipient(canvas, printed)
  drawNotice(canvas, {
    mark: '21+',
    text: 'Contains alcohol. Adult signature required: check the ID of whoever takes it, age 21 or older.',
  })
  drawRuleTexts(canvas, printed)
  drawPresale(canvas, printed)
  drawItems(canvas, printed)
  drawPackedBy(canvas)
  if (order.gift_message !== null) drawGiftMessage(canvas, printed)
  drawFooters(canvas, printed)
  return canvas.sheet.toBytes()
}

function drawRecipient(canvas: Canvas, { order }: PrintedOrder): void {
  const { format } = canvas
  const orderedBy = nameOf(order.customer) === nameOf(order.recipient) ? '' : nameOf(order.customer)
  const address = [
    { text: 'SHIP TO', style: format.styles.caption },
    { text: nameOf(order.recipient), style: { size: 12, weight: 'bold' } },
    { text: recipientLines(order), style: { size: 11 } },
  ] as const
  const facts = [
    ...factPieces(format, { name: 'Ordered by', value: orderedBy }),
    ...factPieces(format, {
      name: 'Delivery instructions',
      value: order.recipient.delivery_instructions ?? '',
    }),
  ]
  drawBeside(canvas, [address, facts], { gap: 20, below: 10 })
}

/** What the shop's rules have printed on it, each text once. */
function drawRuleTexts(canvas: Canvas, { order }: PrintedOrder): void {
  const texts = (order.duties?.must ?? []).flatMap(({ text }) => text ?? [])
  for (const text of new Set(texts)) drawWords(canvas, { text, style: canvas.format.styles.bold }, 8)
}

function drawPresale(canvas: Canvas, { order }: PrintedOrder): void {
  const day = availableFrom(order.items)
  if (day === undefined) return
  const text = `Pre-sale: bottles expected by ${formatDay(day)}. Ships no earlier than ten days before.`
  drawWords(canvas, { text, style: canvas.format.styles.bold }, 8)
}

const columns = placeColumns(formats.letter, [
  { name: '', width: 14 },
  { name: 'Qty', width: 34, align: 'right' },
  { name: 'Item', width: 0 },
  { name: 'Size', width: 62 },
  { name: 'SKU', width: 96 },
])

function drawItems(canvas: Canvas, { order }: PrintedOrder): void {
  const { sheet, flow, format } = canvas
  const { margin, contentWidth, styles } = format
  const lines = ownLines(order)
  drawTable(canvas, columns, () => {
    for (const line of lines) {
      drawItem(canvas, line.item)
      belowLine(canvas, { name: line.item.name, x: columns[2]?.x ?? margin }, () => {
        drawMissing(canvas, order, line.item)
        for (const engraving of engravingsOf(packedOf(order, line))) drawEngraving(canvas, engraving)
      })
      ruleBelowRow(canvas, flow.y)
      flow.y += 5
    }
  })
  const count = packedCount(order)
  flow.need(18)
  sheet.text(
    count === 1 ? '1 item in all' : `${count} items in all`,
    { x: margin, y: flow.y, width: contentWidth },
    { ...styles.bold, align: 'right' },
  )
  flow.y += 22
}

/** Of a line with missing pieces the rest, with the engravings that stay on it when the order goes on without them. */
function packedOf(order: PrintedOrder['order'], line: OwnLine<LineItem>): OwnLine<LineItem> {
  const missing = missingOf(order, line.item)
  if (missing === 0) return line
  const quantity = line.item.quantity - missing
  const { item, engravings } = splitBelongings(line, quantity).kept
  return { item: { ...item, quantity, ...(quantity === 0 && { aux_data: null }) }, engravings }
}

function drawItem(canvas: Canvas, item: PrintedOrder['order']['items'][number]): void {
  const { styles } = canvas.format
  const description = item.description?.trim() ?? ''
  drawPickRow(canvas, columns, {
    quantity: item.quantity,
    texts: [
      { text: oneLine(item.name), style: styles.bold },
      ...(description === '' ? [] : [{ text: description, style: styles.small }]),
    ],
    size: item.product?.container_size ?? '',
    sku: item.offering?.merchant_sku ?? '',
    below: 4,
  })
}

/** What the shop has reported as missing is not packed. */
function drawMissing(
  canvas: Canvas,
  order: PrintedOrder['order'],
  item: PrintedOrder['order']['items'][number],
): void {
  const missing = missingOf(order, item)
  if (missing === 0) return
  const rest = item.quantity - missing
  const text = `MISSING ${missing} of ${item.quantity}: pack ${rest === 0 ? 'none' : rest}`
  drawMarked(canvas, [{ text, style: markedStyle(canvas) }], '')
}

function markedStyle({ format: { styles, isNarrow } }: Canvas): TextStyle {
  return isNarrow ? styles.bold : { size: 9, weight: 'bold' }
}

/** One row per text, so that no row is higher than a page. */
function drawEngraving(canvas: Canvas, engraving: Engraving): void {
  const { styles } = canvas.format
  const engravingStyle = markedStyle(canvas)
  const { name, description, sku, quantity, texts } = engraving
  const called = name === 'Engraving' ? '' : `: ${oneLine(name)}`
  const isWhole = texts.length === 1 && texts[0]?.quantity === quantity
  const notes = description.trim() === '' ? [] : [{ text: description.trim(), style: styles.small }]
  if (!isWhole) {
    const head = { text: `${oneLine(name).toUpperCase()}: ${quantity} in all`, style: styles.caption }
    drawMarked(canvas, [head, ...notes], sku)
  }
  for (const text of texts) {
    const head = `${isAddition(engraving) ? 'ADD' : 'ENGRAVE'} ${text.quantity}${called}`
    const isMissing = text.lines.length === 0 && !isAddition(engraving)
    const pieces = [
      { text: isMissing ? `${head} (no text given)` : head, style: engravingStyle },
      ...text.lines.map((line, at) => ({ text: `Line ${at + 1}: ${line}`, style: engravingStyle })),
    ]
    if (isWhole) drawMarked(canvas, [...pieces, ...notes], sku)
    else drawMarked(canvas, pieces, '')
  }
}

/** A row of the item column, with a conspicuous bar. */
function drawMarked({ format, sheet, flow }: Canvas, pieces: readonly Piece[], sku: string): void {
  const { isNarrow, margin, contentWidth, styles } = format
  const [, , item, , beside] = columns
  if (item === undefined || beside === undefined) return
  const { x, width } = isNarrow ? { x: margin, width: contentWidth } : item
  const code = sku === '' ? [] : [{ text: oneLine(sku), style: styles.body }]
  const texts = { x: x + 9, width: width - 12, pieces: isNarrow ? [...pieces, ...code] : pieces }
  flow.row(isNarrow ? [texts] : [texts, { ...beside, pieces: code }], {
    below: 5,
    behind(y, height) {
      if (!isNarrow) sheet.box({ x, y, width, height: height + 2 }, { fill: ink.tint })
      sheet.box({ x, y, width: 3, height: height + 2 }, { fill: ink.black })
    },
  })
}

function drawPackedBy({ format, sheet, flow }: Canvas): void {
  const { isNarrow, margin, contentWidth, styles } = format
  const names = ['Packed by', 'Checked by', 'Date']
  const step = isNarrow ? 24 : 0
  const height = 30 + step * (names.length - 1)
  flow.need(height)
  const width = isNarrow ? contentWidth : (contentWidth - 40) / 3
  for (const [index, name] of names.entries()) {
    const x = isNarrow ? margin : margin + index * (width + 20)
    const y = flow.y + index * step
    const gap = isNarrow ? 60 : 48
    sheet.text(name, { x, y: y + 12, width: 60 }, styles.small)
    sheet.rule({ x: x + gap, y: y + 22, width: width - gap }, { thickness: 0.5 })
  }
  flow.y += height + 4
}

const giftStyle: TextStyle = { size: 13, align: 'center', leading: 1.45 }

/** Below a line to cut along, so that the message can go into the parcel alone. */
function drawGiftMessage({ format, sheet, flow }: Canvas, { order }: PrintedOrder): void {
  const { isNarrow, margin, contentWidth, styles, bottom, top } = format
  const indent = isNarrow ? 4 : 60
  const place = { x: margin + indent, width: contentWidth - 2 * indent }
  const text = (order.gift_message?.message ?? '').replaceAll(/\r\n?/g, '\n')
  const sizes = isNarrow ? [13, 11, 10] : [15, 13, 11, 9.5, 8.5]
  const room = Math.min(bottom - top, 684)
  const heightAt = (size: number) => heightOf(text, place.width, { ...giftStyle, size })
  const size = sizes.find((candidate) => heightAt(candidate) <= room / 2) ?? (isNarrow ? 9 : 8)
  const people = [`For ${nameOf(order.recipient)}`, `from ${nameOf(order.customer)}`] as const
  const nameStyle: TextStyle = { size: 11, weight: 'bold', align: 'center' }
  const fromStyle: TextStyle = { ...styles.body, align: 'center', color: isNarrow ? ink.black : ink.soft }
  const names = heightOf(people[0], place.width, nameStyle) + heightOf(people[1], place.width, fromStyle)
  const height = heightAt(size) + names + 48
  flow.need(Math.min(height, room))
  // A message that fits goes to the page's end; a roll ends with it.
  if (format.height !== undefined) flow.y = Math.max(flow.y, bottom - height)
  sheet.rule({ x: margin, y: flow.y + 6, width: contentWidth }, { dash: 4 })
  sheet.text('✂  tear here', { x: margin, y: flow.y + 9, width: contentWidth }, styles.small)
  flow.y += 26
  const style = { ...giftStyle, size }
  flow.row([
    {
      ...place,
      pieces: [
        { text: people[0], style: nameStyle },
        { text, style, above: 8 },
        { text: people[1], style: fromStyle, above: 6 },
      ],
    },
  ])
}
