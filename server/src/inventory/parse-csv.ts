import { CsvError, parse } from 'csv-parse/sync'

export interface CsvRow {
  /** The line of the file on which the row begins, counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

interface ParsedRow {
  readonly record: string[]
  readonly raw: string
  readonly info: { readonly lines: number }
}

/** The fault of a whole file: where the rows end cannot be told. */
export class UnreadableCsv extends Error {}

/**
 * Comma-separated rows as RFC 4180 has them, also with a byte order mark, spaces around cells, and a quote in the middle
 * of one (`12" shelf`). Rows without anything in them are left out.
 */
export function parseCsv(text: string): CsvRow[] {
  try {
    const rows = parse(text, {
      bom: true,
      info: true,
      raw: true,
      trim: true,
      relaxQuotes: true,
      relaxColumnCount: true,
      skipRecordsWithEmptyValues: true,
    }) as unknown as ParsedRow[]
    return rows.map(({ record, raw, info }) => ({
      line: info.lines - (raw.trimEnd().split('\n').length - 1),
      cells: record,
    }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableCsv(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'A quote (") is opened and not closed, so nothing after it can be read. Please close it, then import again.'
        : `The file cannot be read as CSV: ${error.message}`,
    )
  }
}
