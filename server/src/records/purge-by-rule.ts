import { keepingOf, type DutyOrder } from '@cellarhand/contract/duties-of'
import { findDutyBook, type DutyBook } from '#duties/public.ts'
import { dayIn } from '#platform/clock/zoned-time.ts'
import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import type { Purge, Upkeep } from '#platform/upkeep/upkeep.ts'

/** What went, or would go, by name: never what it held. */
export interface Purged {
  readonly merchantId: string
  readonly kind: string
  readonly orderId: string
  readonly recordedAt: string
  readonly rule: string
}

interface PurgeOptions {
  /** Names what would go, and removes nothing. */
  readonly isDryRun?: boolean
  readonly onPurge: (purged: Purged) => void
  readonly isStopping?: () => boolean
}

const rowsAtOnce = 200
const dayMs = 86_400_000

interface Row {
  readonly merchant_id: string
  readonly order_id: string
  readonly at: Date
  /** The same moment to the microsecond: JavaScript's has milliseconds. */
  readonly exact_at: string
  readonly parts: string | null
  readonly document: string
}

/**
 * Removes records that a rule wants gone, once no other rule keeps them. A rule that keeps for some years has them
 * removed afterwards. Several processes may do it at once: each row is removed, and named, by one of them.
 */
export async function purgeByRule(
  db: Database,
  upkeep: readonly Upkeep[],
  { isDryRun = false, onPurge, isStopping = () => false }: PurgeOptions,
): Promise<number> {
  let count = 0
  const books = new Map<string, DutyBook | undefined>()
  for (const purge of upkeep.flatMap(({ purges = [] }) => purges))
    for await (const row of rowsOf(db, purge, isStopping)) {
      const { merchant_id: merchantId, order_id: orderId } = row
      if (!books.has(merchantId))
        books.set(merchantId, await db.system((statements) => findDutyBook(statements, merchantId)))
      const rule = dueBy(row, purge, { book: books.get(merchantId), nowMs: db.clock.nowMs() })
      const kind = row.parts ? `${purge.kind} (${row.parts})` : purge.kind
      if (rule === undefined || !(isDryRun || (await remove(db, purge, { row, kind, rule })))) continue
      count += 1
      onPurge({ merchantId, kind, orderId, recordedAt: row.at.toISOString(), rule })
    }
  return count
}

async function* rowsOf(db: Database, purge: Purge, isStopping: () => boolean): AsyncGenerator<Row> {
  for (let after: Row | undefined; !isStopping();) {
    const rows = await readPage(db, purge, after)
    yield* rows
    after = rows.at(-1)
    if (after === undefined) return
  }
}

async function readPage(db: Database, { table, at, parts }: Purge, after: Row | undefined): Promise<Row[]> {
  return db.systemQuery<Row>(
    `select p.merchant_id, p.order_id, p.${at} as at, p.${at}::text as exact_at, ${parts ?? 'null'} as parts, o.document
     from ${table} p join orders o using (merchant_id, order_id)
     where (p.${at}, p.merchant_id, p.order_id) > ($1, $2, $3) and ${isOpen('p.merchant_id')}
     order by p.${at}, p.merchant_id, p.order_id limit ${rowsAtOnce}`,
    [after?.exact_at ?? '-infinity', after?.merchant_id ?? '', after?.order_id ?? ''],
  )
}

/** The rule by which the record goes now; undefined while it stays. */
function dueBy(
  { document, at }: Row,
  { of: records }: Purge,
  { book, nowMs }: { book: DutyBook | undefined; nowMs: number },
): string | undefined {
  if (book === undefined) return undefined
  const facts = { shop: book, rules: book.rules, at: { day: dayIn(nowMs, book.timezone) } }
  const { keep, purge } = keepingOf(JSON.parse(document) as DutyOrder, facts, records)
  if (keep !== undefined && nowMs < yearsAfter(at, keep.years)) return undefined
  if (purge !== undefined && nowMs < at.getTime() + purge.afterDays * dayMs) return undefined
  return (purge ?? keep)?.rule
}

/** Half a year counts as six months. */
function yearsAfter(at: Date, years: number): number {
  const end = new Date(at)
  end.setUTCMonth(end.getUTCMonth() + Math.ceil(years * 12))
  return end.getTime()
}

/** False if another process was faster. */
async function remove(
  db: Database,
  { table, at }: Purge,
  { row, kind, rule }: { row: Row; kind: string; rule: string },
): Promise<boolean> {
  const rows = await db.systemQuery(
    `with gone as (
       delete from ${table} where merchant_id = $1 and order_id = $2 and ${at} = $3 returning merchant_id, order_id, ${at} as at
     )
     insert into purged (merchant_id, kind, order_id, recorded_at, rule_id)
     select merchant_id, $4, order_id, at, $5 from gone returning 1`,
    [row.merchant_id, row.order_id, row.exact_at, kind, rule],
  )
  return rows.length > 0
}
