import { layOut, widthOf, type Line } from '#platform/pdf/paragraph.ts'
import { lineHeight, type Sheet, type TextStyle } from '#platform/pdf/sheet.ts'

export interface Piece {
  readonly text: string
  readonly style: TextStyle
  /** Empty space above it. */
  readonly above?: number
}

/** Texts one below another. */
interface Stack {
  readonly x: number
  readonly width: number
  readonly pieces: readonly Piece[]
}

interface Row {
  /** Empty space below the row; it may be dropped at the end of a page. */
  readonly below?: number
  /** Draws the background of the texts, once on each page of the row. */
  readonly behind?: (y: number, height: number) => void
}

/**
 * The place on a paper. If the next thing does not fit, it continues on a new page. Every text that people type goes
 * through `row`, so that no text is drawn below a page's end.
 */
export interface Flow {
  y: number
  /** The table's head. While it is set, each new page repeats it. */
  head: { readonly height: number; draw(y: number): void } | undefined
  /** Makes room for a thing that must not be split. Throws if it is higher than a page. */
  need(height: number): void
  /** Draws stacks side by side. A row splits only if it is higher than a page, and then between two lines. */
  row(stacks: readonly Stack[], row?: Row): void
}

interface FlowOptions {
  readonly y: number
  readonly bottom: number
  /** The top of a further page, and the text there. */
  readonly top: number
  readonly drawTop: () => void
}

export function createFlow(sheet: Sheet, { y, bottom, top, drawTop }: FlowOptions): Flow {
  const turnPage = (): void => {
    sheet.addPage()
    drawTop()
    flow.head?.draw(top)
    flow.y = pageTop()
  }
  const pageTop = (): number => top + (flow.head?.height ?? 0)
  const flow: Flow = {
    y,
    head: undefined,
    need(height) {
      if (height > bottom - pageTop()) throw new Error(`A block of ${height} points is higher than a page.`)
      if (flow.y + height > bottom + 0.01) turnPage()
    },
    row(stacks, { below = 0, behind } = {}) {
      let rest = stacks.map(toLines)
      const height = Math.max(0, ...rest.map(heightOf))
      if (height <= bottom - pageTop()) flow.need(height)
      while (rest.some((lines) => lines.length > 0)) {
        // At least one line of each stack; otherwise the pages would never end.
        flow.need(Math.max(0, ...rest.map(([first]) => first?.height ?? 0)))
        const counts = rest.map((lines) => countThatFit(lines, bottom - flow.y))
        const now = rest.map((lines, index) => lines.slice(0, counts[index]))
        const drawn = Math.max(...now.map(heightOf))
        behind?.(flow.y, drawn)
        for (const lines of now) drawLines(sheet, lines, flow.y)
        flow.y += drawn
        rest = rest.map((lines, index) => lines.slice(counts[index]))
        if (rest.some((lines) => lines.length > 0)) turnPage()
      }
      flow.y += below
    },
  }
  return flow
}

interface PlacedLine {
  readonly line: Line
  readonly x: number
  readonly width: number
  readonly above: number
  readonly height: number
  readonly style: TextStyle
}

function toLines({ x, width, pieces }: Stack): PlacedLine[] {
  return pieces.flatMap(({ text, style, above: space = 0 }) =>
    layOut(text, style, width).map((line, index) => {
      const above = index === 0 ? space : 0
      return { line, x, width, style, above, height: lineHeight(style) + above }
    }),
  )
}

function heightOf(lines: readonly PlacedLine[]): number {
  return lines.reduce((sum, { height }) => sum + height, 0)
}

function countThatFit(lines: readonly PlacedLine[], room: number): number {
  let used = 0
  // Sums of fractions differ in their last digit.
  const end = lines.findIndex(({ height }) => (used += height) > room + 0.01)
  return end === -1 ? lines.length : end
}

function drawLines(sheet: Sheet, lines: readonly PlacedLine[], top: number): void {
  let y = top
  for (const { line, x, width, above, height, style } of lines) {
    sheet.line(line, { x, y: y + above, width }, style)
    y += height
  }
}

/** Makes a long number smaller rather than break it: "100" above "00" reads as a hundred. */
export function numberPiece(text: string, width: number, style: TextStyle): Piece {
  const size = Math.min(style.size, (style.size * width) / Math.max(1, widthOf(text, style)))
  return { text, style: { ...style, size: Math.floor(size * 10) / 10 } }
}
