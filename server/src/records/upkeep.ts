import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { partName } from './inspector-job.ts'

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
}
