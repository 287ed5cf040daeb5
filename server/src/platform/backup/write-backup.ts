import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { systemClock } from '../clock/system-clock.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { withPatientClient } from '../db/patient-client.ts'
import { sqlState } from '../db/database-errors.ts'
import { refuseHalfRestored, restoreMark } from '../db/restore-mark.ts'
import { writeFolder } from './write-folder.ts'
import { copyDocuments, filesBelow } from './documents.ts'
import {
  BackupError,
  digestOf,
  manifestName,
  tableFile,
  type Manifest,
  type TableBackup,
} from './manifest.ts'

/** PostgreSQL's code for a write to a database that takes none. */
const readOnly = '25006'

/** The schema's tables, without the migrator's own and the restore's mark. Each comes after those that it refers to. */
export async function listTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers_to: string[] }>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct f.confrelid::regclass::text from pg_constraint f
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely%'
       and c.relname <> '${restoreMark}'
     order by c.relname`,
  )
  const sorted: typeof rows = []
  while (sorted.length < rows.length) {
    const done = new Set(sorted.map(({ name }) => name))
    const next = rows.filter(
      ({ name, refers_to: needed }) => !done.has(name) && needed.every((each) => done.has(each)),
    )
    if (next.length === 0) throw new Error('tables refer to each other in a circle')
    sorted.push(...next)
  }
  return sorted.map(({ name, columns }) => ({ name, columns }))
}

async function copyTable(
  client: pg.Client,
  folder: string,
  { name, columns }: { name: string; columns: string[] },
): Promise<TableBackup> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const copy = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`))
  await pipeline(copy, createGzip(), createWriteStream(join(folder, tableFile(name)), { mode: 0o600 }))
  return { name, columns, rows: copy.rowCount }
}

async function copyDatabase(
  client: pg.Client,
  folder: string,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> {
  await client.query('begin isolation level repeatable read read only')
  const tables: TableBackup[] = []
  for (const table of await listTables(client)) tables.push(await copyTable(client, folder, table))
  // As the login: the role that sees every merchant's rows may not read these tables.
  await client.query('set local role none')
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  )
  // Sequences ignore transactions. Read last, they are never behind the rows.
  const { rows: sequences } = await client.query<{ name: string; last_value: string | null }>(
    'select sequencename as name, last_value::text from pg_sequences where schemaname = current_schema() order by 1',
  )
  await client.query('commit')
  return { migrations: migrations.map(({ name }) => name), tables, sequences }
}

/** For the age of the last backup in `/metrics`. A standby takes no note, and its backup is good all the same. */
export async function noteBackup(address: DatabaseAddress): Promise<void> {
  await withPatientClient(address, 'cellarhand_system', (client) =>
    client
      .query(
        'insert into last_backup (finished_at) values (now()) on conflict (is_only) do update set finished_at = now()',
      )
      .catch((error: unknown) => {
        if (sqlState(error) !== readOnly) throw error
      }),
  )
}

export interface BackupRequest {
  /** Must not exist yet. */
  readonly folder: string
  /** Documents on disk; copied if the folder exists. */
  readonly documents: string
}

const taken = (folder: string) => new BackupError(`${folder} is there already. Please name a new folder.`)

/** Writes all rows as of one moment, and the documents on disk, while the servers keep running. */
export async function writeBackup(
  address: DatabaseAddress,
  { folder, documents }: BackupRequest,
): Promise<Manifest> {
  return writeFolder(folder, taken, async (draft) => {
    await mkdir(join(draft, 'tables'), { mode: 0o700 })
    const { madeAt, ...database } = await withPatientClient(address, 'cellarhand_system', async (client) => {
      await refuseHalfRestored(client)
      return {
        madeAt: new Date(systemClock.nowMs()).toISOString(),
        ...(await copyDatabase(client, draft)),
      }
    })
    // After the rows: a file exists before a row names it. Without a connection, because the database may go away in the
    // hours that many documents take.
    await copyDocuments(documents, join(draft, 'documents'))
    const files = await digestsBelow(draft, database.tables)
    const manifest: Manifest = { format: 1, made_at: madeAt, ...database, files }
    await writeFile(join(draft, manifestName), JSON.stringify(manifest, undefined, 2), { mode: 0o600 })
    return manifest
  })
}

async function digestsBelow(draft: string, tables: readonly TableBackup[]): Promise<Manifest['files']> {
  const paths = await filesBelow(draft)
  const gone = tables.map(({ name }) => tableFile(name)).find((path) => !paths.includes(path))
  if (gone !== undefined)
    throw new BackupError(`Somebody removed ${gone} while the backup was written. Please run it again.`)
  const files = []
  for (const path of paths) files.push({ path, sha256: await digestOf(join(draft, path)) })
  return files
}
