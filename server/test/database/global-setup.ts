import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/db/migrate.ts'
import { poolOptions, type DatabaseAddress } from '../../src/platform/db/database.ts'
import { startThrowawayPostgres, type EmbeddedPostgres } from '../../src/platform/postgres/embedded.ts'
import { templateName } from './cloned-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: DatabaseAddress
  }
}

/** One server and one migrated template per run; every test file works on a copy of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL']
  const embedded = url === undefined ? await startThrowawayPostgres() : undefined
  const server = embedded === undefined ? { url: url ?? '' } : addressOf(embedded)
  await makeTemplate(server)
  project.provide('databaseServer', server)
  return async () => embedded?.stop()
}

function addressOf({ host, port, user, password }: EmbeddedPostgres): DatabaseAddress {
  return { host, port, user, ...(password === undefined ? {} : { password }) }
}

async function makeTemplate(server: DatabaseAddress): Promise<void> {
  const client = new pg.Client({
    ...poolOptions({ ...server, database: 'postgres' }, undefined, { statementMs: 0, idleMs: 0 }),
    pipeline: false,
  } as pg.ClientConfig)
  await client.connect()
  await client.query(`drop database if exists ${templateName}`)
  await client.query(`create database ${templateName}`)
  await client.end()
  await migrate({ ...server, database: templateName })
}
