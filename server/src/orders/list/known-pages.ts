import type { PageRow } from './page-rows.ts'

/** A page at a given sum of changes; its rows are valid as long as that sum (see `moveCounts`). */
export interface KnownPage {
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

/** Rows and answers together: a hundred pages of fifty orders, which is every filter and sort of a busy merchant. */
const mostBytes = 24 * 2 ** 20
const mostAskedOnce = 1_000

export function createKnownPages(limit: number = mostBytes): KnownPages {
  const pages = new Map<string, KnownPage>()
  const askedOnce = new Set<string>()
  let held = 0
  function letGo(key: string): boolean {
    const page = pages.get(key)
    if (page === undefined) return false
    held -= sizeOf(page)
    return pages.delete(key)
  }
  return {
    find: (key) => pages.get(key),
    keep(key, page) {
      if (!letGo(key) && !askedOnce.delete(key)) {
        if (askedOnce.size >= mostAskedOnce) askedOnce.delete(askedOnce.values().next().value ?? '')
        askedOnce.add(key)
        return
      }
      pages.set(key, page)
      held += sizeOf(page)
      for (const oldest of pages.keys()) {
        if (held <= limit) break
        letGo(oldest)
      }
    },
  }
}

function sizeOf({ rows, answer }: KnownPage): number {
  return rows.reduce((sum, row) => sum + row.document.length, answer?.bytes.length ?? 0)
}
