import type { Database } from '../db/database.ts'
import { createSealer, type Sealer, type Secrets } from '../sealed-text.ts'
import type { SealedColumn, Upkeep } from './upkeep.ts'

export interface Rotated {
  readonly table: string
  readonly sealedAnew: number
  readonly fresh: number
  /** No key, new or old, opens them. */
  readonly lost: number
}

const batchSize = 500

/** Seals everything with the newest secret. A row that changes meanwhile is sealed with it already, and stays. */
export async function rotateKey(
  db: Database,
  secrets: Secrets,
  upkeep: readonly Upkeep[],
): Promise<readonly Rotated[]> {
  const results: Rotated[] = []
  for (const column of upkeep.flatMap(({ sealedColumns = [] }) => sealedColumns))
    results.push(await rotateColumn(db, secrets, column))
  return results
}

type SealedRow = Record<string, unknown> & { readonly sealed: string }

async function rotateColumn(db: Database, secrets: Secrets, sealedColumn: SealedColumn): Promise<Rotated> {
  const { table, keys, column, purpose } = sealedColumn
  const sealer = createSealer(secrets, purpose)
  const counts = { table, sealedAnew: 0, fresh: 0, lost: 0 }
  const list = keys.join(', ')
  const holes = keys.map((_, index) => `$${index + 1}`).join(', ')
  for (let last: SealedRow | undefined; ;) {
    const rows: SealedRow[] = await db.systemQuery<SealedRow>(
      `select ${list}, ${column} as sealed from ${table}
       where ${column} is not null ${last === undefined ? '' : `and (${list}) > (${holes})`}
       order by ${list} limit ${batchSize}`,
      last === undefined ? [] : keys.map((key) => last?.[key]),
    )
    for (const row of rows) {
      const { outcome, text } = sealAnew(sealer, row.sealed)
      counts[outcome] += 1
      if (text !== undefined) await replace(db, sealedColumn, { row, text })
    }
    last = rows.at(-1)
    if (rows.length < batchSize) return counts
  }
}

async function replace(
  db: Database,
  { table, keys, column }: SealedColumn,
  { row, text }: { row: SealedRow; text: string },
): Promise<void> {
  const holes = keys.map((_, index) => `$${index + 3}`).join(', ')
  await db.systemQuery(
    `update ${table} set ${column} = $2 where ${column} = $1 and (${keys.join(', ')}) = (${holes})`,
    [row.sealed, text, ...keys.map((key) => row[key])],
  )
}

function sealAnew(
  sealer: Sealer,
  sealed: string,
): { outcome: 'sealedAnew' | 'fresh' | 'lost'; text?: string } {
  if (sealer.isFresh(sealed)) return { outcome: 'fresh' }
  try {
    return { outcome: 'sealedAnew', text: sealer.seal(sealer.open(sealed)) }
  } catch {
    return { outcome: 'lost' }
  }
}
