import { widthOf } from '#platform/pdf/paragraph.ts'
import type { Sheet, TextStyle } from '#platform/pdf/sheet.ts'
import { numberPiece, type Piece } from './flow.ts'
import { ink, type Format } from './formats.ts'
import { oneLine } from './one-line.ts'
import type { Canvas } from './paper.ts'

export interface Column {
  readonly name: string
  readonly width: number
  readonly align?: 'right'
}

export interface PlacedColumn {
  readonly column: Column
  readonly x: number
  readonly width: number
}

const cellGap = 8

/** Columns from the left margin. The column without a width takes the rest. */
export function placeColumns(
  { margin, contentWidth }: Format,
  columns: readonly Column[],
): readonly PlacedColumn[] {
  const fixed = columns.reduce((sum, column) => sum + column.width, 0) + cellGap * (columns.length - 1)
  let x = margin
  return columns.map((column) => {
    const width = column.width === 0 ? contentWidth - fixed : column.width
    const placed = { column, x, width }
    x += width + cellGap
    return placed
  })
}

function drawTableHead({ format, sheet }: Canvas, columns: readonly PlacedColumn[], y: number): void {
  const { margin, contentWidth, styles } = format
  sheet.box({ x: margin, y, width: contentWidth, height: 16 }, { fill: ink.tint })
  for (const { column, x, width } of columns)
    sheet.text(
      column.name.toUpperCase(),
      { x, y: y + 3, width },
      { ...styles.caption, ...(column.align === undefined ? {} : { align: column.align }) },
    )
}

const headHeight = 19

/**
 * Rows under a head that each further page repeats. The head is never alone at a page's end. A narrow paper has no
 * columns, so its rows begin under a rule.
 */
export function drawTable(canvas: Canvas, columns: readonly PlacedColumn[], drawRows: () => void): void {
  const { format, sheet, flow } = canvas
  flow.need(headHeight + 40)
  if (format.isNarrow) {
    ruleBelowRow(canvas, flow.y)
    flow.y += 6
    return drawRows()
  }
  drawTableHead(canvas, columns, flow.y)
  flow.y += headHeight
  flow.head = { height: headHeight, draw: (y) => drawTableHead({ format, sheet, flow }, columns, y) }
  drawRows()
  flow.head = undefined
}

/** Draws a line's additions. A further page repeats the line's name, so that no engraving lacks its bottle. */
export function belowLine(
  { format, sheet, flow }: Canvas,
  { name, x }: { name: string; x: number },
  draw: () => void,
): void {
  const { head } = flow
  const { isNarrow, margin, contentWidth, styles } = format
  const words = oneLine(name)
  const ending = '… (continued)'
  const place = { x: isNarrow ? margin : x, width: contentWidth }
  const shown = isNarrow
    ? `${startOf(words, contentWidth - widthOf(ending, styles.small) - 12, styles.small)}${ending}`
    : `${words.length > 60 ? `${words.slice(0, 60)}…` : words} (continued)`
  flow.head = {
    height: (head?.height ?? 0) + 13,
    draw(y) {
      head?.draw(y)
      sheet.text(shown, { ...place, y: y + (head?.height ?? 0) }, styles.small)
    },
  }
  draw()
  flow.head = head
}

/** As much of a text as fits into one line. */
function startOf(words: string, width: number, style: TextStyle): string {
  let start = words.slice(0, 60)
  while (start !== '' && widthOf(start, style) > width) start = start.slice(0, -1)
  return start
}

export function ruleBelowRow({ format, sheet }: { format: Format; sheet: Sheet }, y: number): void {
  const { margin, contentWidth, isNarrow } = format
  const look = isNarrow ? { thickness: 0.6 } : { color: ink.line, thickness: 0.4 }
  sheet.rule({ x: margin, y, width: contentWidth }, look)
}

/** A row to tick off: so many of a bottle. */
export interface PickRow {
  readonly quantity: number
  /** Of a table that has a column for it; empty for a bottle without one. */
  readonly shelf?: string
  readonly texts: readonly Piece[]
  readonly size: string
  readonly sku: string
  readonly below: number
}

const quantityStyle: TextStyle = { size: 12, weight: 'bold', align: 'right', leading: 1.1 }

/** Where a narrow row's texts begin, beside the box and a usual quantity. */
const besideBox = { box: 14, quantity: 22, gap: 6 }

/** The columns are those of a box, the quantity, the shelf if the table has it, the item, its size and its SKU. */
export function drawPickRow(canvas: Canvas, columns: readonly PlacedColumn[], row: PickRow): void {
  const { format, sheet, flow } = canvas
  const { margin, styles } = format
  let isFirst = true
  const behind = (y: number): void => {
    if (isFirst) sheet.box({ x: margin, y: y + 1.5, width: 10, height: 10 }, { stroke: ink.black })
    isFirst = false
  }
  const quantity = String(row.quantity)
  if (format.isNarrow) {
    const width = Math.max(besideBox.quantity, widthOf(quantity, quantityStyle) + 0.5)
    const x = margin + besideBox.box
    const textX = x + width + besideBox.gap
    const shelf = oneLine(row.shelf ?? '')
    const pieces = [
      ...row.texts,
      ...(shelf === '' ? [] : [{ text: `Shelf ${shelf}`, style: styles.bold }]),
      ...asidePieces(format, row),
    ]
    const stacks = [
      { x, width, pieces: [{ text: quantity, style: quantityStyle, above: -1.5 }] },
      { x: textX, width: margin + format.contentWidth - textX, pieces },
    ]
    return flow.row(stacks, { below: row.below, behind })
  }
  const cells: (readonly Piece[])[] = [
    [],
    [{ ...numberPiece(quantity, columns[1]?.width ?? 0, quantityStyle), above: -1.5 }],
    ...(row.shelf === undefined ? [] : [[{ text: oneLine(row.shelf), style: styles.bold }]]),
    row.texts,
    [{ text: oneLine(row.size), style: styles.body }],
    [{ text: oneLine(row.sku), style: styles.body }],
  ]
  flow.row(
    columns.map(({ x, width }, index) => ({ x, width, pieces: cells[index] ?? [] })),
    { below: row.below, behind },
  )
}

/** Size and SKU under the name, on a paper without columns. */
export function asidePieces({ styles }: Format, { size, sku }: { size: string; sku: string }): Piece[] {
  const code = oneLine(sku)
  return [oneLine(size), code === '' ? '' : `SKU ${code}`]
    .filter((text) => text !== '')
    .map((text) => ({ text, style: styles.body }))
}
