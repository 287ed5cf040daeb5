import { modulesOf } from '#platform/pdf/barcode.ts'
import { widthOf } from '#platform/pdf/paragraph.ts'
import { createRoll } from '#platform/pdf/roll.ts'
import { createSheet, heightOf, type Sheet, type TextStyle } from '#platform/pdf/sheet.ts'
import { createFlow, numberPiece, type Flow, type Piece } from './flow.ts'
import { dot, ink, type Format } from './formats.ts'
import { oneLine } from './one-line.ts'
import type { PrintedOrder } from './printed-order.ts'

/** The pages, and the place for the next thing on them. */
export interface Canvas {
  readonly format: Format
  readonly sheet: Sheet
  readonly flow: Flow
}

interface CanvasOptions {
  readonly title: string
  readonly madeAt: Date
  /** The text at the top of a further page. */
  readonly continued: string
}

export function openCanvas(format: Format, { continued, ...options }: CanvasOptions): Canvas {
  const { margin, contentWidth: width, first, top, bottom, styles } = format
  const size = { ...options, width: format.width }
  const sheet =
    format.height === undefined
      ? createRoll({ ...size, below: format.first })
      : createSheet({ ...size, height: format.height })
  const drawTop = () => void sheet.text(continued, { x: margin, y: first - 2, width }, styles.bold)
  return { format, sheet, flow: createFlow(sheet, { y: first, bottom, top, drawTop }) }
}

/** Pages about one order; each further one names it. */
export function openOrderCanvas(
  format: Format,
  { order }: PrintedOrder,
  options: Omit<CanvasOptions, 'continued'>,
): Canvas {
  return openCanvas(format, { ...options, continued: `#${order.id} (continued)` })
}

interface Head {
  readonly title: string
  readonly mark?: string | undefined
}

/** Draws the paper's head: the shop, the kind of paper, and the order's number as digits and bars. */
export function drawHead(canvas: Canvas, printed: PrintedOrder, head: Head): void {
  if (canvas.format.isNarrow) drawNarrowHead(canvas, printed, head)
  else drawWideHead(canvas, printed, head)
}

function shopPieces({ shop }: PrintedOrder, name: TextStyle, address: TextStyle): Piece[] {
  const lines = [...shop.addressLines, shop.phone]
  return [
    { text: oneLine(shop.name), style: name },
    ...lines.map((line) => ({ text: oneLine(line), style: address })),
  ]
}

function drawWideHead({ format, sheet, flow }: Canvas, printed: PrintedOrder, { title, mark }: Head): void {
  const { order } = printed
  const { margin, width: paperWidth, contentWidth } = format
  const right = { x: 330, width: paperWidth - margin - 330 }
  sheet.text(title.toUpperCase(), { ...right, y: 40 }, { size: 10, weight: 'bold', align: 'right' })
  const number = { size: 24, weight: 'bold', align: 'right', leading: 1.2 } as const
  sheet.text(`#${order.id}`, { ...right, y: 52 }, numberPiece(`#${order.id}`, right.width, number).style)
  // A bar's unit is a whole number of dots of a printer with 300 to the inch.
  sheet.barcode(order.id, { x: paperWidth - margin - 150, y: 84, width: 150, height: 30 })
  let rightY = 120
  if (mark !== undefined) {
    const style = { size: 8.5, weight: 'bold' } as const
    const width = Math.min(right.width, widthOf(mark, style) + 14)
    const x = paperWidth - margin - width
    sheet.box({ x, y: rightY, width, height: 16 }, { stroke: ink.black, thickness: 1.2, radius: 2 })
    sheet.text(mark, { x, y: rightY + 2, width }, { ...style, align: 'center' })
    rightY += 20
  }
  const pieces = shopPieces(printed, { size: 17, weight: 'bold', leading: 1.2 }, { size: 9, color: ink.soft })
  flow.row([{ x: margin, width: 270, pieces }])
  const y = Math.max(flow.y + 12, rightY + 4)
  sheet.rule({ x: margin, y, width: contentWidth }, { thickness: 1.4 })
  flow.y = y + 10
}

/** Three dots: thinner bars, hand scanners read only where the print is perfect. */
const barUnit = 3 * dot

function drawNarrowHead({ format, sheet, flow }: Canvas, printed: PrintedOrder, { title, mark }: Head): void {
  const { id } = printed.order
  const { margin, contentWidth, styles } = format
  const whole = { x: margin, width: contentWidth }
  const number = numberPiece(`#${id}`, contentWidth, { size: 22, weight: 'bold', leading: 1.2 })
  flow.row([
    { ...whole, pieces: [{ text: title.toUpperCase(), style: { size: 11, weight: 'bold' } }, number] },
  ])
  sheet.barcode(id, { x: margin, y: flow.y + 3, width: modulesOf(id) * barUnit, height: 36 })
  flow.y += 45
  if (mark !== undefined) {
    const pieces = [{ text: mark, style: styles.bold }]
    const behind = (y: number, height: number): void =>
      sheet.box(
        { x: margin, y: y - 2, width: contentWidth, height: height + 4 },
        { stroke: ink.black, thickness: 1.2 },
      )
    flow.row([{ x: margin + 5, width: contentWidth - 10, pieces }], { below: 8, behind })
  }
  const name = { size: 12, weight: 'bold', leading: 1.2 } as const
  flow.row([{ ...whole, pieces: shopPieces(printed, name, styles.body) }], { below: 6 })
  sheet.rule({ x: margin, y: flow.y, width: contentWidth }, { thickness: 1.4 })
  flow.y += 8
}

export interface Fact {
  readonly name: string
  /** When empty, nothing is drawn. */
  readonly value: string
}

/** A name and its value, one below the other. */
export function factPieces({ styles }: Format, { name, value }: Fact, style = styles.body): Piece[] {
  if (value.trim() === '') return []
  return [
    { text: name.toUpperCase(), style: styles.caption },
    { text: value, style },
  ]
}

/** Facts side by side in columns of the same width. */
export function drawFacts(canvas: Canvas, facts: readonly Fact[]): void {
  const { format } = canvas
  const stacks = facts.map(({ name, value }) =>
    factPieces(format, { name, value: oneLine(value) }, format.styles.fact),
  )
  drawBeside(canvas, stacks, { gap: 14, below: 8 })
}

/** Stacks side by side in columns of the same width, or one below the other. */
export function drawBeside(
  { format, flow }: Canvas,
  stacks: readonly (readonly Piece[])[],
  { gap, below }: { gap: number; below: number },
): void {
  const { margin, contentWidth, isNarrow } = format
  if (isNarrow) {
    for (const pieces of stacks)
      if (pieces.length > 0) flow.row([{ x: margin, width: contentWidth, pieces }], { below: below / 2 })
    flow.y += below / 2
    return
  }
  const width = (contentWidth - gap * (stacks.length - 1)) / stacks.length
  flow.row(
    stacks.map((pieces, index) => ({ x: margin + index * (width + gap), width, pieces })),
    { below },
  )
}

/** A text over the whole width. */
export function drawWords({ format, flow }: Canvas, piece: Piece, below = 0): void {
  flow.row([{ x: format.margin, width: format.contentWidth, pieces: [piece] }], { below })
}

/** A box with a sentence that nobody may overlook. */
export function drawNotice(
  { format, sheet, flow }: Canvas,
  { mark, text }: { mark: string; text: string },
): void {
  const { margin, contentWidth, styles } = format
  const markWidth = 44
  const style = styles.bold
  const place = { x: margin + markWidth + 10, width: contentWidth - markWidth - 18 }
  const height = heightOf(text, place.width, style) + 12
  flow.need(height)
  const { y } = flow
  sheet.box({ x: margin, y, width: contentWidth, height }, { stroke: ink.black, thickness: 1.4 })
  sheet.box({ x: margin, y, width: markWidth, height }, { fill: ink.black })
  sheet.text(
    mark,
    { x: margin, y: y + (height - 18) / 2, width: markWidth },
    { size: 13, weight: 'bold', color: '#ffffff', align: 'center' },
  )
  sheet.text(text, { ...place, y: y + 6 }, style)
  flow.y += height + 10
}

export function drawFooters({ format, sheet }: Canvas, { order, shop }: PrintedOrder): void {
  // The head has the full name.
  const name = oneLine(shop.name).slice(0, 50)
  drawPageNumbers({ format, sheet }, { name, about: `order #${order.id}` })
}

/** At the end of each page, except on a roll of one piece. */
export function drawPageNumbers(
  { format, sheet }: Pick<Canvas, 'format' | 'sheet'>,
  { name, about }: { name: string; about: string },
): void {
  const { margin, contentWidth: width, styles, isNarrow, height } = format
  sheet.onEachPage((page, count) => {
    if (height === undefined && count === 1) return
    const top = height === undefined ? sheet.height + 6 : format.footerTop
    sheet.rule({ x: margin, y: top, width }, isNarrow ? {} : { color: ink.line })
    const place = { x: margin, y: top + (isNarrow ? 2 : 4), width }
    sheet.text(isNarrow ? about : `${name} · ${about}`, place, styles.small)
    sheet.text(`Page ${page} of ${count}`, place, { ...styles.small, align: 'right' })
  })
}
