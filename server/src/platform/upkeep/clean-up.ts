import type { Database } from '../db/database.ts'
import { sweptAtOnce, type Sweep, type Upkeep } from './upkeep.ts'

/** Deletes expired rows and returns the number for each table. Several processes may run it at once. */
export async function cleanUp(
  db: Database,
  upkeep: readonly Upkeep[],
  isStopping: () => boolean = () => false,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  for (const sweep of upkeep.flatMap(({ sweeps = [] }) => sweeps)) {
    let sum = 0
    for (let count = sweptAtOnce; count === sweptAtOnce && !isStopping();) {
      count = (await db.systemQuery(statementOf(sweep))).length
      sum += count
    }
    deleted[sweep.table] = (deleted[sweep.table] ?? 0) + sum
  }
  return deleted
}

function statementOf({ table, key, which }: Sweep): string {
  return `delete from ${table} where (${key}) in (
    select ${key} from ${table} where ${which} limit ${sweptAtOnce} for update skip locked
  ) returning 1`
}
