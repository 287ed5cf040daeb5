import type { Database } from '#platform/db/database.ts'
import { scopeWithChanges, summaryAsJson } from './order-counts.ts'

export const defaultLimit = 30
/** As the contract has it. */
export const mostPerPage = 100

export interface PageRow {
  readonly order_id: string
  readonly document: string
  readonly tab: string
  readonly delivery_method: string
  readonly submitted_ms: number
  readonly deadline_ms: number
  readonly taken: string | null
  /** For a search: how many hits were found, see `countHits`. */
  readonly known?: number
}

/** The page's rows. The first one brings the summary; an empty page has one row for it alone. */
interface PageAnswer extends PageRow {
  readonly place: number | null
  readonly summary: string | null
}

/** Moments as milliseconds: parsing sixty dates takes longer than the rest of a page. */
export const pageColumns = `order_id, document, tab, delivery_method, taken,
  (extract(epoch from submitted_at) * 1000)::bigint as submitted_ms, (extract(epoch from deadline_at) * 1000)::bigint as deadline_ms`

export interface Selection {
  /**
   * Of few different ones: each text becomes a prepared statement, and keeps some 150 kB in every connection for as
   * long as that lives. So nothing that a caller chooses freely stands in it.
   */
  readonly text: string
  /** From $2 on; $1 is the merchant. */
  readonly values: readonly unknown[]
  /** Whether the text finds the last of them first. */
  readonly isReversed?: boolean
  /** A search, or a page much longer or further down than screens ask for: it takes a processor many times as long. */
  readonly isLong?: boolean
}

const rungs = [1, defaultLimit, mostPerPage]

/** The number to write into a text, where the planner has to see how little is wanted: one of few, and no less. */
export function rungOf(limit: number): number {
  return rungs.find((rung) => limit <= rung) ?? mostPerPage
}

interface Page {
  readonly rows: readonly PageRow[]
  /** Undefined for a merchant that no longer exists. */
  readonly summary: string | undefined
}

/** Leaves the rows out if the sum of changes is still `unlessAt`. One statement reads rows and sum at one moment. */
export async function readPage(
  db: Database,
  merchantId: string,
  { selection, unlessAt }: { selection: Selection | undefined; unlessAt?: number | undefined },
): Promise<Page> {
  const page = selection?.text ?? `select ${pageColumns} from orders where false`
  const values = [...(selection?.values ?? []), unlessAt ?? -1]
  const look = selection?.isLong === true ? db.longLook<PageAnswer> : db.glance<PageAnswer>
  const answers = await look(
    merchantId,
    `select page.*, case when page.place is null or page.place = 1 then ${summaryAsJson} end as summary
     from ${scopeWithChanges} left join lateral (
       select row_number() over () as place, found.* from (${page}) found where state.changes <> $${values.length + 1}::bigint
     ) page on true`,
    values,
  )
  const rows = answers.filter((row) => row.place !== null)
  return {
    rows: selection?.isReversed === true ? rows.toReversed() : rows,
    summary: answers[0]?.summary ?? undefined,
  }
}
