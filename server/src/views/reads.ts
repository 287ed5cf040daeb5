import { hasPermission } from '@cellarhand/contract/permissions'
import type { SavedView, SavedViews, ViewSearch } from '@cellarhand/contract/views'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'

export interface ViewRow {
  readonly view_id: string
  readonly maker_id: string
  readonly maker: string
  readonly name: string
  readonly search: string | ViewSearch
  readonly is_shared: boolean
}

/** A shared view is everybody's: managers and owners keep its list in order. */
export function mayChange(
  { maker_id: by, is_shared: isShared }: Pick<ViewRow, 'maker_id' | 'is_shared'>,
  caller: Staff,
): boolean {
  return by === caller.userId || (isShared && hasPermission(caller.roles, 'company.edit'))
}

/** The rows that the person sees: at most twice `viewsAtMost`, which the commands keep to. */
export async function visibleRows({ query }: Statements, { merchantId, userId }: Staff): Promise<ViewRow[]> {
  return query<ViewRow>(
    `select view_id, maker_id, maker, name, search::text as search, is_shared from saved_views
     where merchant_id = $1 and (is_shared or maker_id = $2) order by lower(name), view_id`,
    [merchantId, userId],
  )
}

export async function listViews(statements: Statements, caller: Staff): Promise<SavedViews> {
  const rows = await visibleRows(statements, caller)
  return { views: rows.map((row) => toView(row, caller)) }
}

function toView(row: ViewRow, caller: Staff): SavedView {
  return {
    id: row.view_id,
    name: row.name,
    search: typeof row.search === 'string' ? (JSON.parse(row.search) as ViewSearch) : row.search,
    is_shared: row.is_shared,
    maker: row.maker,
    can_change: mayChange(row, caller),
  }
}
