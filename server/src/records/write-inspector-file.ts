import type { Closing } from '@cellarhand/contract/duties'
import { byteOrderMark, csvLine } from '@cellarhand/contract/order-csv'
import type { Database } from '#platform/db/database.ts'
import { dayIn } from '#platform/clock/zoned-time.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import { refuse } from '#platform/http/refuse.ts'
import { addressLinesOf, type Press } from '#documents/public.ts'
import type { StoredOrder } from '#orders/public.ts'
import { salesHead } from './sales/csv.ts'
import { emptySums, inspectionReport, listedAtMost, type Listed, type Shop } from './inspection-report.ts'
import { createMonths, type Months } from './sales/months.ts'
import { contains, periodOf, type Period } from './sales/period.ts'
import {
  fieldsHead,
  keepAllRecords,
  keepOverride,
  overrideHead,
  proofHead,
  refusalHead,
  type Records,
} from './keep-records.ts'
import { readEarlierOrders, type ReadOrder } from './read-orders.ts'
import { readRuleHistory, rulesInForce, type DecidedAt, type RuleSpan } from './rules-in-force.ts'
import type { FoundPage, SalesSource } from './sales-source.ts'
import type { FoundSales } from './sales/sales-page.ts'
import { createSpool, type Spool } from './spool.ts'
import { createZip, type Sink } from './zip.ts'

interface Asked {
  readonly merchantId: string
  readonly from: string
  readonly to: string
}

export interface InspectorDeps {
  readonly db: Database
  readonly press: Press
  readonly source: Pick<SalesSource, 'pages'>
  readonly sink: Sink
  /** Opens what a rule made the shop record of IDs: the file is for owners alone. */
  readonly checkFields: Pick<Sealer, 'open'>
  /** Called after each page of orders. */
  readonly onProgress: (soFar: Progress) => Promise<void> | void
}

export interface Progress {
  readonly sales: number
  /** The shop's day of the newest order read, YYYY-MM-DD. */
  readonly upTo: string
}

/** The bytes of some pages go into the archive together: packing many small pieces is slow. */
const pieceLength = 1_000_000

/** Everything that an inspector asks for, as one archive. Of the sales no more than a page is in memory at any time. */
export async function writeInspectorFile(
  { db, press, source, sink, checkFields, onProgress }: InspectorDeps,
  { merchantId, ...days }: Asked,
): Promise<{ sales: number }> {
  const { shop, history, settings, purged } = await readShop(db, merchantId)
  const period = periodOf(days, shop.timezone)
  const madeAt = new Date(db.clock.nowMs())
  const spans = rulesInForce(history.versions, history.decisions, period)
  const zip = createZip(sink, madeAt)
  const listed: Listed = { sales: [], unchecked: [], refusals: [], overrides: [], proofs: [] }
  const months = createMonths(shop.timezone)
  const spools = {
    refusals: createSpool(),
    overrides: createSpool(),
    proofs: createSpool(),
    fields: createSpool(),
  }
  const found = { sums: emptySums(), months, listed, checkFields, ...spools }
  for (const decision of history.decisions)
    if (contains(period, decision.atMs)) keepOverride(found, ofShop(decision))
  for (const decision of settings(period)) keepOverride(found, decision)
  let sales = 0
  const onSales = (count: number, atMs: number) => {
    sales = count
    return onProgress({ sales, upTo: dayIn(atMs, shop.timezone) })
  }
  const room = () => ({
    sales: listedAtMost - listed.sales.length,
    unchecked: listedAtMost - listed.unchecked.length,
  })
  const known = new Set<string>()
  await zip.add(
    'sales.csv',
    salesPieces(source.pages({ merchantId, period, room }), { ...found, known, onSales }),
  )
  const isKnown = (id: string) => known.has(id)
  for await (const page of readEarlierOrders(db, merchantId, { ...period, isKnown }))
    await keepAllRecords(found, page, { reliedOn: reliedOnOf(page) })
  await zip.add('refusals.csv', withHead(refusalHead, found.refusals))
  await zip.add('proofs.csv', withHead(proofHead, found.proofs))
  await zip.add('id-fields.csv', withHead(fieldsHead, found.fields))
  await zip.add('overrides.csv', withHead(overrideHead, found.overrides))
  await zip.add('rules.csv', oneByOne([byteOrderMark + csvLine(ruleHead), ...spans.map(ruleLine)]))
  await zip.add('purged.csv', oneByOne([byteOrderMark + csvLine(purgedHead), ...purged(period).map(csvLine)]))
  const report = inspectionReport({ shop, period, spans, madeAt, ...found })
  const paper = await press.ask<Uint8Array>(merchantId, { kind: 'report', report })
  await zip.add('inspection.pdf', oneByOne([paper]))
  await zip.end()
  return { sales }
}

interface ShopRow {
  readonly name: string
  readonly address: string
  readonly timezone: string
}

interface PurgedRow {
  readonly kind: string
  readonly order_id: string
  readonly recorded_at: Date
  readonly rule_id: string
  readonly purged_at: Date
}

interface ClosingRow {
  readonly was: Closing | null
  readonly closing: Closing
  readonly reason: string | null
  readonly decided_by: string | null
  readonly decided_at: Date
}

interface CourierCheckRow {
  readonly service: string
  readonly is_relied_on: boolean
  readonly reason: string
  readonly decided_by: string
  readonly decided_at: Date
}

async function readShop(db: Database, merchantId: string) {
  return db.view(merchantId, async (statements) => {
    const [[row], history, couriers, closings, purged] = await Promise.all([
      statements.query<ShopRow>('select name, address, timezone from merchants where merchant_id = $1', [
        merchantId,
      ]),
      readRuleHistory(statements, merchantId),
      statements.query<CourierCheckRow>(
        'select service, is_relied_on, reason, decided_by, decided_at from courier_checks where merchant_id = $1 order by decided_at, service',
        [merchantId],
      ),
      statements.query<ClosingRow>(
        'select was, closing, reason, decided_by, decided_at from closing_decisions where merchant_id = $1 order by decision_no',
        [merchantId],
      ),
      statements.query<PurgedRow>(
        'select kind, order_id, recorded_at, rule_id, purged_at from purged where merchant_id = $1 order by purge_no',
        [merchantId],
      ),
    ])
    if (row === undefined) return refuse('not_found')
    const address = JSON.parse(row.address) as Parameters<typeof addressLinesOf>[0]
    const shop: Shop = { name: row.name, addressLines: addressLinesOf(address), timezone: row.timezone }
    const ofSettings = (period: Period) => [
      ...couriers.filter(({ decided_at: at }) => contains(period, at.getTime())).map(courierRow),
      ...closings.filter(({ decided_at: at }) => contains(period, at.getTime())).map(closingRow),
    ]
    const within = (period: Period) =>
      purged
        .filter(({ purged_at: at }) => contains(period, at.getTime()))
        .map((each) => [
          each.purged_at.toISOString(),
          each.kind,
          each.order_id,
          each.recorded_at.toISOString(),
          each.rule_id,
        ])
    return { shop, history, settings: ofSettings, purged: within }
  })
}

interface Found extends Records {
  readonly months: Months
}

interface Selling extends Found {
  /** The orders with records. */
  readonly known: Set<string>
  readonly onSales: (count: number, atMs: number) => Promise<void> | void
}

async function* salesPieces(
  pages: AsyncIterable<FoundPage>,
  { known, onSales, ...found }: Selling,
): AsyncGenerator<Uint8Array> {
  const { months, listed } = found
  let pieces: Uint8Array[] = [Buffer.from(byteOrderMark + salesHead)]
  let [length, sales] = [0, 0]
  for await (const page of pages) {
    const { count, lines, listed: more, ...sold } = page.found
    months.add(sold.months)
    for (const kind of ['sales', 'unchecked'] as const)
      listed[kind].push(...more[kind].slice(0, listedAtMost - listed[kind].length))
    await keepAllRecords(found, page.records, sold)
    for (const { id } of page.records) known.add(id)
    sales += count
    length += lines.length
    pieces.push(lines)
    if (length > pieceLength) {
      yield Buffer.concat(pieces)
      pieces = []
      length = 0
    }
    if (page.upToMs !== undefined) await onSales(sales, page.upToMs)
  }
  yield Buffer.concat(pieces)
}

/** Of orders that are no sales of the period. */
function reliedOnOf(page: readonly ReadOrder[]): FoundSales['reliedOn'] {
  const found = page.map(({ id, proofs, document }) => {
    const { duties } = proofs.length === 0 ? {} : (JSON.parse(document) as Pick<StoredOrder, 'duties'>)
    return [id, duties?.relied_on] as const
  })
  return new Map(found.flatMap(([id, relied]) => (relied === undefined ? [] : [[id, relied] as const])))
}

const whatOf = { confirmed: 'rule confirmed', changed: 'rule changed', set_aside: 'rule set aside' } as const

function ofShop({ atMs, decision, ruleId, by, reason, applies, value }: DecidedAt): string[] {
  const change = [...(applies === null ? [] : [{ applies }]), ...(value === null ? [] : [{ value }])]
  const changed = change.length === 0 ? '' : JSON.stringify(Object.assign({}, ...change))
  return [new Date(atMs).toISOString(), whatOf[decision], ruleId, '', by, reason ?? '', changed]
}

function courierRow({ service, is_relied_on: isRelied, reason, ...decided }: CourierCheckRow): string[] {
  const what = isRelied ? 'courier’s ID check relied on' : 'courier’s ID check no longer relied on'
  return [decided.decided_at.toISOString(), what, service, '', decided.decided_by, reason, '']
}

const closingWords: Record<Closing, string> = {
  recorded: 'allowed and recorded as missing',
  enforced_on_dashboard: 'refused on the dashboard alone',
  enforced: 'refused',
}

function closingRow({ was, closing, reason, ...decided }: ClosingRow): string[] {
  const change = `${was === null ? 'was never decided on record' : closingWords[was]} -> ${closingWords[closing]}`
  const by = decided.decided_by ?? ''
  return [decided.decided_at.toISOString(), 'closing without an ID check', '', '', by, reason ?? '', change]
}

const purgedHead = ['Purged at', 'What', 'Order', 'Recorded at', 'Rule']
const ruleHead = [
  'Rule',
  'From',
  'Until',
  'Stood',
  'Kind',
  'State',
  'Applies to',
  'Value',
  'Words',
  'Source',
  'Read on',
  'Decided by',
  'Decided at',
  'Reason',
]

function ruleLine({ rule, fromMs, endMs, stood, decision }: RuleSpan): string {
  return csvLine([
    rule.id,
    new Date(fromMs).toISOString(),
    new Date(endMs).toISOString(),
    stood,
    rule.kind,
    rule.state ?? 'every state',
    JSON.stringify(rule.applies),
    JSON.stringify(rule.value),
    rule.words,
    rule.source,
    rule.read_on,
    decision?.by,
    decision === undefined ? '' : new Date(decision.atMs).toISOString(),
    decision?.reason,
  ])
}

async function* withHead(head: readonly string[], spool: Spool): AsyncGenerator<Uint8Array> {
  yield Buffer.from(byteOrderMark + csvLine(head))
  yield* spool.pieces()
}

async function* oneByOne(pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
