import { randomUUID } from 'node:crypto'
import { viewsAtMost, type ViewSearch } from '@cellarhand/contract/views'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { mayChange, visibleRows, type ViewRow } from '../reads.ts'

interface NewView {
  readonly name: string
  readonly search: ViewSearch
  readonly is_shared: boolean
  readonly replaces?: boolean
}

/** Of two changes of a merchant's views, the second waits here until the first is committed. */
export async function lockViews({ query }: Statements, merchantId: string): Promise<void> {
  await query(
    `insert into saved_view_locks as l (merchant_id) values ($1)
     on conflict (merchant_id) do update set merchant_id = l.merchant_id`,
    [merchantId],
  )
}

/**
 * Of the visible rows the one with this name, to a reader: without regard to capitals and spaces around it. The team's
 * names and a person's own are apart: nobody can see which names a colleague's private views have.
 */
export function findNamed(
  rows: readonly ViewRow[],
  { name, is_shared: isShared }: Pick<ViewRow, 'name' | 'is_shared'>,
): ViewRow | undefined {
  const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase()
  return rows.find((row) => row.is_shared === isShared && plain(row.name) === plain(name))
}

/** Whose view has the name, so that a person who may replace it knows that before. */
function whoseName({ name, maker, maker_id: by, is_shared: isShared }: ViewRow, caller: Staff): string {
  if (!isShared) return `You have a private view “${name}” already.`
  const whom = by === caller.userId ? 'you' : maker
  return `The team has a view “${name}” already, shared by ${whom}.`
}

export async function saveView(
  statements: Statements,
  caller: Staff,
  { name, search, is_shared: isShared, replaces = false }: NewView,
): Promise<void> {
  const { merchantId, userId } = caller
  await lockViews(statements, merchantId)
  const rows = await visibleRows(statements, caller)
  const same = findNamed(rows, { name, is_shared: isShared })
  if (same !== undefined && !replaces) refuse('view_name_taken', { message: whoseName(same, caller) })
  if (same !== undefined && !mayChange(same, caller)) refuse('view_of_another')
  const others = rows.filter((row) => row !== same && row.is_shared === isShared)
  if (others.length >= viewsAtMost) refuse('too_many_views')
  if (same !== undefined)
    await statements.query('delete from saved_views where merchant_id = $1 and view_id = $2', [
      merchantId,
      same.view_id,
    ])
  await statements.query(
    `insert into saved_views (merchant_id, view_id, maker_id, maker, name, search, is_shared)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [merchantId, randomUUID(), userId, caller.name, name.trim(), JSON.stringify(search), isShared],
  )
}
