import { engravingsOf, isAddition, type Engraving } from '@cellarhand/contract/engravings'
import { ownLines } from '@cellarhand/contract/order-lines'
import { createSheet, heightOf, type TextStyle } from '#platform/pdf/sheet.ts'
import { numberPiece, type Piece } from './flow.ts'
import { oneLine } from './one-line.ts'
import {
  belowLine,
  contentWidth,
  createOrderFlow,
  drawFacts,
  drawFooters,
  drawHead,
  drawNotice,
  drawTable,
  factPieces,
  ink,
  letter,
  margin,
  pageBottom,
  placeColumns,
  ruleBelowRow,
  styles,
  type Canvas,
} from './paper.ts'
import {
  availableFrom,
  bottleCount,
  deadlineText,
  formatDay,
  formatMoment,
  methodOf,
  nameOf,
  recipientLines,
  type PrintedOrder,
} from './printed-order.ts'

interface SlipOptions {
  readonly madeAt: Date
  /** The moment of the first slip, if this is a later one. */
  readonly firstPrintedAt: string | null
}

/** The paper in the parcel: which bottles to pack, for which recipient, and the deadline. */
export async function drawPackingSlip(printed: PrintedOrder, options: SlipOptions): Promise<Buffer> {
  const { order, shop } = printed
  const sheet = createSheet({ ...letter, title: `Packing slip #${order.id}`, madeAt: options.madeAt })
  const flow = createOrderFlow(sheet, printed)
  const canvas = { sheet, flow }
  const reprint =
    options.firstPrintedAt === null
      ? undefined
      : `REPRINT · first printed ${formatMoment(options.firstPrintedAt, shop.timezone)}`
  drawHead(canvas, printed, { title: 'Packing slip', mark: reprint })
  drawFacts(flow, [
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
  drawFooters(sheet, printed)
  return sheet.toBytes()
}

function drawRecipient({ flow }: Canvas, { order }: PrintedOrder): void {
  const half = (contentWidth - 20) / 2
  const orderedBy = nameOf(order.customer) === nameOf(order.recipient) ? '' : nameOf(order.customer)
  const facts = [
    ...factPieces({ name: 'Ordered by', value: orderedBy }),
    ...factPieces({
      name: 'Delivery instructions',
      value: order.recipient.delivery_instructions ?? '',
    }),
  ]
  flow.row(
    [
      {
        x: margin,
        width: half,
        pieces: [
          { text: 'SHIP TO', style: styles.caption },
          { text: nameOf(order.recipient), style: { size: 12, weight: 'bold' } },
          { text: recipientLines(order), style: { size: 11 } },
        ],
      },
      { x: margin + half + 20, width: half, pieces: facts },
    ],
    { below: 10 },
  )
}

/** What the shop's rules have printed on it, each text once. */
function drawRuleTexts({ flow }: Canvas, { order }: PrintedOrder): void {
  const texts = (order.duties?.must ?? []).flatMap(({ text }) => text ?? [])
  for (const text of new Set(texts)) {
    flow.row([{ x: margin, width: contentWidth, pieces: [{ text, style: styles.bold }] }], { below: 8 })
  }
}

function drawPresale({ flow }: Canvas, { order }: PrintedOrder): void {
  const day = availableFrom(order.items)
  if (day === undefined) return
  const text = `Pre-sale: bottles expected by ${formatDay(day)}. Ships no earlier than ten days before.`
  flow.row([{ x: margin, width: contentWidth, pieces: [{ text, style: styles.bold }] }], { below: 8 })
}

const columns = placeColumns([
  { name: '', width: 14 },
  { name: 'Qty', width: 34, align: 'right' },
  { name: 'Item', width: 0 },
  { name: 'Size', width: 62 },
  { name: 'SKU', width: 96 },
])
const quantityStyle: TextStyle = { size: 12, weight: 'bold', align: 'right', leading: 1.1 }
const engravingStyle: TextStyle = { size: 9, weight: 'bold' }

function drawItems(canvas: Canvas, { order }: PrintedOrder): void {
  const { sheet, flow } = canvas
  const lines = ownLines(order)
  drawTable(canvas, columns, () => {
    for (const line of lines) {
      drawItem(canvas, line.item)
      belowLine(canvas, { name: line.item.name, x: columns[2]?.x ?? margin }, () => {
        drawMissing(canvas, order, line.item)
        for (const engraving of engravingsOf(line)) drawEngraving(canvas, engraving)
      })
      ruleBelowRow(sheet, flow.y)
      flow.y += 5
    }
  })
  const count = bottleCount(lines)
  flow.need(18)
  sheet.text(
    count === 1 ? '1 item in all' : `${count} items in all`,
    { x: margin, y: flow.y, width: contentWidth },
    { ...styles.bold, align: 'right' },
  )
  flow.y += 22
}

/** A row of the table. Its background is drawn once on each of its pages. */
function drawCells(
  { flow }: Canvas,
  cells: readonly (readonly Piece[])[],
  behind: (y: number, height: number) => void,
): void {
  const stacks = columns.map(({ x, width }, index) => ({ x, width, pieces: cells[index] ?? [] }))
  flow.row(stacks, { below: 4, behind })
}

function drawItem(canvas: Canvas, item: PrintedOrder['order']['items'][number]): void {
  const [box, quantity] = columns
  const description = item.description?.trim() ?? ''
  let isFirst = true
  drawCells(
    canvas,
    [
      [],
      [{ ...numberPiece(String(item.quantity), quantity?.width ?? 0, quantityStyle), above: -1.5 }],
      [
        { text: oneLine(item.name), style: styles.bold },
        ...(description === '' ? [] : [{ text: description, style: styles.small }]),
      ],
      [{ text: oneLine(item.product?.container_size ?? ''), style: styles.body }],
      [{ text: oneLine(item.offering?.merchant_sku ?? ''), style: styles.body }],
    ],
    (y) => {
      if (isFirst)
        canvas.sheet.box({ x: box?.x ?? margin, y: y + 1.5, width: 10, height: 10 }, { stroke: ink.black })
      isFirst = false
    },
  )
}

/** What the shop has reported as missing is not packed. */
function drawMissing(
  canvas: Canvas,
  { shortage }: PrintedOrder['order'],
  { id, quantity }: PrintedOrder['order']['items'][number],
): void {
  const line = shortage?.lines.find(({ line_id: lineId }) => lineId === id)
  if (line === undefined) return
  const rest = quantity - line.missing
  const text = `MISSING ${line.missing} of ${quantity}: pack ${rest === 0 ? 'none' : rest}`
  drawMarked(canvas, [{ text, style: engravingStyle }], '')
}

/** One row per text, so that no row is higher than a page. */
function drawEngraving(canvas: Canvas, engraving: Engraving): void {
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
function drawMarked({ sheet, flow }: Canvas, pieces: readonly Piece[], sku: string): void {
  const [, , item, , beside] = columns
  if (item === undefined || beside === undefined) return
  flow.row(
    [
      { x: item.x + 9, width: item.width - 12, pieces },
      { ...beside, pieces: sku === '' ? [] : [{ text: oneLine(sku), style: styles.body }] },
    ],
    {
      below: 5,
      behind(y, height) {
        sheet.box({ x: item.x, y, width: item.width, height: height + 2 }, { fill: ink.tint })
        sheet.box({ x: item.x, y, width: 3, height: height + 2 }, { fill: ink.black })
      },
    },
  )
}

function drawPackedBy({ sheet, flow }: Canvas): void {
  flow.need(30)
  const width = (contentWidth - 40) / 3
  for (const [index, name] of ['Packed by', 'Checked by', 'Date'].entries()) {
    const x = margin + index * (width + 20)
    sheet.text(name, { x, y: flow.y + 12, width: 60 }, styles.small)
    sheet.rule({ x: x + 48, y: flow.y + 22, width: width - 48 }, { thickness: 0.5 })
  }
  flow.y += 34
}

const giftStyle: TextStyle = { size: 13, align: 'center', leading: 1.45 }
const place = { x: margin + 60, width: contentWidth - 120 }

/** Below a line to cut along, so that the message can go into the parcel alone. */
function drawGiftMessage({ sheet, flow }: Canvas, { order }: PrintedOrder): void {
  const text = (order.gift_message?.message ?? '').replaceAll(/\r\n?/g, '\n')
  const sizes = [15, 13, 11, 9.5, 8.5]
  const room = pageBottom - 56
  const heightAt = (size: number) => heightOf(text, place.width, { ...giftStyle, size })
  const size = sizes.find((candidate) => heightAt(candidate) <= room / 2) ?? 8
  const people = [`For ${nameOf(order.recipient)}`, `from ${nameOf(order.customer)}`] as const
  const nameStyle: TextStyle = { size: 11, weight: 'bold', align: 'center' }
  const fromStyle: TextStyle = { ...styles.body, align: 'center', color: ink.soft }
  const names = heightOf(people[0], place.width, nameStyle) + heightOf(people[1], place.width, fromStyle)
  const height = heightAt(size) + names + 48
  flow.need(Math.min(height, room))
  // A message that fits goes to the page's end.
  flow.y = Math.max(flow.y, pageBottom - height)
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
