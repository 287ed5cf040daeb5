import type pg from 'pg'
import { listTables } from '../backup/write-backup.ts'
import { sqlState } from '../db/database-errors.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { MoveError } from './manifest.ts'

/** A table whose rows belong to merchants. */
export interface MerchantTable {
  readonly name: string
  /** Without the columns that the database numbers by itself: it numbers the rows anew where they arrive. */
  readonly columns: readonly string[]
  /** Leave the installation only under the transfer's key. */
  readonly secrets: readonly SecretColumn[]
  /** The condition for the rows of the merchant $1. */
  readonly which: string
  readonly order: string
}

interface SecretColumn {
  readonly column: string
  /** Of a sealed column: the purpose under which the cell seals it. */
  readonly purpose?: string
}

interface Facts {
  readonly name: string
  readonly has_merchant: boolean
  readonly numbered: string[]
  readonly key: string[]
  readonly refers: { readonly to: string; readonly columns: string[]; readonly theirs: string[] }[]
}

/** As the catalogue has them, so that no list has to be kept. */
const facts = `select c.relname as name,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped) as has_merchant,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped) as numbered,
    array(select a.attname::text from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
    coalesce((select json_agg(json_build_object('to', f.confrelid::regclass::text,
      'columns', array(select a.attname from unnest(f.conkey) with ordinality k (number, place)
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number order by k.place),
      'theirs', array(select a.attname from unnest(f.confkey) with ordinality k (number, place)
        join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number order by k.place)))
      from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'), '[]')::jsonb as refers
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`

/**
 * Every table with a `merchant_id`, and every table that refers to one; each after those that it refers to. A table that
 * is neither, and that no slice has named as the installation's own, stops the export: nothing is forgotten silently.
 */
export async function listMerchantTables(
  client: pg.Client,
  upkeep: readonly Upkeep[],
): Promise<MerchantTable[]> {
  const tables = await listTables(client)
  const { rows } = await client.query<Facts>(facts)
  const factsOf = new Map(rows.map((row) => [row.name, row]))
  const stays = new Set(upkeep.flatMap((part) => part.stays ?? []))
  const found = new Map<string, MerchantTable>()
  for (const { name, columns } of tables) {
    const known = factsOf.get(name)
    if (known === undefined || stays.has(name)) continue
    const which = known.has_merchant ? 'merchant_id = $1' : whichByReference(known, found)
    if (which === undefined)
      throw new MoveError(
        `The table ${name} has no merchant_id and refers to no table that has one. ` +
          'Name it under `stays` in the upkeep.ts of its slice if it belongs to the installation (CONTRIBUTING.md, Add a migration).',
      )
    found.set(name, {
      name,
      columns: columns.filter((column) => !known.numbered.includes(column)),
      secrets: secretsOf(name, upkeep),
      which,
      order: known.key.length === 0 ? 'true' : known.key.map((column) => `t."${column}"`).join(', '),
    })
  }
  return [...found.values()]
}

function whichByReference({ refers }: Facts, found: ReadonlyMap<string, MerchantTable>): string | undefined {
  for (const { to, columns, theirs } of refers) {
    const parent = found.get(to)
    if (parent !== undefined)
      return `(${columns.join(', ')}) in (select ${theirs.join(', ')} from ${to} where ${parent.which})`
  }
  return undefined
}

function secretsOf(name: string, upkeep: readonly Upkeep[]): SecretColumn[] {
  const sealed = upkeep.flatMap(({ sealedColumns = [] }) => sealedColumns)
  const others = upkeep.flatMap(({ secrets = [] }) => secrets)
  return [
    ...sealed.filter(({ table }) => table === name).map(({ column, purpose }) => ({ column, purpose })),
    ...others.filter(({ table }) => table === name).map(({ column }) => ({ column })),
  ]
}

/** The schema's migrations, in order. */
export async function listApplied(client: pg.Client): Promise<string[]> {
  // The roles of the application may not read the migrator's own table.
  await client.query('set local role none')
  try {
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
    await client.query('set local role cellarhand_system')
    return rows.map(({ name }) => name)
  } catch (error) {
    if (sqlState(error) !== '42501') throw error
    throw new MoveError('The login in DATABASE_URL may not read the list of migrations.', { cause: error })
  }
}
