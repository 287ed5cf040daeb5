import { expect } from 'vitest'
import type { PdfText } from './pdf-text.ts'

export interface Column {
  /** The name in the table's head. */
  readonly name: string
  readonly isRight?: boolean
}

export interface TableLine {
  readonly page: number
  readonly y: number
  /** The text in each column, found only by its place on the paper. */
  readonly cells: Readonly<Record<string, string>>
}

/** The lines of a table on all its pages. A text belongs to the column whose head begins or ends at the same place. */
export function readTable(texts: readonly PdfText[], columns: readonly Column[]): TableLine[] {
  return pagesOf(texts).flatMap((page) => {
    const heads = columns.map((column) => ({ ...column, run: page.find((run) => isHead(run, column.name)) }))
    const top = heads[0]?.run?.y
    if (top === undefined) return []
    return linesOf(page.filter(({ y }) => y > top + 4)).map((runs) => ({
      page: runs[0]?.page ?? 0,
      y: Math.min(...runs.map(({ y }) => y)),
      cells: Object.fromEntries(
        heads.flatMap(({ name, isRight, run: head }) => {
          const text = head === undefined ? '' : textAt(runs, head, isRight === true)
          return text === '' ? [] : [[name, text]]
        }),
      ),
    }))
  })
}

function isHead({ text, size }: PdfText, name: string): boolean {
  return text.trim() === name && size === 7
}

function textAt(runs: readonly PdfText[], head: PdfText, isRight: boolean): string {
  if (isRight) return runs.find(({ end }) => Math.abs(end - head.end) < 1)?.text.trim() ?? ''
  let text = ''
  let { x } = head
  // A line in several typefaces has several runs; each begins where the previous one ends.
  for (const run of runs.toSorted((a, b) => a.x - b.x)) {
    if (Math.abs(run.x - x) > 1) continue
    text += run.text
    x = run.end
  }
  return text.trim()
}

/** Runs on the same baseline, with a tolerance for letters of different sizes side by side. */
function linesOf(texts: readonly PdfText[]): PdfText[][] {
  const lines: PdfText[][] = []
  for (const run of texts.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    if (line !== undefined && run.y - (line[0]?.y ?? 0) < 3) line.push(run)
    else lines.push([run])
  }
  return lines
}

function pagesOf(texts: readonly PdfText[]): PdfText[][] {
  return [...Map.groupBy(texts, ({ page }) => page).values()]
}

const furthestLine = 18

/** The lines below a caption such as SHIP TO, until the next caption or a gap. */
export function linesBelow(texts: readonly PdfText[], caption: string): string[] {
  const head = texts.find((run) => isHead(run, caption))
  if (head === undefined) return []
  const column = texts
    .filter((run) => run.page === head.page && Math.abs(run.x - head.x) < 1 && run.y > head.y)
    .toSorted((a, b) => a.y - b.y)
  const lines: string[] = []
  let { y } = head
  for (const run of column) {
    if (run.size === head.size || run.y - y > furthestLine) break
    lines.push(run.text.trim())
    y = run.y
  }
  return lines
}

/** The value below a caption such as DEADLINE, in one or more lines. */
export function valueBelow(texts: readonly PdfText[], caption: string): string {
  return linesBelow(texts, caption).join(' ')
}

const letterPage = { left: 39.9, right: 572.1, top: 36, bottom: 740 }

/** The order's own texts, without the texts that every page repeats. */
function bodyOf(texts: readonly PdfText[]): PdfText[] {
  return texts.filter(
    ({ y, text, size }) =>
      y < 750 && size !== 7 && !(y < 60 && text.includes('(continued)')) && !/^Page \d/.test(text),
  )
}

/** Every text is on the paper; none covers another, and none is below the page's end. */
export function expectLegible(texts: readonly PdfText[]): void {
  for (const run of bodyOf(texts).filter(({ text }) => text.trim() !== '')) {
    const where = `${run.text.slice(0, 40)} on page ${run.page} at ${run.x}, ${run.y}`
    expect(run.x, where).toBeGreaterThanOrEqual(letterPage.left)
    expect(run.end, where).toBeLessThanOrEqual(letterPage.right)
    expect(run.y, where).toBeGreaterThan(letterPage.top)
    expect(run.y, where).toBeLessThan(letterPage.bottom)
  }
  expectNoneCovered(texts)
}

function expectNoneCovered(texts: readonly PdfText[]): void {
  for (const page of pagesOf(texts))
    expect(page.filter((run, index) => isUnderLater(run, page.slice(index + 1)))).toEqual([])
}

/** The same for a thermal printer's paper, whose letters are never below 9 points. */
export function expectLegibleOn(
  { texts, sizes }: { texts: readonly PdfText[]; sizes: readonly { width: number; height: number }[] },
  margin: number,
): void {
  for (const run of texts.filter(({ text }) => text.trim() !== '')) {
    const where = `${run.text.slice(0, 40)} on page ${run.page} at ${run.x}, ${run.y}`
    const { width = 0, height = 0 } = sizes[run.page - 1] ?? {}
    expect(run.size, where).toBeGreaterThanOrEqual(9)
    expect(run.x, where).toBeGreaterThanOrEqual(margin - 0.1)
    expect(run.end, where).toBeLessThanOrEqual(width - margin + 0.1)
    expect(run.y - run.size, where).toBeGreaterThan(0)
    expect(run.y, where).toBeLessThan(height - 8)
  }
  expectNoneCovered(texts)
}

function isUnderLater(run: PdfText, later: readonly PdfText[]): boolean {
  return later.some(
    (other) =>
      run.text.trim() !== '' &&
      other.text.trim() !== '' &&
      other.x < run.end - 0.5 &&
      run.x < other.end - 0.5 &&
      Math.abs(other.y - run.y) < 0.6 * Math.min(run.size, other.size),
  )
}

/** The texts that are not complete on the paper: letter for letter, in their column, over lines and pages. */
export function missingFrom(
  texts: readonly PdfText[],
  wanted: readonly string[],
  body = bodyOf(texts),
): string[] {
  const read = [body, ...columnsOf(body)].map((runs) => bare(runs.map((run) => run.text).join('')))
  return wanted.filter((text) => !read.some((all) => all.includes(bare(text))))
}

function columnsOf(body: readonly PdfText[]): PdfText[][] {
  const starts = [...new Set(body.map(({ x }) => Math.round(x)))]
  return starts.map((x) => body.filter((run) => Math.round(run.x) === x))
}

function bare(text: string): string {
  return text.normalize('NFC').replaceAll(/[\s\u200b\u200e\u200f\u202a-\u202e\ufeff]+/gu, '')
}
