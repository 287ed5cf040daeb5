import type { Database } from '#platform/db/database.ts'
import type { PageRow } from './page-rows.ts'

/** A page as it was at a sum of changes: as long as that sum stands, so do the rows (see `moveCounts`). */
export interface KnownPage {
  readonly changes: number
  readonly rows: readonly PageRow[]
  /** What was last answered; good for the same summary until the second is over, since badges count minutes. */
  answer?: { readonly summary: string; readonly second: number; readonly bytes: Buffer }
}

interface Known {
  readonly pages: Map<string, KnownPage>
  readonly askedOnce: Set<string>
}

/** Of some 150 kB each: every filter and order of a busy merchant's tabs. */
const knownPagesPerDatabase = 200
const askedOncePerDatabase = 1_000

const knownBy = new WeakMap<Database, Known>()

function knownOf(db: Database): Known {
  const known = knownBy.get(db) ?? { pages: new Map<string, KnownPage>(), askedOnce: new Set<string>() }
  knownBy.set(db, known)
  return known
}

export function findKnownPage(db: Database, key: string): KnownPage | undefined {
  return knownOf(db).pages.get(key)
}

/**
 * Keeps a page from the second time that it is asked for, since most pages of a list that somebody scrolls through are
 * asked for once. The page that was asked for longest ago without a change since then makes room.
 */
export function keepPage(db: Database, key: string, page: KnownPage): void {
  const { pages, askedOnce } = knownOf(db)
  const isKept = pages.delete(key) || askedOnce.delete(key)
  const kept = isKept ? pages : askedOnce
  if (kept.size >= (isKept ? knownPagesPerDatabase : askedOncePerDatabase))
    kept.delete(kept.keys().next().value ?? '')
  if (isKept) pages.set(key, page)
  else askedOnce.add(key)
}
