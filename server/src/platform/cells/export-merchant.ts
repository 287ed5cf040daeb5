import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { digestOf, manifestName } from '../backup/manifest.ts'
import { filesBelow } from '../backup/documents.ts'
import { systemClock } from '../clock/system-clock.ts'
import type { DatabaseAddress } from '../db/database.ts'
import { withPatientClient } from '../db/patient-client.ts'
import { refuseHalfRestored } from '../db/restore-mark.ts'
import { statementsOn } from '../db/statements-on.ts'
import type { FileStore } from '../files/file-store.ts'
import { writeFolder } from '../backup/write-folder.ts'
import { createSealer, type Sealer, type Secrets } from '../sealed-text.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { MoveError, storedFile, tableFile, type MerchantManifest, type MovedTable } from './manifest.ts'
import { listApplied, listMerchantTables, type MerchantTable } from './merchant-tables.ts'

export interface MerchantExport {
  /** Must not exist yet. */
  readonly folder: string
  readonly merchantId: string
  readonly sealingKeys: Secrets
  /** Without one, secrets are left out, and no cell can take the merchant over from the folder. */
  readonly transferKey: Sealer | undefined
  readonly files: FileStore
  readonly upkeep: readonly Upkeep[]
}

const rowsAtOnce = 500

const taken = (folder: string) => new MoveError(`${folder} is there already. Please name a new folder.`)

/** Writes all rows of one merchant as of one moment, and its files. */
export async function exportMerchant(
  address: DatabaseAddress,
  request: MerchantExport,
): Promise<MerchantManifest> {
  return writeFolder(request.folder, taken, async (folder) => {
    for (const part of ['tables', 'files']) await mkdir(join(folder, part), { mode: 0o700 })
    const manifest = await withPatientClient(address, 'cellarhand_system', async (client) => {
      await refuseHalfRestored(client)
      return writeParts(client, { ...request, folder })
    })
    await writeFile(join(folder, manifestName), JSON.stringify(manifest, undefined, 2), { mode: 0o600 })
    return manifest
  })
}

async function writeParts(client: pg.Client, request: MerchantExport): Promise<MerchantManifest> {
  const { folder, merchantId, transferKey, upkeep } = request
  const exportId = randomUUID()
  const isFinal = await noteExport(client, merchantId, exportId)
  const madeAt = new Date(systemClock.nowMs()).toISOString()
  await client.query('begin isolation level repeatable read read only')
  const { rows: found } = await client.query('select 1 from merchants where merchant_id = $1', [merchantId])
  if (found.length === 0) throw new MoveError(`There is no merchant "${merchantId}".`)
  const tables: MovedTable[] = []
  for (const table of await listMerchantTables(client, upkeep))
    tables.push(await writeTable(client, request, table))
  const names = []
  for (const part of upkeep)
    names.push(...((await part.filesOf?.(statementsOn(client, systemClock), merchantId)) ?? []))
  const migrations = await listApplied(client)
  await client.query('commit')
  const missing = await copyFiles(request, names)
  const files = []
  for (const path of await filesBelow(folder))
    files.push({ path, sha256: await digestOf(join(folder, path)) })
  return {
    format: 'cellarhand-merchant-1',
    export_id: exportId,
    merchant: merchantId,
    made_at: madeAt,
    is_final: isFinal,
    migrations,
    tables,
    key_check: transferKey?.seal(exportId) ?? null,
    missing_files: missing,
    files,
  }
}

/** Of a closed merchant the move goes on with this export alone. */
async function noteExport(client: pg.Client, merchantId: string, exportId: string): Promise<boolean> {
  const { rows } = await client.query(
    `update merchant_moves set export_id = $2 where merchant_id = $1 and state = 'leaving' and until > clock_timestamp() returning 1`,
    [merchantId, exportId],
  )
  return rows.length > 0
}

/** A JSON array with one row a line. The text of a row is PostgreSQL's own, so that no number loses a digit. */
async function writeTable(
  client: pg.Client,
  { folder, merchantId, sealingKeys, transferKey }: MerchantExport,
  { name, columns, secrets, which, order }: MerchantTable,
): Promise<MovedTable> {
  const open = columns.filter((column) => !secrets.some((secret) => secret.column === column))
  const sealers = secrets.map(({ purpose }) =>
    purpose === undefined ? undefined : createSealer(sealingKeys, purpose),
  )
  const closed = secrets.map(({ column }, index) => `, t.${pg.escapeIdentifier(column)} as secret_${index}`)
  const row = `(select ${open.map((column) => `t.${pg.escapeIdentifier(column)}`).join(', ')}) r`
  await client.query(
    `declare rows_of_table no scroll cursor for
     select replace(row_to_json(r)::text, E'\\n', ' ') as line${closed.join('')}
     from (select * from ${pg.escapeIdentifier(name)} where ${which.replaceAll('$1', pg.escapeLiteral(merchantId))}) t
       cross join lateral ${row} order by ${order}`,
  )
  let count = 0
  async function* parts(): AsyncGenerator<string> {
    for (;;) {
      const { rows } = await client.query<Record<string, string | null>>(
        `fetch ${rowsAtOnce} from rows_of_table`,
      )
      if (rows.length === 0) break
      const lines = rows.map((each) => {
        const values = secrets.flatMap(({ column }, index) => {
          if (transferKey === undefined) return []
          const value = each[`secret_${index}`] ?? null
          const text =
            value === null ? null : transferKey.seal(opened(value, sealers[index], `${name}.${column}`))
          return [`${JSON.stringify(column)}:${JSON.stringify(text)}`]
        })
        return [(each['line'] ?? '').slice(0, -1), ...values].join(',') + '}'
      })
      yield `${count === 0 ? '[\n' : ',\n'}${lines.join(',\n')}`
      count += rows.length
    }
    yield count === 0 ? '[]\n' : '\n]\n'
  }
  await pipeline(parts, createWriteStream(join(folder, tableFile(name)), { flags: 'wx', mode: 0o600 }))
  await client.query('close rows_of_table')
  return {
    name,
    rows: count,
    columns: transferKey === undefined ? open : columns,
    secrets: secrets.map(({ column }) => column),
  }
}

function opened(value: string, sealer: Sealer | undefined, place: string): string {
  if (sealer === undefined) return value
  try {
    return sealer.open(value)
  } catch {
    throw new MoveError(
      `A value of ${place} opens with none of the keys. Set SEALING_KEY and SEALING_KEYS_OLD as the server has them.`,
    )
  }
}

async function copyFiles({ folder, files }: MerchantExport, names: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const name of names) {
    const bytes = await files.get(name)
    if (bytes === undefined) missing.push(name)
    else await writeFile(join(folder, storedFile(name)), bytes, { mode: 0o600 })
  }
  return missing
}
