import { ConfigError } from '../settings/setting.ts'
import { isTableMissing } from './database-errors.ts'
import { systemRole, type DatabaseAddress } from './database.ts'
import { withPatientClient } from './patient-client.ts'

async function liveSince(address: DatabaseAddress): Promise<Date | undefined> {
  return withPatientClient(address, systemRole, async (client) => {
    try {
      const { rows } = await client.query<{ since: Date }>('select since from live_state')
      return rows[0]?.since
    } catch (error) {
      // A command that does not migrate meets the database of an older release.
      if (isTableMissing(error)) return undefined
      throw error
    }
  })
}

/** Written once, so that a later start also works on a database that only reads at the moment. */
export async function markLive(address: DatabaseAddress): Promise<void> {
  if ((await liveSince(address)) !== undefined) return
  await withPatientClient(address, systemRole, async (client) =>
    client.query('insert into live_state default values on conflict do nothing'),
  )
}

/**
 * A shop on the embedded database whose settings got lost would start as the demo: with the secrets that everybody
 * knows, an open outbox, and sandboxes that move its orders.
 */
export async function refuseLiveShop(address: DatabaseAddress): Promise<void> {
  const since = await liveSince(address)
  if (since === undefined) return
  throw new ConfigError(
    `A server outside the demo has used this database since ${since.toISOString().slice(0, 10)}, and everybody knows the demo's secrets: set DEMO=0 and the shop's own settings, or name another DATA_DIR, and another database in DATABASE_URL where that is set.`,
  )
}
