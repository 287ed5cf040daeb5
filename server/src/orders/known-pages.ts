import type { Database } from '#platform/db/database.ts'
import type { PageRow } from './page-rows.ts'

/** A page as it was at a sum of changes: as long as that sum stands, so do the rows (see `moveCount`). */
export interface KnownPage {
  readonly changes: number
  readonly rows: readonly PageRow[]
  /** What was last answered; good for the same summary until the second is over, since badges count minutes. */
  answer?: { readonly summary: string; readonly second: number; readonly bytes: Buffer }
}

/** Of some 150 kB each. */
const knownPagesPerDatabase = 150

const known = new WeakMap<Database, Map<string, KnownPage>>()

function pagesOf(db: Database): Map<string, KnownPage> {
  const pages = known.get(db) ?? new Map<string, KnownPage>()
  known.set(db, pages)
  return pages
}

export function findKnownPage(db: Database, key: string): KnownPage | undefined {
  return pagesOf(db).get(key)
}

/** The page that was asked for longest ago without a change since then makes room. */
export function keepPage(db: Database, key: string, page: KnownPage): void {
  const pages = pagesOf(db)
  pages.delete(key)
  if (pages.size >= knownPagesPerDatabase) pages.delete(pages.keys().next().value ?? '')
  pages.set(key, page)
}
