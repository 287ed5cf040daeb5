export interface CsvRow {
  /** The line of the file on which the row begins, counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Comma-separated rows by RFC 4180: quotes around a cell, doubled inside it, and line breaks between quotes. */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  const source = text.replace(/^\uFEFF/, '')
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let began = 1

  const endCell = () => {
    cells.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (cells.some((each) => each.trim() !== '')) rows.push({ line: began, cells })
    cells = []
    began = line
  }
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '\n') line++
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (source[at + 1] === '"') cell += source.charAt(++at)
      else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (character === ',') endCell()
    else if (character === '\n') endRow()
    else if (character !== '\r') cell += character
  }
  if (cell !== '' || cells.length > 0) endRow()
  return rows
}
