import { openDatabase, type DatabaseAddress } from '../db/database.ts'
import { patientClient } from '../db/patient-client.ts'
import { cellStep } from '../backup/go-on-elsewhere.ts'
import { systemClock } from '../clock/system-clock.ts'
import { fail, type Arguments, type Shell, type Usage } from '../command-line.ts'
import type { FileStore } from '../files/file-store.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { createHealthRecord } from '../outside/health.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { exportMerchant } from './export-merchant.ts'
import { importMerchant } from './import-merchant.ts'
import { MoveError, readTransferKey } from './manifest.ts'
import { abortMove, finishMove, openArrived, removeMerchant, startMove } from './move-merchant.ts'

interface CellCommand extends Usage {
  runOnWhole(address: DatabaseAddress, given: Arguments, shell: Shell): Promise<void>
}

interface Deps {
  readonly upkeep: readonly Upkeep[]
  /** That of a cell outside the demo. */
  readonly upkeepOfLive: readonly Upkeep[]
  /** A path as the caller means it. */
  readonly fromHere: (env: NodeJS.ProcessEnv, path: string) => string
}

const usualSeconds = 30
const mostSeconds = 3_600
const largestNumber = 999_999_999_999

function secondsOf(given: Arguments): number {
  const text = given.find('seconds') ?? String(usualSeconds)
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < 5 || seconds > mostSeconds)
    fail(`--seconds takes a number from 5 to ${mostSeconds}.`)
  return seconds
}

async function withFiles<T>(
  address: DatabaseAddress,
  { config }: Shell,
  work: (files: FileStore) => Promise<T>,
): Promise<T> {
  const limits = { app: 1, system: 1 }
  const db = openDatabase(address, { clock: systemClock, onIdleError: () => undefined, limits })
  const health = createHealthRecord(db, () => undefined)
  try {
    return await work(openFileStore(config, health))
  } finally {
    await health.settled()
    await db.close()
  }
}

/** The next order of this cell has the number after it. */
async function numberOrders(address: DatabaseAddress, from: number): Promise<void> {
  const client = patientClient(address, undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ last: number }>('select last_value as last from order_numbers')
    const last = rows[0]?.last ?? 0
    if (from <= last)
      throw new MoveError(`This cell has given numbers up to ${last}. Please name a higher one.`)
    await client.query(`select setval('order_numbers', $1, false)`, [from])
  } finally {
    await client.end()
  }
}

/** Moving one merchant between two installations (decision 0063). */
export function cellCommands({
  upkeep,
  upkeepOfLive,
  fromHere,
}: Deps): Readonly<Record<string, CellCommand>> {
  return {
    'export-merchant': {
      summary:
        'Everything of one merchant as of this moment into a new folder: a JSON file for each table, its files beside (docs/merchant-folder.md). Secrets leave only under the key in --key-file; without one they are left out, and no cell takes the merchant over. It holds names and addresses: keep it where only the owner can read it.',
      options: ['merchant', 'to'],
      optional: ['key-file'],
      async runOnWhole(address, given, shell) {
        const keyFile = given.find('key-file')
        const transferKey =
          keyFile === undefined ? undefined : await readTransferKey(fromHere(shell.env, keyFile))
        const folder = fromHere(shell.env, given.get('to'))
        const merchantId = given.get('merchant')
        const { config } = shell
        const manifest = await withFiles(address, shell, (files) =>
          exportMerchant(address, {
            folder,
            merchantId,
            transferKey,
            files,
            upkeep,
            sealingKeys: config.sealingKeys,
          }),
        )
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        shell.say(`${rows} rows of ${manifest.tables.length} tables of "${merchantId}" are in ${folder}.`)
        if (manifest.missing_files.length > 0)
          shell.say(`Files that the store does not have any more: ${manifest.missing_files.length}`)
        shell.say(
          manifest.is_final
            ? `Export ${manifest.export_id}. Take it over in the other cell: npm run admin -- import-merchant --from … --key-file …`
            : 'The merchant goes on working here, so this is a copy, and no cell takes it over.',
        )
      },
    },
    'import-merchant': {
      summary:
        'Takes a merchant over from the folder of export-merchant, all or nothing. It stays closed here until move-merchant --open.',
      options: ['from', 'key-file'],
      async runOnWhole(address, given, shell) {
        const transferKey = await readTransferKey(fromHere(shell.env, given.get('key-file')))
        const folder = fromHere(shell.env, given.get('from'))
        const { config } = shell
        const {
          merchant,
          tables,
          export_id: exportId,
        } = await withFiles(address, shell, (files) =>
          importMerchant(address, {
            folder,
            transferKey,
            files,
            upkeep: config.isDemo ? upkeep : upkeepOfLive,
            sealingKeys: config.sealingKeys,
          }),
        )
        const rows = tables.reduce((sum, table) => sum + table.rows, 0)
        shell.say(`${rows} rows of "${merchant}" are here. It is closed until it has left the other cell.`)
        shell.say(
          `There: npm run admin -- move-merchant --merchant ${merchant} --export ${exportId} --to <this cell's address>`,
        )
        shell.say(`Then here: npm run admin -- move-merchant --merchant ${merchant} --open`)
      },
    },
    'move-merchant': {
      summary: `The steps of a move beside export and import. --start closes the merchant for changes (503), for at most --seconds (${usualSeconds}); after that it works on as before. --to with --export sends its calls to the other cell (308) for good. --abort takes a start back. --open, in the other cell, lets the merchant work there.`,
      options: ['merchant'],
      optional: ['seconds', 'to', 'export'],
      flags: ['start', 'abort', 'open'],
      async runOnWhole(address, given, { say }) {
        const merchantId = given.get('merchant')
        const to = given.find('to')
        const steps = [given.has('start'), given.has('abort'), given.has('open'), to !== undefined]
        if (steps.filter(Boolean).length !== 1) fail('Please give one of --start, --to, --abort and --open.')
        if (given.has('start')) {
          const seconds = secondsOf(given)
          await startMove(address, { merchantId, seconds, upkeep })
          say(`"${merchantId}" takes no changes for ${seconds} s, and works on as before after that.`)
        } else if (given.has('abort')) {
          await abortMove(address, merchantId, upkeep)
          say(`"${merchantId}" works here as before.`)
        } else if (given.has('open')) {
          await openArrived(address, merchantId, upkeep)
          say(`"${merchantId}" works here now.`)
        } else {
          await finishMove(address, { merchantId, to: to ?? '', exportId: given.get('export') })
          say(`"${merchantId}" has moved to ${to}. Its rows here stay until: remove-merchant.`)
        }
      },
    },
    'remove-merchant': {
      summary:
        'Removes the rows of a merchant that has moved to another cell, or that came here by an import and was not opened. Calls for one that has moved are still sent on where the merchant is named.',
      options: ['merchant'],
      async runOnWhole(address, given, { say }) {
        const merchantId = given.get('merchant')
        say(`Removed rows of "${merchantId}": ${await removeMerchant(address, merchantId, upkeep)}.`)
      },
    },
    'number-orders': {
      summary:
        'The number of the next order of this cell. Each cell needs numbers of its own, because callers know an order by its number alone: --from 2000000000 for the second, 3000000000 for the third.',
      options: ['from'],
      async runOnWhole(address, given, { say }) {
        const from = Number(given.get('from'))
        if (!(from > 0 && from <= largestNumber && from % cellStep === 0))
          fail(`--from takes a multiple of ${cellStep} of at most twelve digits.`)
        await numberOrders(address, from)
        say(`The next order of this cell has the number ${from}.`)
      },
    },
  }
}
