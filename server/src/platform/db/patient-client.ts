import pg from 'pg'
import { ofDatabase } from './database-errors.ts'
import { poolOptions, type DatabaseAddress } from './database.ts'

/** For work on the whole database, without a time limit. */
export function patientClient(address: DatabaseAddress, role: string | undefined): pg.Client {
  const client = new pg.Client({
    ...poolOptions(address, role, { statementMs: 0, idleMs: 0 }),
    pipeline: false,
    // Routers forget a connection that is silent for some minutes, as it is while PostgreSQL builds an index.
    keepAliveInitialDelayMillis: 30_000,
  } as pg.ClientConfig)
  // After a lost connection its statement fails by itself, with the same error. Without a listener, the event would end
  // the process.
  client.on('error', ofDatabase)
  return client
}

/** Such work on a connection of its own, which ends with it. */
export async function withPatientClient<T>(
  address: DatabaseAddress,
  role: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = patientClient(address, role)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
