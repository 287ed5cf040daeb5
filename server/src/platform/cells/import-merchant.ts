import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '../clock/system-clock.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { patientClient } from '../db/patient-client.ts'
import { isDuplicateKey, sqlState } from '../db/database-errors.ts'
import { listMigrations } from '../db/migrate.ts'
import { refuseHalfRestored } from '../db/restore-mark.ts'
import { statementsOn } from '../db/statements-on.ts'
import type { FileStore } from '../files/file-store.ts'
import { createSealer, type Sealer, type Secrets } from '../sealed-text.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { MoveError, readMerchantFolder, storedFile, tableFile, type MerchantManifest } from './manifest.ts'
import { listApplied, listMerchantTables, type MerchantTable } from './merchant-tables.ts'

export interface MerchantImport {
  readonly folder: string
  readonly sealingKeys: Secrets
  readonly transferKey: Sealer
  readonly files: FileStore
  readonly upkeep: readonly Upkeep[]
}

/** A statement with so much text, in characters, is sent. */
const textAtOnce = 2_000_000

/**
 * Takes a merchant over from its folder, all or nothing in one transaction. The merchant stays closed here until it has
 * left the other cell.
 */
export async function importMerchant(
  address: DatabaseAddress,
  request: MerchantImport,
): Promise<MerchantManifest> {
  const manifest = await readMerchantFolder(request.folder)
  requireWhole(manifest, request.transferKey)
  await requireSchema(manifest)
  const client = patientClient(address, 'cellarhand_system')
  await client.connect()
  try {
    await refuseHalfRestored(client)
    await client.query('begin')
    await requireRoom(client, manifest)
    // It comes back: seen by nobody else before the end, no row of its people is refused for it.
    await client.query(`delete from merchant_moves where merchant_id = $1 and state = 'moved'`, [
      manifest.merchant,
    ])
    const rowsOf = async (name: string) =>
      JSON.parse(await readFile(join(request.folder, tableFile(name)), 'utf8')) as Record<string, unknown>[]
    for (const part of request.upkeep)
      refuseFor(await part.beforeArrival?.(statementsOn(client, systemClock), rowsOf))
    for (const table of await tablesFor(client, request, manifest)) await fillTable(client, request, table)
    await client.query(
      `insert into merchant_moves (merchant_id, state, export_id) values ($1, 'arriving', $2)`,
      [manifest.merchant, manifest.export_id],
    )
    await putFiles(request, manifest)
    for (const part of request.upkeep)
      refuseFor(await part.afterArrival?.(statementsOn(client, systemClock), manifest.merchant))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw explained(error)
  } finally {
    await client.end().catch(() => undefined)
  }
  return manifest
}

function refuseFor(problem: string | undefined): void {
  if (problem !== undefined) throw new MoveError(problem)
}

function explained(error: unknown): unknown {
  if (!isDuplicateKey(error) && sqlState(error) !== '23503') return error
  const { table = '', constraint = '' } = error as { table?: string; constraint?: string }
  return new MoveError(
    `A row of ${table} cannot come here (${constraint}): this cell has the same thing already, or lacks something that it refers to. Nothing was changed.`,
    { cause: error },
  )
}

function requireWhole(manifest: MerchantManifest, transferKey: Sealer): void {
  if (!manifest.is_final)
    throw new MoveError(
      `The merchant "${manifest.merchant}" went on working in its cell during this export, so it is a copy and nothing to go on with. Close it first: npm run admin -- move-merchant --merchant ${manifest.merchant} --start`,
    )
  if (manifest.key_check === null)
    throw new MoveError('This export was made without a key, so it has no secrets. Export with --key-file.')
  let check: string | undefined
  try {
    check = transferKey.open(manifest.key_check)
  } catch {
    check = undefined
  }
  if (check !== manifest.export_id)
    throw new MoveError('The key in --key-file is not the one of this export. Please use the same file.')
}

async function requireSchema({ migrations }: MerchantManifest): Promise<void> {
  const known = await listMigrations()
  if (known.length !== migrations.length || !migrations.every((name, place) => known[place] === name))
    throw new MoveError(
      `The export has another version's schema: it ends at ${migrations.at(-1) ?? 'nothing'}, and this Cellarhand's at ${known.at(-1) ?? 'nothing'}. Please bring both cells to the same version.`,
    )
}

async function requireRoom(client: pg.Client, { merchant, migrations }: MerchantManifest): Promise<void> {
  const applied = await listApplied(client)
  if (applied.length !== migrations.length)
    throw new MoveError(
      `This cell's database ends at ${applied.at(-1) ?? 'nothing'}. Please start the server of this version on it once.`,
    )
  const { rows } = await client.query('select 1 from merchants where merchant_id = $1', [merchant])
  if (rows.length > 0)
    throw new MoveError(
      `There is a merchant "${merchant}" here already. If it came by an import that was not finished, or has moved away: npm run admin -- remove-merchant --merchant ${merchant}`,
    )
}

interface Filled {
  readonly table: MerchantTable
  readonly rows: number
}

async function tablesFor(
  client: pg.Client,
  { upkeep }: MerchantImport,
  manifest: MerchantManifest,
): Promise<Filled[]> {
  const here = new Map((await listMerchantTables(client, upkeep)).map((table) => [table.name, table]))
  return manifest.tables.map(({ name, rows }) => {
    const table = here.get(name)
    if (table === undefined) throw new MoveError(`This cell has no table ${name} for merchants.`)
    here.delete(name)
    return { table, rows }
  })
}

/** PostgreSQL reads the rows' texts itself, as it has written them. */
async function fillTable(client: pg.Client, request: MerchantImport, { table, rows }: Filled): Promise<void> {
  const { name, columns } = table
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const into = `insert into ${pg.escapeIdentifier(name)} (${list})
    select ${list} from json_populate_recordset(null::${pg.escapeIdentifier(name)}, $1::json)`
  const sealAnew = sealerOf(request, table)
  let waiting: string[] = []
  let length = 0
  let count = 0
  const send = async () => {
    if (waiting.length === 0) return
    count += (await client.query(into, [`[${waiting.join(',')}]`])).rowCount ?? 0
    waiting = []
    length = 0
  }
  for await (const line of linesOf(join(request.folder, tableFile(name)))) {
    if (!line.startsWith('{')) continue
    const row = sealAnew(line.endsWith(',') ? line.slice(0, -1) : line)
    waiting.push(row)
    length += row.length
    if (length > textAtOnce) await send()
  }
  await send()
  if (count !== rows)
    throw new MoveError(`${name}: ${count} rows of ${rows} arrived. Please export the merchant again.`)
}

/** The reader of Node's library also ends a line at U+2028 and U+2029, which a text from another program may hold. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const part of createReadStream(path, 'utf8')) {
    const lines = `${rest}${String(part)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

/** The transfer's text of a secret is random, so it is found in the row's text without reading the rest of it. */
function sealerOf(
  { sealingKeys, transferKey }: MerchantImport,
  { secrets }: MerchantTable,
): (line: string) => string {
  if (secrets.length === 0) return (line) => line
  const own = secrets.map(({ column, purpose }) => ({
    column,
    seal: purpose === undefined ? undefined : createSealer(sealingKeys, purpose).seal,
  }))
  return (line) => {
    const row = JSON.parse(line) as Record<string, unknown>
    let text = line
    for (const { column, seal } of own) {
      const sealed = row[column]
      if (typeof sealed !== 'string') continue
      const value = transferKey.open(sealed)
      text = text.replace(JSON.stringify(sealed), () => JSON.stringify(seal?.(value) ?? value))
    }
    return text
  }
}

/** Before the commit: a row never names a file that is not there. The hourly work removes files without a row. */
async function putFiles({ folder, files }: MerchantImport, manifest: MerchantManifest): Promise<void> {
  const start = storedFile('')
  for (const { path } of manifest.files)
    if (path.startsWith(start)) await files.put(path.slice(start.length), await readFile(join(folder, path)))
}
