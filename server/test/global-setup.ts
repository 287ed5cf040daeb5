import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/db/migrate.ts'
import type { DatabaseAddress } from '../src/platform/db/database.ts'
import { startThrowawayPostgres } from '../src/platform/postgres/embedded.ts'
import { templateName } from './cloned-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: DatabaseAddress
  }
}

/** One server and one migrated template per run; every test file works on a copy of its own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL']
  const embedded = url === undefined ? await startThrowawayPostgres() : undefined
  const server: DatabaseAddress =
    embedded === undefined
      ? { ...(url === undefined ? {} : { url }) }
      : {
          host: embedded.host,
          port: embedded.port,
          user: embedded.user,
          ...(embedded.password === undefined ? {} : { password: embedded.password }),
        }
  const client = new pg.Client({
    ...(url === undefined
      ? {
          host: server.host,
          port: server.port,
          user: server.user,
          password: server.password,
          database: 'postgres',
        }
      : { connectionString: url }),
  } as pg.ClientConfig)
  await client.connect()
  await client.query(`drop database if exists ${templateName}`)
  await client.query(`create database ${templateName}`)
  await client.end()
  await migrate({ ...server, database: templateName })
  project.provide('databaseServer', server)
  return async () => {
    await embedded?.stop()
  }
}
