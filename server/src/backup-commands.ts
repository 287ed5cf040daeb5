import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { liveCellUpkeep } from '../seed/left-over-demo.ts'
import { backupName, removeKilledBackups, removeOldBackups } from './platform/backup/old-backups.ts'
import { systemClock } from './platform/clock/system-clock.ts'
import { restoreBackup } from './platform/backup/restore-backup.ts'
import { upgradeDatabase } from './platform/backup/upgrade-database.ts'
import { noteBackup, writeBackup } from './platform/backup/write-backup.ts'
import { fail, type Arguments, type Shell, type Terminal, type Usage } from './platform/command-line.ts'
import type { DatabaseAddress } from './platform/db/database.ts'
import { cellCommands } from './platform/cells/cell-commands.ts'
import { diskFolder } from './platform/files/disk-store.ts'
import { upkeep } from './upkeep.ts'

/** Works on the database as a whole, regardless of its contents. */
export interface WholeCommand extends Usage {
  /** It opens and writes no sealed secret, so it also serves a shop whose settings are missing. */
  readonly needsNoSecret?: true
  runOnWhole(address: DatabaseAddress, given: Arguments, shell: Shell): Promise<void>
}

/** Works on the folder of the embedded database, which no PostgreSQL of ours may be able to open. */
export interface FolderCommand extends Usage {
  runOnFolder(given: Arguments, shell: Shell): Promise<void>
}

// npm runs its scripts in the project's folder; this variable holds the caller's own.
export const fromHere = (env: NodeJS.ProcessEnv, path: string) => resolve(env['INIT_CWD'] ?? '.', path)

/** The text of the one file that the caller names. In another encoding than UTF-8, each accented letter would be broken. */
export async function readNamedFile(given: Arguments, env: NodeJS.ProcessEnv) {
  const [file] = given.files
  if (file === undefined || given.files.length > 1) fail('Please name one file.')
  const bytes = await readFile(fromHere(env, file)).catch((error: Error) =>
    fail(`${file} cannot be read: ${error.message}`),
  )
  if (!isUtf8(bytes)) fail(`${file} is not in UTF-8. Please save it in UTF-8, then try again.`)
  return { file, text: bytes.toString('utf8') }
}

/** At a terminal, one line that changes; in a log, a new line each time. */
export function progressLine({ note, isWatched }: Terminal) {
  return {
    say: (line: string) => note(isWatched ? `\r\u001B[K${line}` : `${line}\n`),
    end: () => isWatched && note('\n'),
  }
}

interface Place {
  readonly folder: string
  readonly into?: string
  readonly keep?: number
}

function placeOf(given: Arguments, env: NodeJS.ProcessEnv): Place {
  const [to, into, keep] = ['to', 'into', 'keep'].map((name) => given.find(name))
  if ((to === undefined) === (into === undefined))
    fail('Please give either --to <a new folder> or --into <the folder of all backups>.')
  if (keep !== undefined && (into === undefined || !/^[1-9]\d{0,3}$/.test(keep)))
    fail('--keep takes how many backups stay, from 1 on, and goes with --into.')
  if (into === undefined) return { folder: fromHere(env, to ?? '') }
  const all = fromHere(env, into)
  return {
    folder: join(all, backupName(new Date(systemClock.nowMs()))),
    into: all,
    ...(keep === undefined ? {} : { keep: Number(keep) }),
  }
}

export const wholeCommands: Readonly<Record<string, WholeCommand>> = {
  backup: {
    summary:
      'Everything in the database as of this moment, and the documents on disk, into a new folder: the one of --to, or one named after the time in --into, of which --keep leaves the newest. In there it first removes what killed ones have left. The servers go on meanwhile. Keep SESSION_SECRET and SEALING_KEY as well, but apart from it: together they open everything, and without them the sealed parts stay shut.',
    options: [],
    optional: ['to', 'into', 'keep'],
    needsNoSecret: true,
    async runOnWhole(address, given, { config, env, say, note }) {
      const place = placeOf(given, env)
      const { folder } = place
      if (place.into !== undefined) await removeKilledBackups(place.into)
      const { tables, files } = await writeBackup(address, { folder, documents: diskFolder(config.dataDir) })
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      say(`${rows} rows of ${tables.length} tables are in ${folder}, ${files.length} files in all.`)
      // The backup is whole by now, and old ones are removed all the same.
      await noteBackup(address).catch((error: Error) =>
        note(
          `The backup is finished, but the database did not note it (${error.message}), so /metrics tells the age of the one before.\n`,
        ),
      )
      if (place.into === undefined || place.keep === undefined) return
      for (const name of await removeOldBackups(place.into, place.keep))
        say(`Removed the old backup ${name}.`)
    },
  },
  restore: {
    summary:
      'Fills an empty database from such a folder, all or nothing: a fresh one is filled beside it and takes its place when it is whole. With --in-place the database itself is filled, where the login may not create another. Start the servers afterwards, and look at: held.',
    options: ['from'],
    flags: ['in-place'],
    needsNoSecret: true,
    async runOnWhole(address, given, shell) {
      const { config, env, say } = shell
      const folder = fromHere(env, given.get('from'))
      const progress = progressLine(shell)
      const began = systemClock.readingMs()
      const { tables, made_at: madeAt } = await restoreBackup(address, {
        folder,
        documents: diskFolder(config.dataDir),
        isInPlace: given.has('in-place'),
        upkeep,
        say: progress.say,
      }).finally(progress.end)
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const seconds = ((systemClock.readingMs() - began) / 1000).toFixed(1)
      say(`${rows} rows of ${tables.length} tables are back, as of ${madeAt}, after ${seconds} s.`)
      say('Everybody has to sign in again. Numbers go on far behind those that were given before.')
      say('Events to the marketplace wait until: npm run admin -- release. What waits shows: -- held.')
    },
  },
  ...cellCommands({ upkeep, upkeepOfLive: [...upkeep, liveCellUpkeep], fromHere }),
}

export const folderCommands: Readonly<Record<string, FolderCommand>> = {
  'upgrade-database': {
    summary:
      'Takes over the embedded database that an older PostgreSQL has made: backs it up with the old programs, restores it with the new ones, and keeps the old folder. The old programs are looked for where Debian, Homebrew and Windows install them; --programs names another folder.',
    options: [],
    optional: ['programs'],
    async runOnFolder(given, shell) {
      const { config, env, say } = shell
      if (config.databaseUrl !== undefined)
        fail(
          'DATABASE_URL is set, so the database is not an embedded one. Upgrade that PostgreSQL with its own tools.',
        )
      const programs = given.find('programs')
      const progress = progressLine(shell)
      const { from, to, rows, kept } = await upgradeDatabase({
        dataDir: join(config.dataDir, 'postgres'),
        ...(programs === undefined ? {} : { programs: fromHere(env, programs) }),
        say: progress.say,
      }).finally(progress.end)
      say(`${rows} rows went from PostgreSQL ${from} to ${to}. Start the server again.`)
      say(`The old database is still in ${kept}. Delete it when all is well; until then it is the way back.`)
    },
  },
}
