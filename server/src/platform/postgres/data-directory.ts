import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '../clock/system-clock.ts'
import { syncFolder } from '../files/write-whole.ts'
import { accountCan } from './account.ts'
import type { Account } from './account.ts'
import { binary, siblings } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { findProcess } from './processes.ts'
import { PostgresStartError } from './start-error.ts'

const run = promisify(execFile)

/** The only database user after the first set-up. */
export const SUPERUSER = 'postgres'

// Sorting is PostgreSQL's own C.UTF-8. The system's locale decides which characters are letters of a trigram, and the
// names of its UTF-8 locales differ. Plain C would hide names with accents from the search.
const LETTER_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'C']

const REACHABLE_PARENTS = ['/var/lib', '/opt', '/srv']

/** The database's folder: `wanted`, or a reachable folder if only root can reach `wanted`. */
export async function placeDataDir(wanted: string, account: Account): Promise<string> {
  fs.mkdirSync(path.dirname(wanted), { recursive: true })
  if (!account) return wanted
  const name = `cellarhand-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`
  const elsewhere = REACHABLE_PARENTS.map((parent) => path.join(parent, name, 'postgres'))
  const moved = elsewhere.find(hasDatabase)
  if (hasDatabase(wanted)) {
    if (await accountCan(account, '-x', path.dirname(wanted))) return wanted
    // Continuing with an empty database elsewhere would look as if everything were lost.
    throw new PostgresStartError(
      `The database in ${wanted} cannot be reached by the user it belongs to (number ${account.uid}): a folder above it is ` +
        'closed to others. Open it with chmod a+x on the folders above, or move the data and set DATA_DIR.',
    )
  }
  if (moved) return moved
  if (await accountCan(account, '-x', path.dirname(wanted))) return wanted
  for (const dataDir of elsewhere) {
    if (!fs.existsSync(path.dirname(path.dirname(dataDir)))) continue
    fs.mkdirSync(path.dirname(dataDir), { recursive: true, mode: 0o755 })
    if (await accountCan(account, '-x', path.dirname(dataDir))) return dataDir
  }
  throw new PostgresStartError(
    `PostgreSQL does not run as root, and the user it would run as (number ${account.uid}) cannot reach ${wanted}. ` +
      'Set DATA_DIR to a folder that every user may enter, start as an ordinary user, or set DATABASE_URL.',
  )
}

export function hasDatabase(dataDir: string): boolean {
  return fs.existsSync(path.join(dataDir, 'PG_VERSION'))
}

/** The major version of the PostgreSQL that made it. */
export function versionOf(dataDir: string): string {
  return fs.readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim()
}

/** Refuses a database of another major version before anything touches it. */
export function checkVersion(dataDir: string, binaries: Binaries): void {
  const made = versionOf(dataDir)
  if (made === binaries.major) return
  const isOlder = Number(made) > 0 && Number(made) < Number(binaries.major)
  throw new PostgresStartError(
    `The database in ${dataDir} was made by PostgreSQL ${made || 'of an unknown version'}, and this Cellarhand brings ` +
      `PostgreSQL ${binaries.major}. Nothing was changed. ` +
      (isOlder ? 'To take the data over, run: npm run admin -- upgrade-database. Or start' : 'Start') +
      ` the Cellarhand it was made with, or run PostgreSQL ${made} on that folder and set DATABASE_URL to it.`,
  )
}

type Plan = { dataDir: string; binaries: Binaries; account: Account; password: string | undefined }

/** Sets up a new database beside `dataDir` and renames it when it is complete, so that a kill leaves no half one. */
export async function initDatabase({ dataDir, binaries, account, password }: Plan): Promise<void> {
  refuseForeignFolder(dataDir)
  const half = `${dataDir}.init-${process.pid}-${randomBytes(3).toString('hex')}`
  const passwordFile = `${half}.password`
  try {
    fs.mkdirSync(half, { mode: 0o700 })
    if (account) fs.chownSync(half, account.uid, account.gid)
    const auth = password
      ? ['--auth=scram-sha-256', '--pwfile', passwordFile]
      : ['--auth-local=trust', '--auth-host=reject']
    if (password) {
      fs.writeFileSync(passwordFile, password, { mode: 0o600 })
      if (account) fs.chownSync(passwordFile, account.uid, account.gid)
    }
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    const args = ['-D', half, '-U', SUPERUSER, ...auth, ...locale, '--no-instructions']
    await runInitdb(binary(binaries, 'initdb'), args, account)
    fs.renameSync(half, dataDir)
    await syncFolder(path.dirname(dataDir))
  } finally {
    fs.rmSync(half, { recursive: true, force: true })
    fs.rmSync(passwordFile, { force: true })
  }
}

// Otherwise the program would survive a kill of ours, and write into a folder that the next start deletes.
const UNLESS_ORPHANED = `
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
(while read -r _; do :; done <&3; kill -KILL "$program") >/dev/null 2>&1 &
reader=$!
wait "$program"; code=$?
kill "$reader"
exit "$code"
`

async function runInitdb(initdb: string, args: string[], account: Account): Promise<void> {
  const options = { ...account, cwd: path.parse(initdb).root, env: plainEnvironment(), windowsHide: true }
  const hasShell = process.platform !== 'win32'
  const program = hasShell ? '/bin/sh' : initdb
  const before = hasShell ? ['-c', UNLESS_ORPHANED, 'sh', initdb] : []
  for (const [index, name] of LETTER_LOCALES.entries()) {
    try {
      await run(program, [...before, ...args, `--lc-ctype=${name}`], options)
      return
    } catch (error) {
      const isLast = index === LETTER_LOCALES.length - 1
      if (isLast || !/invalid locale name/.test(String(error))) throw error
    }
  }
}

/** Deletes the remains of killed set-ups, but not those of a living process. */
export async function removeHalfMade(dataDir: string): Promise<void> {
  const prefix = `${dataDir}.init-`
  for (const name of siblings(prefix)) {
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (pid === process.pid || !findProcess(pid)) await removeStubborn(name)
  }
}

// The set-up's child processes may outlive it for a moment and keep filling the folder. The deletion then leaves files
// behind, and does not always report it.
async function removeStubborn(folder: string): Promise<void> {
  for (let attempt = 1; fs.existsSync(folder); attempt++) {
    try {
      fs.rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (attempt === 50 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    }
    if (fs.existsSync(folder)) await systemClock.sleep(100)
  }
}

/** The part of our environment that PostgreSQL's programs see: nothing that changes their behaviour or their words. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'].filter(
    (name) => process.env[name] !== undefined,
  )
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), LC_ALL: 'C' }
}

function refuseForeignFolder(dataDir: string): void {
  if (!fs.existsSync(dataDir)) return
  if (fs.readdirSync(dataDir).length > 0) {
    throw new PostgresStartError(
      `${dataDir} is not empty and holds no complete database (no file PG_VERSION). Nothing was changed. Restore it from a ` +
        'backup, or move it away to begin with an empty database.',
    )
  }
  fs.rmdirSync(dataDir)
}
