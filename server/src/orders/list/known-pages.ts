import type { Database } from '#platform/db/database.ts'
import type { PageRow } from './page-rows.ts'

/** A page at a given sum of changes; its rows are valid as long as that sum (see `moveCounts`). */
export interface KnownPage {
  readonly changes: number
  readonly rows: readonly PageRow[]
  /** The last answer; valid for the same summary until its second ends, because badges count minutes. */
  answer?: { readonly summary: string; readonly second: number; readonly bytes: Buffer }
}

interface Known {
  readonly pages: Map<string, KnownPage>
  readonly askedOnce: Set<string>
}

/** Of some 150 kB each: enough for every filter and sort of a busy merchant's tabs. */
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
 * Keeps a page from its second request on, because most pages that somebody scrolls through are requested once. The
 * page whose last request is the oldest makes room.
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
