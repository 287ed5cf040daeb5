import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { mayChange, visibleRows } from '../reads.ts'
import { findNamed, lockViews } from './save-view.ts'

export async function renameView(
  statements: Statements,
  caller: Staff,
  { view, name }: { view: string; name: string },
): Promise<void> {
  await lockViews(statements, caller.merchantId)
  const rows = await visibleRows(statements, caller)
  const row = rows.find(({ view_id: id }) => id === view)
  if (row === undefined) return refuse('not_found')
  if (!mayChange(row, caller)) refuse('view_of_another')
  const others = rows.filter((other) => other !== row)
  if (findNamed(others, { ...row, name }) !== undefined) refuse('view_name_taken')
  await statements.query('update saved_views set name = $3 where merchant_id = $1 and view_id = $2', [
    caller.merchantId,
    view,
    name.trim(),
  ])
}
