import type { PageRow } from './page-rows.ts'

/** A page at a given sum of changes; its rows are valid as long as that sum (see `moveCounts`). */
interface KnownPage {
  readonly changes: number
  readonly rows: readonly PageRow[]
  /** The last answer; valid for the same summary until its second ends, because badges count minutes. */
  answer?: { readonly summary: string; readonly second: number; readonly bytes: Buffer }
}

export interface KnownPages {
  find(key: string): KnownPage | undefined
  /**
   * Keeps a page from its second request on, because most pages that somebody scrolls through are requested once. The
   * page whose last request is the oldest makes room.
   */
  keep(key: string, page: KnownPage): void
}

/** Of some 150 kB each: enough for every filter and sort of a busy merchant's tabs. */
const mostPages = 200
const mostAskedOnce = 1_000

export function createKnownPages(): KnownPages {
  const pages = new Map<string, KnownPage>()
  const askedOnce = new Set<string>()
  return {
    find: (key) => pages.get(key),
    keep(key, page) {
      const isKept = pages.delete(key) || askedOnce.delete(key)
      const kept = isKept ? pages : askedOnce
      if (kept.size >= (isKept ? mostPages : mostAskedOnce)) kept.delete(kept.keys().next().value ?? '')
      if (isKept) pages.set(key, page)
      else askedOnce.add(key)
    },
  }
}
