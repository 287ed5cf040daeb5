import { createSheet } from '#platform/pdf/sheet.ts'
import { createFlow } from './flow.ts'
import { formats } from './formats.ts'
import { oneLine } from './one-line.ts'
import { drawFacts, type Canvas, type Fact } from './paper.ts'
import { drawTable, placeColumns, ruleBelowRow, type Column } from './table.ts'

const format = formats.letter
const { margin, contentWidth, styles } = format
const letter = { width: format.width, height: 792 }

interface ReportTable {
  readonly title: string
  /** Below the title; in place of the table where it has no rows. */
  readonly note?: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
}

/** A paper of tables, about no single order. */
export interface Report {
  readonly title: string
  readonly shop: { readonly name: string; readonly addressLines: readonly string[] }
  readonly summary: string
  readonly facts: readonly (readonly Fact[])[]
  readonly notes: readonly string[]
  readonly tables: readonly ReportTable[]
  readonly madeAt: Date
}

export async function drawReport(report: Report): Promise<Buffer> {
  const sheet = createSheet({ ...letter, title: report.title, madeAt: report.madeAt })
  const flow = createFlow(sheet, { y: 38, bottom: format.bottom, top: 40, drawTop: () => {} })
  const canvas = { format, sheet, flow }
  const whole = { x: margin, width: contentWidth }
  const name = oneLine(report.shop.name)
  flow.row(
    [
      {
        ...whole,
        pieces: [
          { text: report.title, style: { size: 20, weight: 'bold', leading: 1.2 } },
          { text: name, style: styles.bold, above: 4 },
          { text: report.shop.addressLines.map(oneLine).join(', '), style: styles.body },
          { text: report.summary, style: styles.body },
        ],
      },
    ],
    { below: 12 },
  )
  for (const facts of report.facts) drawFacts(canvas, facts)
  flow.row([{ ...whole, pieces: report.notes.map((text) => ({ text, style: styles.small, above: 3 })) }])
  for (const table of report.tables) drawReportTable(canvas, table)
  sheet.onEachPage((page, count) =>
    sheet.text(
      `${name.slice(0, 50)} · ${report.title} · page ${page} of ${count}`,
      { ...whole, y: letter.height - 38 },
      { ...styles.small, align: 'right' },
    ),
  )
  return sheet.toBytes()
}

function drawReportTable(canvas: Canvas, { title, note, columns, rows }: ReportTable): void {
  const { flow } = canvas
  const heading = { text: title, style: { size: 13, weight: 'bold' }, above: 16 } as const
  const below = note === undefined ? [] : [{ text: note, style: styles.small }]
  flow.row([{ x: margin, width: contentWidth, pieces: [heading, ...below] }], { below: 4 })
  if (rows.length === 0) return
  const placed = placeColumns(format, columns)
  drawTable(canvas, placed, () => {
    for (const row of rows) {
      flow.row(
        placed.map(({ x, width }, index) => ({
          x,
          width,
          pieces: [{ text: oneLine(row[index] ?? ''), style: { size: 8 } }],
        })),
        { below: 5 },
      )
      ruleBelowRow(canvas, flow.y - 2.5)
    }
  })
}
