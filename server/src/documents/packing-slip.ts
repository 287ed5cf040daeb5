import { createSheet, heightOf, type Sheet, type TextStyle } from '#platform/pdf/sheet.ts'
import {
  contentWidth,
  createFlow,
  drawFacts,
  drawFooters,
  drawHead,
  drawNotice,
  drawTableHead,
  drawFact,
  ink,
  letter,
  margin,
  pageBottom,
  placeColumns,
  styles,
  type Flow,
} from './paper.ts'
import {
  availableFrom,
  bottleCount,
  deadlineText,
  engravedTexts,
  formatDay,
  formatMoment,
  linesOf,
  methodOf,
  nameOf,
  recipientLines,
  type PrintedLine,
  type PrintedOrder,
} from './printed-order.ts'

interface SlipOptions {
  readonly madeAt: Date
  /** When the first slip was made, if this is not it. */
  readonly firstPrintedAt: string | null
}

/** The paper that goes along with the bottles: what to pack, for whom, by when. */
export async function drawPackingSlip(printed: PrintedOrder, options: SlipOptions): Promise<Buffer> {
  const { order, shop } = printed
  const sheet = createSheet({ ...letter, title: `Packing slip #${order.id}`, madeAt: options.madeAt })
  const reprint =
    options.firstPrintedAt === null
      ? undefined
      : `REPRINT · first printed ${formatMoment(options.firstPrintedAt, shop.timezone)}`
  let y = drawHead(sheet, printed, { title: 'Packing slip', mark: reprint })
  y = drawFacts(
    sheet,
    [
      { name: 'Delivery', value: methodOf(order) },
      { name: 'Deadline', value: deadlineText(printed) },
      { name: 'Ordered', value: formatMoment(order.date_submitted, shop.timezone) },
      { name: 'Sold through', value: order.application_brand_name ?? order.application_name ?? shop.name },
    ],
    y,
  )
  y = drawRecipient(sheet, printed, y)
  y = drawNotice(
    sheet,
    {
      mark: '21+',
      text: 'Contains alcohol. Adult signature required: check the ID of whoever takes it, age 21 or older.',
    },
    y,
  )
  const flow = createFlow(sheet, printed, y)
  drawPresale(sheet, printed, flow)
  drawItems(sheet, printed, flow)
  drawPackedBy(sheet, flow)
  if (order.gift_message !== null) drawGiftMessage(sheet, printed, flow)
  drawFooters(sheet, printed)
  return sheet.toBytes()
}

function drawRecipient(sheet: Sheet, { order }: PrintedOrder, y: number): number {
  const { delivery_instructions: instructions } = order.recipient
  const half = (contentWidth - 20) / 2
  const nameStyle: TextStyle = { size: 12, weight: 'bold' }
  let left = sheet.text('SHIP TO', { x: margin, y, width: half }, styles.caption)
  left += sheet.text(nameOf(order.recipient), { x: margin, y: y + left, width: half }, nameStyle)
  left += sheet.text(recipientLines(order), { x: margin, y: y + left, width: half }, { size: 11 })
  const x = margin + half + 20
  let right = 0
  if (nameOf(order.customer) !== nameOf(order.recipient))
    right += 6 + drawFact(sheet, { name: 'Ordered by', value: nameOf(order.customer) }, { x, y, width: half })
  if (instructions !== null && instructions.trim() !== '') {
    const fact = { name: 'Delivery instructions', value: clipped(instructions) }
    right += drawFact(sheet, fact, { x, y: y + right, width: half })
  }
  return y + Math.max(left, right) + 10
}

/** Instructions are as long as somebody types; the order view has them whole. */
function clipped(text: string): string {
  return text.length > 700 ? `${text.slice(0, 700)}… (see the order for the rest)` : text
}

function drawPresale(sheet: Sheet, { order }: PrintedOrder, flow: Flow): void {
  const day = availableFrom(order.items)
  if (day === undefined) return
  const value = `Pre-sale: bottles expected by ${formatDay(day)}. Ships no earlier than ten days before.`
  flow.y += sheet.text(value, { x: margin, y: flow.y, width: contentWidth }, styles.bold) + 8
}

const columns = placeColumns([
  { name: '', width: 14 },
  { name: 'Qty', width: 26, align: 'right' },
  { name: 'Item', width: 0 },
  { name: 'Size', width: 62 },
  { name: 'SKU', width: 96 },
])
const engravingStyle: TextStyle = { size: 9, weight: 'bold' }

function drawItems(sheet: Sheet, { order }: PrintedOrder, flow: Flow & { onNewPage: () => void }): void {
  const lines = linesOf(order.items)
  const head = () => {
    flow.y = drawTableHead(sheet, columns, flow.y)
  }
  flow.need(19 + rowHeight(lines[0]))
  head()
  flow.onNewPage = head
  for (const line of lines) {
    flow.need(rowHeight(line))
    drawRow(sheet, line, flow.y)
    flow.y += rowHeight(line)
    sheet.rule({ x: margin, y: flow.y - 4, width: contentWidth }, { color: ink.line, thickness: 0.4 })
  }
  flow.onNewPage = () => {}
  const count = bottleCount(lines)
  flow.need(18)
  sheet.text(
    count === 1 ? '1 item in all' : `${count} items in all`,
    { x: margin, y: flow.y, width: contentWidth },
    { ...styles.bold, align: 'right' },
  )
  flow.y += 22
}

function textsOf({ item, engravings }: PrintedLine) {
  return {
    name: item.name,
    description: item.description?.trim() ?? '',
    engravings: engravings.flatMap((engraving) => {
      const texts = engravedTexts(engraving)
      const each = texts.length > 1 ? 1 : engraving.quantity
      return texts.length === 0
        ? [`ENGRAVE ${engraving.quantity}: ${engraving.name} (no text given)`]
        : texts.map((text) => `ENGRAVE ${each}\n${text}`)
    }),
  }
}

function rowHeight(line: PrintedLine | undefined): number {
  if (line === undefined) return 0
  const itemWidth = columns[2]?.width ?? 0
  const { name, description, engravings } = textsOf(line)
  const height =
    heightOf(name, itemWidth, styles.bold) +
    (description === '' ? 0 : heightOf(description, itemWidth, styles.small)) +
    engravings.reduce((sum, text) => sum + heightOf(text, itemWidth - 12, engravingStyle) + 6, 0)
  const beside = Math.max(
    heightOf(line.item.product?.container_size ?? '', columns[3]?.width ?? 0, styles.body),
    heightOf(line.item.offering?.merchant_sku ?? '', columns[4]?.width ?? 0, styles.body),
  )
  return Math.max(height, beside) + 9
}

function drawRow(sheet: Sheet, line: PrintedLine, y: number): void {
  const [box, quantity, item, size, sku] = columns.map(({ x, width }) => ({ x, width, y }))
  if (!box || !quantity || !item || !size || !sku) return
  sheet.box({ x: box.x, y: y + 1.5, width: 10, height: 10 }, { stroke: ink.black })
  sheet.text(
    String(line.item.quantity),
    { ...quantity, y: y - 1.5 },
    { size: 12, weight: 'bold', align: 'right' },
  )
  sheet.text(line.item.product?.container_size ?? '', size, styles.body)
  sheet.text(line.item.offering?.merchant_sku ?? '', sku, styles.body)
  const { name, description, engravings } = textsOf(line)
  let at = y + sheet.text(name, item, styles.bold)
  if (description !== '') at += sheet.text(description, { ...item, y: at }, styles.small)
  for (const text of engravings) {
    const height = heightOf(text, item.width - 12, engravingStyle)
    sheet.box({ x: item.x, y: at + 2, width: item.width, height: height + 3 }, { fill: ink.tint })
    sheet.box({ x: item.x, y: at + 2, width: 3, height: height + 3 }, { fill: ink.black })
    sheet.text(text, { x: item.x + 9, y: at + 3, width: item.width - 12 }, engravingStyle)
    at += height + 6
  }
}

function drawPackedBy(sheet: Sheet, flow: Flow): void {
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
const giftHead = 74

/** Below a line to cut along, so that it can lie in the parcel without the rest. */
function drawGiftMessage(sheet: Sheet, { order }: PrintedOrder, flow: Flow): void {
  const text = order.gift_message?.message ?? ''
  const width = contentWidth - 120
  const sizes = [15, 13, 11, 9.5, 8.5]
  const room = pageBottom - 56 - giftHead
  const size = sizes.find((candidate) => heightOf(text, width, { ...giftStyle, size: candidate }) <= room / 2)
  const style = { ...giftStyle, size: size ?? 8 }
  const height = heightOf(text, width, style)
  flow.need(Math.min(height, room) + giftHead)
  const top = Math.max(flow.y, pageBottom - Math.min(height, room) - giftHead)
  sheet.rule({ x: margin, y: top + 6, width: contentWidth }, { dash: 4 })
  sheet.text('✂  tear here', { x: margin, y: top + 9, width: contentWidth }, styles.small)
  sheet.text(
    `For ${nameOf(order.recipient)}`,
    { x: margin, y: top + 26, width: contentWidth },
    { size: 11, weight: 'bold', align: 'center' },
  )
  flow.y = top + 48
  for (const line of text.split(/\r\n|[\r\n]/)) {
    flow.need(heightOf(line, width, style))
    flow.y += sheet.text(line, { x: margin + 60, y: flow.y, width }, style)
  }
  sheet.text(
    `from ${nameOf(order.customer)}`,
    { x: margin, y: flow.y + 6, width: contentWidth },
    { ...styles.body, align: 'center', color: ink.soft },
  )
}
