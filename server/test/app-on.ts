import { pino } from 'pino'
import { buildApp, type App } from '../src/app.ts'
import { readConfig } from '../src/platform/config.ts'
import type { DatabaseAddress } from '../src/platform/db/database.ts'

/** The whole server on a database that is reached by some other road than the tests' own. */
export async function startAppOn(database: DatabaseAddress): Promise<{ app: App; url: string }> {
  const app = await buildApp({
    config: readConfig({ DEMO: '1', PORT: '0' }),
    database,
    log: pino({ level: 'silent' }),
  })
  return { app, url: await app.http.listen({ port: 0, host: '127.0.0.1' }) }
}
