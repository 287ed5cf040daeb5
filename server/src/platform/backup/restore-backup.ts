import { createReadStream } from 'node:fs'
import { cp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { DatabaseAddress } from '../db/database.ts'
import { listMigrations, migrate } from '../db/migrate.ts'
import { BackupError, readBackup, tableFile, type Manifest } from './manifest.ts'
import { clientOf, listTables } from './write-backup.ts'

export interface RestoreRequest {
  readonly folder: string
  /** Where documents on disk go. */
  readonly documents: string
}

/** Fills an empty database, all or nothing, and then brings its schema up to date. */
export async function restoreBackup(
  address: DatabaseAddress,
  { folder, documents }: RestoreRequest,
): Promise<Manifest> {
  const manifest = await readBackup(folder)
  await requireKnownSchema(manifest)
  const client = clientOf(address, undefined)
  await client.connect()
  try {
    await requireEmpty(client, documents)
    await migrate(address, manifest.migrations.at(-1))
    await client.query('begin')
    await fillTables(client, folder, manifest)
    for (const { name, last_value: last } of manifest.sequences)
      if (last !== null)
        await client.query('select setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), last])
    if (manifest.files.some(({ path }) => path.startsWith('documents/')))
      await cp(join(folder, 'documents'), documents, { recursive: true })
    await client.query('commit')
  } finally {
    await client.end()
  }
  await migrate(address)
  return manifest
}

async function requireKnownSchema({ migrations }: Manifest): Promise<void> {
  const known = await listMigrations()
  const isKnown = migrations.every((name, place) => known[place] === name)
  if (!isKnown)
    throw new BackupError(
      `The backup was made by another version of Cellarhand (its schema ends at ${migrations.at(-1) ?? 'nothing'}). Please restore it with that version, and upgrade afterwards.`,
    )
}

async function requireEmpty(client: pg.Client, documents: string): Promise<void> {
  if ((await listTables(client)).length > 0)
    throw new BackupError(
      'The database is not empty. Please name a new one in DATABASE_URL, or another DATA_DIR.',
    )
  const isUsed =
    (await stat(documents).catch(() => undefined)) !== undefined && (await readdir(documents)).length > 0
  if (isUsed)
    throw new BackupError(`There are documents in ${documents} already. Please name another DATA_DIR.`)
}

/** COPY cannot write through row-level security, so its being forced on the owner is lifted inside this transaction. */
async function fillTables(client: pg.Client, folder: string, { tables }: Manifest): Promise<void> {
  const names = tables.map(({ name }) => pg.escapeIdentifier(name))
  const { rows: forced } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = current_schema()::regnamespace and relforcerowsecurity`,
  )
  for (const { name } of forced) await client.query(`alter table ${name} no force row level security`)
  // What the migrations wrote themselves is in the backup too.
  await client.query(`truncate ${names.join(', ')}`)
  for (const { name, columns, rows } of tables) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const copy = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin`))
    await pipeline(createReadStream(join(folder, tableFile(name))), createGunzip(), copy)
    if (copy.rowCount !== rows) throw new Error(`${name}: ${copy.rowCount} rows of ${rows} arrived`)
  }
  for (const { name } of forced) await client.query(`alter table ${name} force row level security`)
}
