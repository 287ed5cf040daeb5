import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { PostgresStartError } from './start-error.ts'

const run = promisify(execFile)

/** The unprivileged user for PostgreSQL; undefined if we are already unprivileged. */
export type Account = { uid: number; gid: number } | undefined

// PostgreSQL refuses user id 0. macOS gives `nobody` a negative id that spawn cannot take.
const UNPRIVILEGED_NAMES = process.platform === 'darwin' ? ['_postgres', 'daemon'] : ['nobody', 'daemon']

/** Picks the user: the owner of an existing database, else the system's unprivileged user. */
export async function chooseAccount(dataDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(path.join(dataDir, 'PG_VERSION'), { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of UNPRIVILEGED_NAMES) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => idOf(flag, name)))
    const [uid, gid] = ids
    if (uid && gid) return { uid, gid }
  }
  throw new PostgresStartError(
    'PostgreSQL does not run as root, and this system has no user named nobody or daemon to run it as. ' +
      'Start as an ordinary user, or set DATABASE_URL.',
  )
}

async function idOf(flag: string, name: string): Promise<number | undefined> {
  try {
    return Number((await run('id', [flag, name])).stdout)
  } catch {
    return undefined
  }
}

/** Whether the account, rather than this process, passes `test <flag> <file>`: parents and access lists count. */
export async function accountCan(account: Account, flag: '-x' | '-r', file: string): Promise<boolean> {
  if (!account) return true
  try {
    await run('test', [flag, file], { ...account, cwd: '/' })
    return true
  } catch {
    return false
  }
}
