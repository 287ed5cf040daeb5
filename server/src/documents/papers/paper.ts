import { heightOf, type Sheet, type TextStyle } from '#platform/pdf/sheet.ts'
import { widthOf } from '#platform/pdf/paragraph.ts'
import { createFlow, numberPiece, type Flow, type Piece } from './flow.ts'
import { oneLine } from './one-line.ts'
import type { PrintedOrder } from './printed-order.ts'

/** US Letter, with a margin that desk printers cannot reach. */
export const letter = { width: 612, height: 792 }
export const margin = 40
export const contentWidth = letter.width - 2 * margin
const footerTop = letter.height - 42
export const pageBottom = footerTop - 10

/** The pages, and the place for the next thing on them. */
export interface Canvas {
  readonly sheet: Sheet
  readonly flow: Flow
}

export const ink = { black: '#000000', soft: '#4a4643', line: '#bdb7b0', tint: '#f3f1ee' }

export const styles = {
  small: { size: 7.5, color: ink.soft },
  body: { size: 9.5 },
  fact: { size: 9 },
  bold: { size: 9.5, weight: 'bold' },
  caption: { size: 7, weight: 'bold', color: ink.soft },
} as const satisfies Record<string, TextStyle>

/** Draws the paper's head: the shop, the kind of paper, and the order's number as digits and bars. */
export function drawHead(
  { sheet, flow }: Canvas,
  { order, shop }: PrintedOrder,
  { title, mark }: { title: string; mark?: string | undefined },
): void {
  const right = { x: 330, width: letter.width - margin - 330 }
  sheet.text(title.toUpperCase(), { ...right, y: 40 }, { size: 10, weight: 'bold', align: 'right' })
  const number = { size: 24, weight: 'bold', align: 'right', leading: 1.2 } as const
  sheet.text(`#${order.id}`, { ...right, y: 52 }, numberPiece(`#${order.id}`, right.width, number).style)
  // A bar's unit is a whole number of dots of a printer with 300 to the inch.
  sheet.barcode(order.id, { x: letter.width - margin - 150, y: 84, width: 150, height: 30 })
  let rightY = 120
  if (mark !== undefined) {
    const style = { size: 8.5, weight: 'bold' } as const
    const width = Math.min(right.width, widthOf(mark, style) + 14)
    const x = letter.width - margin - width
    sheet.box({ x, y: rightY, width, height: 16 }, { stroke: ink.black, thickness: 1.2, radius: 2 })
    sheet.text(mark, { x, y: rightY + 2, width }, { ...style, align: 'center' })
    rightY += 20
  }
  const address = { size: 9, color: ink.soft }
  flow.row([
    {
      x: margin,
      width: 270,
      pieces: [
        { text: oneLine(shop.name), style: { size: 17, weight: 'bold', leading: 1.2 } },
        ...[...shop.addressLines, shop.phone].map((line) => ({ text: oneLine(line), style: address })),
      ],
    },
  ])
  const y = Math.max(flow.y + 12, rightY + 4)
  sheet.rule({ x: margin, y, width: contentWidth }, { thickness: 1.4 })
  flow.y = y + 10
}

export interface Fact {
  readonly name: string
  /** When empty, nothing is drawn. */
  readonly value: string
}

/** A name and its value, one below the other. */
export function factPieces({ name, value }: Fact, style: TextStyle = styles.body): Piece[] {
  if (value.trim() === '') return []
  return [
    { text: name.toUpperCase(), style: styles.caption },
    { text: value, style },
  ]
}

/** Facts side by side in columns of the same width. */
export function drawFacts(flow: Flow, facts: readonly Fact[]): void {
  const gap = 14
  const width = (contentWidth - gap * (facts.length - 1)) / facts.length
  flow.row(
    facts.map((fact, index) => ({
      x: margin + index * (width + gap),
      width,
      pieces: factPieces({ ...fact, value: oneLine(fact.value) }, styles.fact),
    })),
    { below: 8 },
  )
}

/** A box with a sentence that nobody may overlook. */
export function drawNotice({ sheet, flow }: Canvas, { mark, text }: { mark: string; text: string }): void {
  const markWidth = 44
  const style = { size: 9.5, weight: 'bold' } as const
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

export function drawFooters(sheet: Sheet, { order, shop }: PrintedOrder): void {
  // The head has the full name.
  const name = oneLine(shop.name).slice(0, 50)
  sheet.onEachPage((page, count) => {
    sheet.rule({ x: margin, y: footerTop, width: contentWidth }, { color: ink.line })
    const place = { x: margin, y: footerTop + 4, width: contentWidth }
    sheet.text(`${name} · order #${order.id}`, place, styles.small)
    sheet.text(`Page ${page} of ${count}`, place, { ...styles.small, align: 'right' })
  })
}

/** The flow of an order's paper: each further page names the order. */
export function createOrderFlow(sheet: Sheet, { order }: PrintedOrder): Flow {
  return createFlow(sheet, {
    y: 38,
    bottom: pageBottom,
    top: 56,
    drawTop: () =>
      void sheet.text(`#${order.id} (continued)`, { x: margin, y: 36, width: contentWidth }, styles.bold),
  })
}

export interface Column {
  readonly name: string
  readonly width: number
  readonly align?: 'right'
}

const cellGap = 8

/** Columns from the left margin. The column without a width takes the rest. */
export function placeColumns(columns: readonly Column[]): { column: Column; x: number; width: number }[] {
  const fixed = columns.reduce((sum, column) => sum + column.width, 0) + cellGap * (columns.length - 1)
  let x = margin
  return columns.map((column) => {
    const width = column.width === 0 ? contentWidth - fixed : column.width
    const placed = { column, x, width }
    x += width + cellGap
    return placed
  })
}

function drawTableHead(sheet: Sheet, columns: ReturnType<typeof placeColumns>, y: number): void {
  sheet.box({ x: margin, y, width: contentWidth, height: 16 }, { fill: ink.tint })
  for (const { column, x, width } of columns)
    sheet.text(
      column.name.toUpperCase(),
      { x, y: y + 3, width },
      { ...styles.caption, ...(column.align === undefined ? {} : { align: column.align }) },
    )
}

const headHeight = 19

/** Rows under a head that each further page repeats. The head is never alone at a page's end. */
export function drawTable(
  { sheet, flow }: Canvas,
  columns: ReturnType<typeof placeColumns>,
  drawRows: () => void,
): void {
  flow.need(headHeight + 40)
  drawTableHead(sheet, columns, flow.y)
  flow.y += headHeight
  flow.head = { height: headHeight, draw: (y) => drawTableHead(sheet, columns, y) }
  drawRows()
  flow.head = undefined
}

/** Draws a line's additions. A further page repeats the line's name, so that no engraving lacks its bottle. */
export function belowLine(
  { sheet, flow }: Canvas,
  { name, x }: { name: string; x: number },
  draw: () => void,
): void {
  const { head } = flow
  const words = oneLine(name)
  const shown = `${words.length > 60 ? `${words.slice(0, 60)}…` : words} (continued)`
  flow.head = {
    height: (head?.height ?? 0) + 13,
    draw(y) {
      head?.draw(y)
      sheet.text(shown, { x, y: y + (head?.height ?? 0), width: contentWidth }, styles.small)
    },
  }
  draw()
  flow.head = head
}

export function ruleBelowRow(sheet: Sheet, y: number): void {
  sheet.rule({ x: margin, y, width: contentWidth }, { color: ink.line, thickness: 0.4 })
}
