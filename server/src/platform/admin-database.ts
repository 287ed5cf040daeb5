import { join } from 'node:path'
import type { Config } from './config.ts'
import type { DatabaseAddress } from './db/database.ts'
import { hasSchema } from './db/migrate.ts'
import { startEmbeddedPostgres } from './postgres/embedded.ts'
import { findPostgres } from './postgres/running.ts'

/** The environment leads to no shop's database; the message says what to do. */
export class NoDatabase extends Error {}

export interface AdminDatabase {
  readonly address: DatabaseAddress
  /** For the person at the keyboard, without the password. */
  readonly name: string
  close(): Promise<void>
}

/**
 * The database of the environment: the one of DATABASE_URL, a running server's, or the embedded one, started for the
 * command. Only a restore may make one; any other command on an empty database would work on a shop that nobody has.
 */
export async function openAdminDatabase(
  config: Config,
  { mayCreate }: { mayCreate: boolean },
): Promise<AdminDatabase> {
  const database = await findDatabase(config, mayCreate)
  try {
    if (!mayCreate && !(await hasSchema(database.address)))
      throw new NoDatabase(
        `${database.name} is empty. Set DATABASE_URL or DATA_DIR as the server has it, or start the server on it once.`,
      )
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function findDatabase(config: Config, mayCreate: boolean): Promise<AdminDatabase> {
  if (config.databaseUrl !== undefined) {
    const address = { url: config.databaseUrl }
    return { address, name: nameOf(config.databaseUrl), close: async () => undefined }
  }
  const dataDir = join(config.dataDir, 'postgres')
  const name = `The database in ${config.dataDir}`
  const found = await findPostgres(dataDir)
  if (typeof found === 'object')
    return { address: { ...found, database: 'postgres' }, name, close: async () => undefined }
  if (found === 'none' && !mayCreate)
    throw new NoDatabase(
      `There is no database in ${config.dataDir}. Set DATABASE_URL or DATA_DIR as the server has it, or start the server once.`,
    )
  const { host, port, user, password, stop } = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const own = password === undefined ? {} : { password }
  return { address: { host, port, user, database: 'postgres', ...own }, name, close: stop }
}

function nameOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname) || (searchParams.get('host') ?? '')
  const at = host === '' || host.startsWith('/') ? 'this machine' : `${host}${port && `:${port}`}`
  return `The database "${decodeURIComponent(pathname.slice(1))}" on ${at}`
}
