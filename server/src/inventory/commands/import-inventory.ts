import { beverageClasses } from '@cellarhand/contract/duty-rules'
import { readGtin } from '@cellarhand/contract/gtin'
import { isWholeCents, toCents } from '@cellarhand/contract/money'
import { requireOpen } from '#platform/db/closed-merchant.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import { parseCsv, UnreadableCsv, type CsvRow } from '../parse-csv.ts'

/** The columns of a file; the first three are required. Any other, when left out or empty, means none (or yes). */
export const inventoryColumns = [
  'offering_id',
  'price',
  'quantity',
  'product_id',
  'product_name',
  'brand',
  'container_size',
  'merchant_sku',
  'is_active',
  'is_selling',
  'stock_behavior',
  'beverage_class',
  'abv',
  'volume_ml',
  'gtin',
  'location',
] as const
type Column = (typeof inventoryColumns)[number]
/** Other names of a column in the files of tills, without spaces and signs. */
const spellings: ReadonlyMap<string, Column> = new Map([
  ...spelled(
    'gtin',
    'gtin8 gtin12 gtin13 gtin14 upc upca upce upccode upcnumber upcean ean ean8 ean13 eanupc gtinupc upcgtin barcode',
  ),
  ...spelled('location', 'shelf shelflocation bin binlocation stocklocation'),
])
const neededColumns: readonly Column[] = ['offering_id', 'price', 'quantity']

function spelled(column: Column, names: string): [string, Column][] {
  return names.split(' ').map((name) => [name, column])
}

export interface ImportReport {
  readonly created: number
  readonly updated: number
  readonly problems: readonly { readonly line: number; readonly problem: string }[]
}

const storedColumns = inventoryColumns.map((column) => (column === 'price' ? 'price_cents' : column))

interface OfferingRecord {
  readonly offering_id: string
  readonly price_cents: number
  readonly quantity: number
  readonly product_id: string | null
  readonly product_name: string | null
  readonly brand: string | null
  readonly container_size: string | null
  readonly merchant_sku: string | null
  readonly is_active: boolean
  readonly is_selling: boolean
  readonly stock_behavior: string | null
  readonly beverage_class: string | null
  readonly abv: number | null
  readonly volume_ml: number | null
  readonly gtin: string | null
  readonly location: string | null
}

const batchSize = 1_000
const textLimit = 200
const locationLimit = 40
const maxPrice = 1_000_000

/** Imports a stock list: stores good lines, reports bad ones, and keeps offerings that the list lacks. */
export async function importInventory(
  db: Database,
  { merchantKey, csv }: { merchantKey: string; csv: string },
): Promise<ImportReport> {
  const [known] = await db.systemQuery('select 1 from merchants where merchant_id = $1', [merchantKey])
  if (known === undefined)
    refuse('not_found', { errors: { merchant: `There is no merchant "${merchantKey}"` } })
  const { records, problems } = readRecords(csv)
  let created = 0
  for (let at = 0; at < records.length; at += batchSize)
    created += await db.system((statements) =>
      upsert(statements, merchantKey, records.slice(at, at + batchSize)),
    )
  return { created, updated: records.length - created, problems }
}

function rowsOf(csv: string): CsvRow[] {
  try {
    return parseCsv(csv)
  } catch (error) {
    if (error instanceof UnreadableCsv) refuse('validation_failed', { errors: { file: error.message } })
    throw error
  }
}

function readRecords(csv: string) {
  const [header, ...rows] = rowsOf(csv)
  const names = readHeader(header?.cells ?? [])
  const records: OfferingRecord[] = []
  const problems: { line: number; problem: string }[] = []
  const lineOf = new Map<string, number>()
  for (const { line, cells } of rows) {
    const record = toRecord((column) => cells[names.indexOf(column)]?.trim() ?? '')
    const problem =
      typeof record === 'string'
        ? record
        : cells.length > names.length
          ? 'Has too many cells'
          : swallowed(cells)
    if (problem !== undefined || typeof record === 'string') {
      problems.push({ line, problem: problem ?? '' })
      continue
    }
    const earlier = lineOf.get(record.offering_id)
    if (earlier === undefined) {
      lineOf.set(record.offering_id, line)
      records.push(record)
    } else
      problems.push({ line, problem: `offering_id ${record.offering_id} stands on line ${earlier} already` })
  }
  return { records, problems }
}

/**
 * A quote that nobody closed ends at the next one, of inches perhaps, and the lines between would be gone without a
 * word. So a cell of several lines may not hold as many commas as a line of the file has.
 */
function swallowed(cells: readonly string[]): string | undefined {
  const commas = (cell: string) => cell.split(',').length - 1
  const isSwallowing = cells.some((cell) => /[\r\n]/.test(cell) && commas(cell) >= cells.length - 1)
  return isSwallowing
    ? 'One cell holds whole lines of the file, which are not taken either. Is a quote (") not closed?'
    : undefined
}

/** The columns of the first line, each under our own name. */
function readHeader(cells: readonly string[]): string[] {
  const given = cells.map((name) => name.trim().toLowerCase())
  const names = given.map((name) => spellings.get(name.replaceAll(/[^a-z0-9]/g, '')) ?? name)
  const known: readonly string[] = inventoryColumns
  const unknown = names.filter((name) => !known.includes(name))
  const missing = neededColumns.filter((name) => !names.includes(name))
  const twice = known.filter((column) => names.filter((name) => name === column).length > 1)
  if (unknown.length > 0 || missing.length > 0 || twice.length > 0) {
    refuse('validation_failed', {
      errors: {
        'first line': [
          ...missing.map((name) => `the column ${name} is missing`),
          ...unknown.map((name) => `there is no column "${name.slice(0, 40)}"`),
          ...twice.map((name) => `the column ${name} is there more than once`),
          `it names the columns, of: ${inventoryColumns.join(', ')}`,
        ].join('; '),
      },
    })
  }
  return names
}

/** The line as a record, or the reason why it is bad. */
function toRecord(cell: (column: Column) => string): OfferingRecord | string {
  const tooLong = inventoryColumns.find(
    (column) => cell(column).length > textLimit || cell(column).includes('\0'),
  )
  if (tooLong !== undefined) return `${tooLong} is longer than ${textLimit} characters or not text`
  const id = cell('offering_id')
  if (!/^[!-~]{1,64}$/.test(id)) return 'offering_id must have 1 to 64 visible characters'
  const price = readPrice(cell('price'))
  if (price === undefined || !isWholeCents(price) || price > maxPrice)
    return 'price must be dollars with at most two decimals'
  const quantity = Number(cell('quantity'))
  if (!/^-?\d{1,9}$/.test(cell('quantity'))) return 'quantity must be a whole number'
  const isActive = readFlag(cell('is_active'))
  const isSelling = readFlag(cell('is_selling'))
  if (isActive === undefined || isSelling === undefined) return 'is_active and is_selling must be yes or no'
  const facts = readFacts(cell)
  if (typeof facts === 'string') return facts
  const place = readPlace(cell)
  if (typeof place === 'string') return place
  const optional = (column: Column) => (cell(column) === '' ? null : cell(column))
  return {
    offering_id: id,
    price_cents: toCents(price),
    quantity,
    product_id: optional('product_id'),
    product_name: optional('product_name'),
    brand: optional('brand'),
    container_size: optional('container_size'),
    merchant_sku: optional('merchant_sku'),
    is_active: isActive,
    is_selling: isSelling,
    stock_behavior: optional('stock_behavior'),
    ...facts,
    ...place,
  }
}

/** What a clerk with the bottle in the hand needs: its barcode and its shelf. */
function readPlace(cell: (column: Column) => string): Pick<OfferingRecord, 'gtin' | 'location'> | string {
  const gtin = cell('gtin') === '' ? null : readGtin(cell('gtin'))
  if (gtin === undefined)
    return /e\+?\d/i.test(cell('gtin'))
      ? `gtin "${cell('gtin').slice(0, 20)}" was shortened by a spreadsheet; make the column text, then export again`
      : 'gtin must be the 8 to 14 digits of a UPC, EAN or GTIN with a right check digit'
  if (cell('location').length > locationLimit) return `location is longer than ${locationLimit} characters`
  return { gtin, location: cell('location') || null }
}

/** What the rules of law ask of a bottle. */
function readFacts(
  cell: (column: Column) => string,
): Pick<OfferingRecord, 'beverage_class' | 'abv' | 'volume_ml'> | string {
  const beverageClass = cell('beverage_class').toLowerCase()
  if (beverageClass !== '' && !(beverageClasses as readonly string[]).includes(beverageClass))
    return `beverage_class must be one of ${beverageClasses.join(', ')}`
  const abv = readNumber(cell('abv').replace(/ ?%$/, ''))
  if (abv !== null && !(abv >= 0 && abv <= 100)) return 'abv must be per cent, from 0 to 100'
  const volume = readNumber(cell('volume_ml'))
  if (volume !== null && !(volume > 0 && volume <= 1_000_000)) return 'volume_ml must be millilitres above 0'
  return { beverage_class: beverageClass || null, abv, volume_ml: volume }
}

/** Digits alone: a lone "$" is no price of nothing, and "1e3" no price at all. */
function readPrice(text: string): number | undefined {
  const digits = text.replace(/^\$ ?/, '')
  return /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(digits) ? Number(digits) : undefined
}

/** Null for nothing, NaN for a text that is no number. */
function readNumber(text: string): number | null {
  if (text === '') return null
  return /^\d{1,7}(?:\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN
}

function readFlag(text: string): boolean | undefined {
  if (text === '' || /^(yes|true|1)$/i.test(text)) return true
  return /^(no|false|0)$/i.test(text) ? false : undefined
}

async function upsert(
  statements: Statements,
  merchantKey: string,
  records: OfferingRecord[],
): Promise<number> {
  await requireOpen(statements, merchantKey)
  const rows = await statements.query<{ is_new: boolean }>(
    `insert into offerings as o (merchant_id, ${storedColumns.join(', ')})
     select $1, ${storedColumns.map((column) => `r.${column}`).join(', ')}
     from json_to_recordset($2::json) as r (offering_id text, price_cents bigint, quantity integer, product_id text,
       product_name text, brand text, container_size text, merchant_sku text, is_active boolean, is_selling boolean, stock_behavior text,
       beverage_class text, abv double precision, volume_ml double precision, gtin text, location text)
     order by r.offering_id
     on conflict (merchant_id, offering_id) do update set
       ${storedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}, updated_at = now(),
       down_at = null, down_by = null, down_order_id = null
     returning xmax = 0 as is_new`,
    [merchantKey, JSON.stringify(records)],
  )
  return rows.filter((row) => row.is_new).length
}
