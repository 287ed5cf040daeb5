import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { partName } from './inspector-job.ts'

const endedByRestore = 'The desk was restored from a backup before this was finished. Please try again.'

export const recordsUpkeep: Upkeep = {
  async filesOf({ query }, merchantId) {
    const rows = await query<{ parts_name: string; parts: number }>(
      'select parts_name, parts from inspector_files where merchant_id = $1 and parts_name is not null',
      [merchantId],
    )
    return rows.flatMap((row) =>
      Array.from({ length: row.parts }, (_, index) => partName(row.parts_name, index)),
    )
  },
  /** A restore ends all jobs. A file that is never done would count for ever among those that a shop may have made. */
  async afterRestore({ query }) {
    await query('update inspector_files set finished_at = now(), problem = $1 where finished_at is null', [
      endedByRestore,
    ])
  },
}
