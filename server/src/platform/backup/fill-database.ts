import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { beginMigrated } from '../db/migrate.ts'
import { restoreMark } from '../db/restore-mark.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { goOnElsewhere } from './go-on-elsewhere.ts'
import { tableFile, type Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'

export interface Filling {
  readonly folder: string
  readonly manifest: Manifest
  readonly progress: Progress
  readonly upkeep: readonly Upkeep[] | undefined
}

/**
 * One transaction from the first table to the end of the mark. On any failure or kill, the database stays as it was
 * and keeps the mark. The returned function commits.
 */
export async function fillDatabase(
  client: pg.Client,
  { folder, manifest, progress, upkeep }: Filling,
): Promise<() => Promise<void>> {
  const transaction = await beginMigrated(client)
  await client.query(`set local maintenance_work_mem = '128MB'`)
  await transaction.migrate(manifest.migrations.at(-1))
  const forced = await namesOf(
    client,
    'select quote_ident(relname) as name from pg_class where relnamespace = current_schema()::regnamespace and relforcerowsecurity',
  )
  // COPY cannot write through row-level security that is forced on the owner.
  for (const name of forced) await client.query(`alter table ${name} no force row level security`)
  const later = await takeOff(client)
  progress.begin('Copying the rows')
  await copyRows(client, { folder, manifest, progress })
  progress.begin('Building the indexes')
  for (const [place, { definition, what }] of later.entries()) {
    progress.note(`${place + 1} of ${later.length} (${what})`)
    await client.query(definition)
  }
  for (const name of forced) await client.query(`alter table ${name} force row level security`)
  for (const { name, last_value: last } of manifest.sequences)
    if (last !== null)
      await client.query('select setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), last])
  progress.begin('Bringing the schema up to date')
  await transaction.migrate()
  if (upkeep !== undefined) await goOnElsewhere(client, manifest, upkeep)
  await client.query('analyze')
  return async () => {
    await client.query(`drop table ${restoreMark}`)
    await transaction.commit()
  }
}

async function namesOf(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text)
  return rows.map(({ name }) => name)
}

interface Later {
  readonly what: string
  /** The statement that creates it again. */
  readonly definition: string
}

/** Building an index over all rows at once costs a fraction of building it row by row; so does checking references. */
async function takeOff(client: pg.Client): Promise<Later[]> {
  const { rows: indexes } = await client.query<Later & { drop: string }>(
    `select 'index ' || c.relname as what, pg_get_indexdef(i.indexrelid) as definition,
       format('drop index %I', c.relname) as drop
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and t.relname not like 'kysely%'
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
  )
  const { rows: references } = await client.query<Later & { drop: string }>(
    `select 'reference ' || k.conname as what,
       format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as definition,
       format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop
     from pg_constraint k join pg_class t on t.oid = k.conrelid
     where t.relnamespace = current_schema()::regnamespace and k.contype = 'f'`,
  )
  for (const { drop } of [...references, ...indexes]) await client.query(drop)
  return [...indexes, ...references]
}

async function copyRows(
  client: pg.Client,
  { folder, manifest, progress }: Omit<Filling, 'upkeep'>,
): Promise<void> {
  const { tables } = manifest
  const names = tables.map(({ name }) => pg.escapeIdentifier(name))
  // The backup also holds the rows that the migrations inserted.
  await client.query(`truncate ${names.join(', ')}`)
  const divided = await namesOf(
    client,
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'p'`,
  )
  for (const { name, columns, rows } of tables) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    // Rows can be frozen in a table of this transaction, and not in one that consists of parts.
    const how = divided.includes(name) ? '' : ' with (freeze)'
    const copy = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin${how}`))
    const file = createReadStream(join(folder, tableFile(name)))
    await pipeline(file, progress.counting(name), createGunzip(), copy)
    if (copy.rowCount !== rows) throw new Error(`${name}: ${copy.rowCount} rows of ${rows} arrived`)
  }
}
