import { pino, type Logger } from 'pino'
import { buildApp, type App } from '../../src/app.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { DatabaseAddress } from '../../src/platform/db/database.ts'
import { systemClock } from '../../src/platform/clock/system-clock.ts'

/** The whole server on a database that it reaches in another way than the tests do. */
export async function startAppOn(
  database: DatabaseAddress,
  {
    environment = {},
    log = pino({ level: 'silent' }),
  }: { environment?: Record<string, string>; log?: Logger } = {},
): Promise<{ app: App; url: string }> {
  const app = await buildApp({
    clock: systemClock,
    config: readConfig({ DEMO: '1', PORT: '0', ...environment }),
    database,
    log,
  })
  return { app, url: await app.http.listen({ port: 0, host: '127.0.0.1' }) }
}
