import { randomUUID } from 'node:crypto'
import { viewsAtMost, type ViewSearch } from '@cellarhand/contract/views'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { mayChange, visibleRows } from '../reads.ts'

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

/** The same name to a reader: without regard to capitals and spaces around it. */
export function sameName(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize('NFKC').trim().toLowerCase()
  return plain(one) === plain(other)
}

export async function saveView(
  statements: Statements,
  caller: Staff,
  { name, search, is_shared: isShared, replaces = false }: NewView,
): Promise<void> {
  const { merchantId, userId } = caller
  await lockViews(statements, merchantId)
  const rows = await visibleRows(statements, caller)
  const same = rows.find((row) => sameName(row.name, name))
  if (same !== undefined && !replaces) refuse('view_name_taken')
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
