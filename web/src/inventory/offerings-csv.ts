import type { OfferingRow } from './offering-rows.ts'

/** A spreadsheet runs a cell that begins with one of these as a formula. */
const formulaStart = /^\s*[=+\-@＝＋－＠\t\r]/

const head = [
  'Brand',
  'Product Name',
  'TPK',
  'Container Size',
  'Price',
  'QTY',
  'Active',
  'Retailer item Code',
  'GTIN',
  'Location',
  'Taken Down',
]

/** The table as a file for spreadsheets, in which every text stays text. */
export function offeringsCsv(rows: readonly OfferingRow[]): string {
  const lines = rows.map((row) => [
    cell(row.brand),
    cell(row.name),
    cell(row.tpk),
    cell(row.size),
    row.price.toFixed(2),
    row.isNextDay ? 'AT DISTRIBUTOR' : String(row.quantity),
    row.isActive ? 'yes' : 'no',
    cell(row.id),
    row.gtin,
    cell(row.location),
    cell(row.takenDown),
  ])
  // The mark at the start tells Excel that the text is UTF-8.
  return `\uFEFF${[head, ...lines].map((cells) => cells.join(',')).join('\r\n')}\r\n`
}

function cell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
