import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../src/platform/db/migrate.ts'
import { poolOptions, type DatabaseAddress } from '../../src/platform/db/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/postgres/embedded.ts'
import { databaseProcesses } from '../processes/family.ts'
import { urlOf } from './database-url.ts'

const connections = 80

interface Standby {
  readonly url: string
  /** The superuser's own connections, past the product. */
  readonly owner: pg.Pool
  /** Its replay stops until `release`, and it goes on answering. */
  hold(): Promise<void>
  release(): Promise<void>
  /** All of its processes, as on a machine that hangs. */
  freeze(): void
  /** Their numbers, the postmaster's first. */
  processes(): number[]
  thaw(): void
  kill(): Promise<void>
  start(): Promise<void>
}

export interface Cluster {
  readonly address: DatabaseAddress
  readonly url: string
  readonly owner: pg.Pool
  readonly standbys: readonly Standby[]
  /** Their numbers, the postmaster's first. */
  primaryProcesses(): number[]
  stop(): Promise<void>
}

/** A migrated PostgreSQL with hot standbys that stream from it, all of the programs that npm installed. */
export async function startCluster(count = 2): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'cellarhand-'))
  // When root starts it, the servers run as another user, and that user has to pass.
  chmodSync(folder, 0o711)
  const start = async (name: string) =>
    startEmbeddedPostgres({ dataDir: join(folder, name), log: () => undefined, connections })
  const primary = await start('primary')
  const address = addressOf(primary)
  const owner = ownerOf(address)
  await migrate(address)
  // A standby that was away finds the log that it missed.
  await owner.query(`alter system set wal_keep_size = '4GB'`)
  await owner.query('select pg_reload_conf()')
  const standbys: OpenStandby[] = []
  for (let number = 1; number <= count; number++) {
    await copyDatabase(primary, join(folder, `standby-${number}`))
    standbys.push(await openStandby(() => start(`standby-${number}`)))
  }
  return {
    address,
    url: urlOf(address),
    owner,
    standbys,
    primaryProcesses: () => databaseProcesses(primary.dataDir),
    async stop() {
      for (const standby of standbys) await standby.stop()
      await owner.end()
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function addressOf({ host, port, user, password }: EmbeddedPostgres): DatabaseAddress {
  return { host, port, user, database: 'postgres', ...(password === undefined ? {} : { password }) }
}

function ownerOf(address: DatabaseAddress): pg.Pool {
  const pool = new pg.Pool({ ...poolOptions(address, undefined), pipeline: false, max: 3 } as pg.PoolConfig)
  return pool.on('error', () => undefined)
}

/** As pg_basebackup does; the package that npm installed has no such program. */
async function copyDatabase(primary: EmbeddedPostgres, to: string): Promise<void> {
  const client = new pg.Client({ ...addressOf(primary) })
  await client.connect()
  await client.query(`select pg_backup_start('a standby', true)`)
  execFileSync('cp', ['-a', primary.dataDir, to])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  for (const file of readdirSync(to)) if (/^(postmaster\.|\.s\.PGSQL)/.test(file)) rmSync(join(to, file))
  const { uid, gid } = statSync(primary.dataDir)
  const files = { backup_label: rows[0]?.labelfile ?? '', 'standby.signal': '' }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(to, name), text)
    chownSync(join(to, name), uid, gid)
  }
  appendFileSync(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.host} port=${primary.port} user=${primary.user}'\n`,
  )
}

interface OpenStandby extends Standby {
  stop(): Promise<void>
}

async function openStandby(start: () => Promise<EmbeddedPostgres>): Promise<OpenStandby> {
  let server = await start()
  const address = addressOf(server)
  const owner = ownerOf(address)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of databaseProcesses(server.dataDir)) process.kill(pid, name)
  }
  return {
    url: urlOf(address),
    owner,
    hold: async () => void (await owner.query('select pg_wal_replay_pause()')),
    release: async () => void (await owner.query('select pg_wal_replay_resume()')),
    processes: () => databaseProcesses(server.dataDir),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async kill() {
      signal('SIGKILL')
      await server.stop()
    },
    async start() {
      server = await start()
    },
    async stop() {
      await owner.end()
      await server.stop()
    },
  }
}
