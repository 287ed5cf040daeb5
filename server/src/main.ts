import { join } from 'node:path'
import type { Logger } from 'pino'
import { demoSignIns } from '../seed/demo-people.ts'
import { refuseDemoAccounts } from '../seed/left-over-demo.ts'
import { seedDemo } from '../seed/seed-demo.ts'
import { buildApp, type App } from './app.ts'
import { isHeldBack } from './held-work.ts'
import { systemClock } from './platform/clock/system-clock.ts'
import type { Config } from './platform/config.ts'
import type { DatabaseAddress } from './platform/db/database.ts'
import { markLive, refuseLiveShop } from './platform/db/live-mark.ts'
import { migrate } from './platform/db/migrate.ts'
import { tuneGarbageCollection } from './platform/garbage-collection.ts'
import { createLogger } from './platform/log.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './platform/postgres/embedded.ts'
import { explainStartFailure } from './platform/start-failure.ts'
import { readSettings } from './settings.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

interface Running {
  drainSeconds?: number
  app?: App
  postgres?: EmbeddedPostgres
  closingSinceMs?: number
}

async function openAddress(config: Config, running: Running, log: Logger): Promise<DatabaseAddress> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl }
  running.postgres = await startEmbeddedPostgres({
    dataDir: join(config.dataDir, 'postgres'),
    log: (line) => log.debug({ postgres: line.trimEnd() }),
    onLost: (said) => endWithoutDatabase(running, log, said),
  })
  const { host, port, user, password } = running.postgres
  return { host, port, user, database: 'postgres', ...(password === undefined ? {} : { password }) }
}

/** Neither does a shop open on the demo's accounts, nor the demo on a shop. */
async function keepApart({ isDemo }: Config, database: DatabaseAddress): Promise<void> {
  if (isDemo) return refuseLiveShop(database)
  await refuseDemoAccounts(database)
  await markLive(database)
}

/** Without its database the process is useless. Its starter can start both again, and nothing is lost. */
function endWithoutDatabase(running: Running, log: Logger, said: string): void {
  log.fatal({ postgres: said }, 'the embedded PostgreSQL ended by itself')
  process.exitCode = 1
  void running.app?.close().finally(() => process.exit(1))
}

async function start(running: Running): Promise<void> {
  const config = readSettings(process.env)
  const log = createLogger(config.logLevel, { isForPerson: process.stdout.isTTY })
  running.drainSeconds = config.drainSeconds
  const database = await openAddress(config, running, log)
  const migrations = await migrate(database, say)
  if (migrations.length > 0) say(`Database migrated: ${migrations.join(', ')}`)
  await keepApart(config, database)
  running.app = await buildApp({ clock: systemClock, config, database, log })
  const hasDemo = config.isDemo && (await seedDemo({ app: running.app, config, log, say }))
  const address = await running.app.http.listen({ port: config.port, host: config.host })
  if (running.app.unserved.length > 0) log.warn({ calls: running.app.unserved }, 'calls that answer 501')
  if (!config.isDemo && config.smtp === undefined)
    log.warn('SMTP_URL is not set: mails wait in the database until it is')
  if (!config.isDemo && config.publicUrl === undefined)
    log.warn('PUBLIC_URL is not set: nobody can be invited or set a new password by mail until it is')
  if (await isHeldBack(running.app.db))
    log.warn('This desk was restored, and events wait until: npm run admin -- release (see: -- held)')
  say(`Cellarhand is ready at ${config.publicUrl ?? address}`)
  if (hasDemo) say(demoSignIns())
}

/** Tells load balancers through /readyz to send no more requests; a second signal ends the wait. */
async function leave(running: Running): Promise<void> {
  running.app?.leave()
  await systemClock.sleep((running.drainSeconds ?? 0) * 1000, noMoreWait.signal).catch(() => undefined)
}

async function stop(running: Running): Promise<void> {
  running.closingSinceMs = systemClock.readingMs()
  await running.app?.close()
  await running.postgres?.stop()
}

/**
 * The operator does not want to wait any longer. A launcher and a service manager may both pass on one signal, so a
 * second one right after the first counts as the same; and one Ctrl-C under npm is a SIGINT and a SIGTERM.
 */
function endAtOnce({ closingSinceMs }: Running): void {
  if (closingSinceMs !== undefined && systemClock.readingMs() - closingSinceMs > oneSignalMs) process.exit(1)
}

tuneGarbageCollection()
const oneSignalMs = 1_000
const running: Running = {}
const noMoreWait = new AbortController()
let isStopping = false
let terms = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (signal === 'SIGTERM') terms++
    if (isStopping) {
      noMoreWait.abort()
      if (terms > 1) endAtOnce(running)
      return
    }
    isStopping = true
    leave(running)
      .then(() => stop(running))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  })
}

try {
  await start(running)
} catch (error) {
  await stop(running).catch(() => undefined)
  // A start that is stopped has nothing to explain: the next start continues from there.
  if (isStopping) await new Promise(() => undefined)
  const explanation = explainStartFailure(error)
  if (explanation === undefined) throw error
  process.stderr.write(`${explanation}\n`)
  process.exitCode = 1
}
