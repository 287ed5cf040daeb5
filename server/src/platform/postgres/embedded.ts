import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '../clock/system-clock.ts'
import { writeWhole } from '../files/write-whole.ts'
import { chooseAccount } from './account.ts'
import type { Account } from './account.ts'
import { findBinaries, runnableBinaries } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import {
  checkVersion,
  hasDatabase,
  initDatabase,
  placeDataDir,
  removeHalfMade,
  SUPERUSER,
} from './data-directory.ts'
import { readPidFile, settleLeftover } from './leftover.ts'
import { claimDataDir } from './ownership.ts'
import { endHalfUpgrade } from './older-database.ts'
import { explainStartFailure, PostgresStartError } from './start-error.ts'
import { addressOf, chooseEndpoint, superviseServer } from './supervised-server.ts'
import type { Endpoint, RunningServer, ServerPlan } from './supervised-server.ts'

/** A running PostgreSQL of our own that takes connections as its superuser. */
export type EmbeddedPostgres = {
  /** The folder of the socket, or the loopback address: the `host` option of the `pg` driver. */
  host: string
  port: number
  user: string
  password?: string
  /** The database's folder, which may differ from the wanted one: see `placeDataDir`. */
  dataDir: string
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  log: (line: string) => void
  /** By default a socket, and a loopback port on Windows. */
  endpoint?: Endpoint['kind']
  /** At once; 100 by default. */
  connections?: number
  /** Called when the server ends without our doing. */
  onLost?: (said: string) => void
  /** The programs of another version, in place of those that npm installed. */
  binaries?: Binaries
  /** The user it runs as; else the owner of the database. */
  account?: Account
  /** The caller has claimed the directory, and gives it back itself. */
  isClaimed?: boolean
}

/** Starts the PostgreSQL that npm installed on `dataDir`, and sets it up the first time. Ends with this process. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const wanted = path.resolve(options.dataDir)
  try {
    const found = options.binaries ?? findBinaries()
    const dataDir = await placeDataDir(wanted, options.account ?? (await chooseAccount(wanted)))
    if (dataDir !== wanted) {
      options.log(`The database lies in ${dataDir}, because ${wanted} can be reached by root only.`)
    }
    const release = options.isClaimed === true ? () => undefined : await claimDataDir(dataDir)
    try {
      endHalfUpgrade(dataDir)
      const account = options.account ?? (await chooseAccount(dataDir))
      const binaries = await runnableBinaries(found, account, dataDir)
      return await startClaimed({ ...options, dataDir, binaries, account, release })
    } catch (error) {
      release()
      throw explainStartFailure(error, dataDir)
    }
  } catch (error) {
    throw explainStartFailure(error, wanted)
  }
}

/** Starts an empty PostgreSQL in a temporary directory, deleted on stop: for tests and measurements. */
export async function startThrowawayPostgres(
  log: EmbeddedOptions['log'] = () => undefined,
): Promise<EmbeddedPostgres> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-'))
  // When root starts it, the server runs as another user, and that user has to pass.
  fs.chmodSync(folder, 0o711)
  // Several test files share it, and some of them start several servers.
  const server = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    log,
    connections: 300,
  })
  return {
    ...server,
    async stop() {
      await server.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Claimed = EmbeddedOptions &
  Omit<ServerPlan, 'endpoint' | 'stalePid' | 'connections'> & { release: () => void }

async function startClaimed(claimed: Claimed): Promise<EmbeddedPostgres> {
  const { dataDir, binaries, account, log } = claimed
  const kind = claimed.endpoint ?? (process.platform === 'win32' ? 'loopback' : 'socket')
  const password = kind === 'loopback' ? await keptPassword(dataDir) : undefined
  await removeHalfMade(dataDir)
  if (hasDatabase(dataDir)) checkVersion(dataDir, binaries)
  else await initDatabase({ dataDir, binaries, account, password })
  refuseForeignOwner(dataDir, account)
  const stalePid = await settleLeftover(dataDir, binaries)
  removeStaleShortcut(dataDir)
  const endpoint = await chooseEndpoint(kind, dataDir, account)
  const server = await startPatiently({
    dataDir,
    binaries,
    account,
    endpoint,
    stalePid,
    log,
    connections: claimed.connections ?? 100,
  })
  let isStopping = false
  void server.ended.then((said) => {
    claimed.release()
    if (isStopping) return
    log(`PostgreSQL ended though nobody stopped it. It said: ${said}`)
    claimed.onLost?.(said)
  })
  return {
    ...addressOf(endpoint),
    user: SUPERUSER,
    ...(password === undefined ? {} : { password }),
    dataDir,
    async stop() {
      isStopping = true
      await server.stop()
      removeShortcut(endpoint)
      claimed.release()
    },
  }
}

// After a kill of the main process alone, its sessions live on for a moment, and PostgreSQL rightly refuses to start.
// It also refuses when a server's parent died before the server had written its pid file.
async function startPatiently(plan: ServerPlan): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await superviseServer(plan)
    } catch (error) {
      const isBusy = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(
        String(error),
      )
      if (!isBusy || attempt === 20) {
        removeShortcut(plan.endpoint)
        throw error
      }
      await systemClock.sleep(500)
    }
  }
}

async function keptPassword(dataDir: string): Promise<string> {
  const file = `${dataDir}.password`
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8').trim()
  if (hasDatabase(dataDir)) {
    throw new PostgresStartError(
      `The database in ${dataDir} is there, but its password file ${file} is not. Put the file back from a backup.`,
    )
  }
  const password = randomBytes(24).toString('base64url')
  await writeWhole(file, Buffer.from(`${password}\n`))
  return password
}

function refuseForeignOwner(dataDir: string, account: Account): void {
  const us = account?.uid ?? process.getuid?.()
  const owner = fs.statSync(dataDir).uid
  if (us === undefined || owner === us) return
  throw new PostgresStartError(
    `The database in ${dataDir} belongs to another user (number ${owner}), perhaps because it was first started as root. ` +
      `Start as that user or as root, or give it away with: chown -R ${us} ${dataDir}`,
  )
}

function removeStaleShortcut(dataDir: string): void {
  const socketDir = readPidFile(dataDir)[4] ?? ''
  if (socketDir === dataDir || !path.basename(socketDir).startsWith('cellarhand-')) return
  fs.rmSync(socketDir, { recursive: true, force: true })
}

function removeShortcut(endpoint: Endpoint): void {
  if (endpoint.kind === 'socket' && endpoint.isShortcut)
    fs.rmSync(endpoint.dir, { recursive: true, force: true })
}
