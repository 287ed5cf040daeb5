import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import { mayChange, visibleRows } from '../reads.ts'
import { lockViews } from './save-view.ts'

/** A view that is gone already is no failure: that is the state which the person asked for. */
export async function removeView(statements: Statements, caller: Staff, view: string): Promise<void> {
  await lockViews(statements, caller.merchantId)
  const row = (await visibleRows(statements, caller)).find(({ view_id: id }) => id === view)
  if (row === undefined) return
  if (!mayChange(row, caller)) refuse('view_of_another')
  await statements.query('delete from saved_views where merchant_id = $1 and view_id = $2', [
    caller.merchantId,
    view,
  ])
}
