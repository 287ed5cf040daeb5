import { heightOf, type Sheet, type TextStyle } from '#platform/pdf/sheet.ts'
import { widthOf } from '#platform/pdf/paragraph.ts'
import type { PrintedOrder } from './printed-order.ts'

/** US Letter, with what a desk printer cannot reach left free. */
export const letter = { width: 612, height: 792 }
export const margin = 40
export const contentWidth = letter.width - 2 * margin
const footerTop = letter.height - 42
export const pageBottom = footerTop - 10

export const ink = { black: '#000000', soft: '#4a4643', line: '#bdb7b0', tint: '#f3f1ee' }

export const styles = {
  small: { size: 7.5, color: ink.soft },
  body: { size: 9.5 },
  fact: { size: 9 },
  bold: { size: 9.5, weight: 'bold' },
  caption: { size: 7, weight: 'bold', color: ink.soft },
} as const satisfies Record<string, TextStyle>

/** Draws the paper's head: whose shop, what paper, which order as digits and as bars. Answers where it ends. */
export function drawHead(
  sheet: Sheet,
  { order, shop }: PrintedOrder,
  { title, mark }: { title: string; mark?: string | undefined },
): number {
  const right = { x: 330, width: letter.width - margin - 330 }
  const left = { x: margin, width: 270 }
  let y = 38
  y += sheet.text(shop.name, { ...left, y }, { size: 17, weight: 'bold', leading: 1.2 })
  y += sheet.text(
    [...shop.addressLines, shop.phone].join('\n'),
    { ...left, y: y + 2 },
    { size: 9, color: ink.soft },
  )

  sheet.text(title.toUpperCase(), { ...right, y: 40 }, { size: 10, weight: 'bold', align: 'right' })
  sheet.text(`#${order.id}`, { ...right, y: 52 }, { size: 24, weight: 'bold', align: 'right', leading: 1.2 })
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
  y = Math.max(y + 10, rightY + 4)
  sheet.rule({ x: margin, y, width: contentWidth }, { thickness: 1.4 })
  return y + 10
}

/** A name and its value in a column. Answers the height. */
export function drawFact(
  sheet: Sheet,
  { name, value }: { name: string; value: string },
  at: { x: number; y: number; width: number; style?: TextStyle },
): number {
  const caption = sheet.text(name.toUpperCase(), at, styles.caption)
  return caption + sheet.text(value, { ...at, y: at.y + caption }, at.style ?? styles.body)
}

/** Facts beside each other in columns of the same width. Answers where they end. */
export function drawFacts(
  sheet: Sheet,
  facts: readonly { name: string; value: string }[],
  y: number,
): number {
  const gap = 14
  const width = (contentWidth - gap * (facts.length - 1)) / facts.length
  const heights = facts.map((fact, index) =>
    drawFact(sheet, fact, { x: margin + index * (width + gap), y, width, style: styles.fact }),
  )
  return y + Math.max(...heights) + 8
}

/** A box with a sentence that must not be overlooked. */
export function drawNotice(sheet: Sheet, { mark, text }: { mark: string; text: string }, y: number): number {
  const markWidth = 44
  const style = { size: 9.5, weight: 'bold' } as const
  const place = { x: margin + markWidth + 10, width: contentWidth - markWidth - 18 }
  const height = heightOf(text, place.width, style) + 12
  sheet.box({ x: margin, y, width: contentWidth, height }, { stroke: ink.black, thickness: 1.4 })
  sheet.box({ x: margin, y, width: markWidth, height }, { fill: ink.black })
  sheet.text(
    mark,
    { x: margin, y: y + (height - 18) / 2, width: markWidth },
    { size: 13, weight: 'bold', color: '#ffffff', align: 'center' },
  )
  sheet.text(text, { ...place, y: y + 6 }, style)
  return y + height + 10
}

export function drawFooters(sheet: Sheet, { order, shop }: PrintedOrder): void {
  sheet.onEachPage((page, count) => {
    sheet.rule({ x: margin, y: footerTop, width: contentWidth }, { color: ink.line })
    const place = { x: margin, y: footerTop + 4, width: contentWidth }
    sheet.text(`${shop.name} · order #${order.id}`, place, styles.small)
    sheet.text(`Page ${page} of ${count}`, place, { ...styles.small, align: 'right' })
  })
}

/** The place on the paper, which goes on to a new page where what comes next would not fit on this one. */
export interface Flow {
  y: number
  /** Makes room for something that is not to be split. */
  need(height: number): void
}

export function createFlow(sheet: Sheet, order: PrintedOrder, y: number): Flow & { onNewPage: () => void } {
  const flow = {
    y,
    onNewPage: () => {},
    need(height: number) {
      if (flow.y + height <= pageBottom) return
      sheet.addPage()
      sheet.text(`#${order.order.id} (continued)`, { x: margin, y: 36, width: contentWidth }, styles.bold)
      flow.y = 56
      flow.onNewPage()
    },
  }
  return flow
}

interface Column {
  readonly name: string
  readonly width: number
  readonly align?: 'right'
}

const cellGap = 8

/** Columns from the left margin; the one without a width of its own takes what is left. */
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

export function drawTableHead(sheet: Sheet, columns: ReturnType<typeof placeColumns>, y: number): number {
  sheet.box({ x: margin, y, width: contentWidth, height: 16 }, { fill: ink.tint })
  for (const { column, x, width } of columns)
    sheet.text(
      column.name.toUpperCase(),
      { x, y: y + 3, width },
      { ...styles.caption, ...(column.align === undefined ? {} : { align: column.align }) },
    )
  return y + 19
}
